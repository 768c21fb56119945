/**
 * A free slug near a wanted one: `page`, `page-2`, `page-3`, …, found in a logarithmic number of reads
 * however many are taken.
 *
 * @module
 */

/** Numbers looked at one by one before the search doubles. */
const CANDIDATES = 9;

/** The slug to find. */
export interface SlugSearch {
  wanted: string;
  /** Tells for at most ten slugs which are taken. */
  areTaken: (slugs: string[]) => Promise<boolean[]>;
  /** Leaves out this many numbers behind the free one that is found first. */
  skip?: number;
}

/**
 * The wanted slug, or the wanted slug with a number. Among the first ten it is the smallest free one;
 * beyond, one whose predecessor is taken.
 */
export async function freeSlug({ wanted, areTaken, skip = 0 }: SlugSearch): Promise<string> {
  const numbered = (n: number) => n === 1 ? wanted : `${wanted}-${n}`;
  const search = async (from: number) =>
    await freeNumber(from, (numbers) => areTaken(numbers.map(numbered)));
  const first = await search(1);
  return numbered(skip === 0 ? first : await search(first + skip));
}

async function freeNumber(
  from: number,
  areTaken: (numbers: number[]) => Promise<boolean[]>,
): Promise<number> {
  const candidates = Array.from({ length: CANDIDATES + 1 }, (_, index) => from + index);
  const index = (await areTaken(candidates)).indexOf(false);
  if (index >= 0) return from + index;

  let taken = from + CANDIDATES;
  let open = taken * 2;
  while ((await areTaken([open]))[0]) {
    taken = open;
    open *= 2;
  }
  while (open - taken > 1) {
    const middle = Math.floor((open + taken) / 2);
    if ((await areTaken([middle]))[0]) taken = middle;
    else open = middle;
  }
  return open;
}
