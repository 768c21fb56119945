/**
 * A free slug near a wanted one: `page`, `page-2`, `page-3`, …, found in a logarithmic number of reads
 * however many are taken.
 *
 * @module
 */

/** Numbers looked at one by one before the search doubles. */
const NEAR = 9;

/**
 * The wanted slug, or the wanted slug with a number. Among the first ten it is the smallest free one;
 * beyond, one whose predecessor is taken.
 *
 * @param areTaken tells for at most ten slugs which are taken
 */
export async function freeSlug(
  wanted: string,
  areTaken: (slugs: string[]) => Promise<boolean[]>,
): Promise<string> {
  const numbered = (n: number) => n === 1 ? wanted : `${wanted}-${n}`;
  const near = Array.from({ length: NEAR + 1 }, (_, position) => numbered(position + 1));
  const free = (await areTaken(near)).indexOf(false);
  if (free >= 0) return near[free]!;

  let taken = NEAR + 1;
  let open = taken * 2;
  while ((await areTaken([numbered(open)]))[0]) {
    taken = open;
    open *= 2;
  }
  while (open - taken > 1) {
    const middle = Math.floor((open + taken) / 2);
    if ((await areTaken([numbered(middle)]))[0]) taken = middle;
    else open = middle;
  }
  return numbered(open);
}
