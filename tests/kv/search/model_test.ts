/**
 * The set of documents that a search finds equals a naive scan of their texts, whatever was published,
 * removed, compacted and rebuilt before, in whatever order, by either of two processes.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { compactSearch } from "../../../kv/search/segments/compaction.ts";
import { stepRebuild } from "../../../kv/search/segments/rebuild.ts";
import { type Said, SearchSite } from "../../support/sites/search_site.ts";
import { seedCount } from "../../support/harness/whole_run.ts";

const WORDS = [
  "red",
  "reed",
  "reeds",
  "blue",
  "bluebell",
  "bluebells",
  "green",
  "Café",
  "cafe",
  "naïve",
  "東京都",
  "東京",
  "京都",
  "カメラ",
  "東",
  "ภาษาไทย",
  "ไทย",
  "서울에서",
  "x1",
]; // deno-fmt-ignore
const SPACED = WORDS.slice(0, 10);
const DOCUMENTS = 8;
/** Segments of a document or two are not the smallest, so that merges leave older ones. */
const SMALL = { fan: 2, smallest: 1 };

const words = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength, size: "max" })
    .map((some) => some.join(" "));
const said: fc.Arbitrary<Said> = fc.record({
  title: words(3),
  text: words(8),
  rich: words(4),
  collection: fc.nat(1),
});
const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("publish" as const), n: fc.nat(DOCUMENTS - 1), said }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("remove" as const), n: fc.nat(DOCUMENTS - 1) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("compact" as const, "rebuild" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("begin" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const) }) },
); // deno-fmt-ignore
const query = fc.record({
  parts: fc.array(
    fc.oneof(
      fc.constantFrom(...WORDS),
      fc.constantFrom("re", "blu", "c", "京", "รา", "ทย", "서울"),
      fc.array(fc.constantFrom(...SPACED), { minLength: 1, maxLength: 2 })
        .map((some) => `"${some.join(" ")}"`),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  collections: fc.constantFrom<number[]>([0], [1], [0, 1]),
});

Deno.test("search() finds what a naive scan finds, whatever happened before", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 20, maxLength: 60 }),
      fc.array(query, { minLength: 8, maxLength: 8 }),
      async (operations, queries) => {
        using site = await SearchSite.open(2);
        const processes = [site.process(), site.process()];
        const ids = Array.from({ length: DOCUMENTS }, () => site.newId(site.ms));
        const live = new Map<string, Said>();
        let rebuildId = "";
        for (const [n, step] of operations.entries()) {
          const by = processes[n % 2]!;
          const id = "n" in step ? ids[step.n]! : "";
          if (step.do === "publish") {
            // Every text has one word in common with all, and one that is its own.
            const text = `everywhere ${step.said.text} only${n}`;
            live.set(id, { ...step.said, text, collection: step.n % 2 });
            await site.publish(live.get(id)!, id);
          } else if (step.do === "remove") {
            if (live.delete(id)) await site.remove(id);
          } else if (step.do === "compact") {
            await compactSearch(by.context, { pendingMin: 1, sizes: SMALL });
          } else if (step.do === "begin") rebuildId = site.newId(site.ms);
          else if (step.do === "wait") site.ms += 100_000;
          else if (rebuildId !== "") {
            await stepRebuild(by.context, site.source(2), rebuildId, 2);
          }
          for (const parts of [["everywhere"], [`only${n}`]]) {
            await assertSameAsNaive(site, by, live, { parts, collections: [0, 1] });
          }
        }
        for (const each of queries) {
          for (const process of processes) await assertSameAsNaive(site, process, live, each);
        }
        using fresh = await freshSite(live);
        for (const each of queries) await assertSameRanks([site, fresh], each);
        while (await compactSearch(site.context, { pendingMin: 1, sizes: SMALL }));
        for (const each of queries) await assertSameRanks([site, fresh], each);
      },
    ),
    { numRuns: seedCount(25, 60) },
  );
});

async function assertSameAsNaive(
  site: SearchSite,
  { index }: Pick<SearchSite, "index">,
  live: ReadonlyMap<string, Said>,
  { parts, collections }: { parts: string[]; collections: number[] },
): Promise<void> {
  const collectionIds = collections.map((n) => site.collections[n]!.id);
  const text = parts.join(" ");
  const answer = await index.search({ text, ...site.request({ collectionIds }) });
  const scan = (searched: string[]) =>
    [...live].filter(([, said]) =>
      collections.includes(said.collection!) && matches(said, searched)
    ).map(([id]) => id).sort();
  const found = answer.hits.map(({ documentId }) => documentId).sort();

  if (answer.corrected === undefined) assertEquals(found, scan(parts), text);
  else {
    assertEquals(scan(parts), [], text);
    assert(found.length > 0, `Corrected to nothing: ${answer.corrected}`);
    assertEquals(found, scan(partsOf(answer.corrected)), answer.corrected);
  }
  assertEquals(answer.total, found.length);
  if (answer.total > 0) assert(answer.hits.every(({ snippet }) => snippet.length < 400));
}

/** A site that has never had anything but what is live. */
async function freshSite(live: ReadonlyMap<string, Said>): Promise<SearchSite> {
  const site = await SearchSite.open(2);
  for (const [id, said] of live) await site.publish(said, id);
  await site.compact();
  return site;
}

/** Ranks do not depend on what was replaced or removed before. */
async function assertSameRanks(
  sites: readonly SearchSite[],
  { parts, collections }: { parts: string[]; collections: number[] },
): Promise<void> {
  const [own, fresh] = await Promise.all(sites.map(async (site) => {
    const collectionIds = collections.map((n) => site.collections[n]!.id);
    const { hits } = await site.search(parts.join(" "), { collectionIds });
    return hits.map(({ documentId, rank }) => [documentId, rank]);
  }));
  assertEquals(own, fresh, parts.join(" "));
}

function partsOf(text: string): string[] {
  return text.match(/"[^"]*"|\S+/g)!;
}

/** The definition, as directly as it can be written. */
function matches({ title, text, rich }: Said, parts: string[]): boolean {
  const fields = [title, text!, rich!].map(plain);
  return parts.every((part, index) => {
    const isLast = index === parts.length - 1;
    if (part.startsWith('"')) {
      const phrase = plain(part.slice(1, -1));
      return fields.some((field) => ` ${field} `.includes(` ${phrase} `));
    }
    const word = plain(part);
    if (/[^\x00-\x7f]/.test(word)) return fields.some((field) => hasUnspaced(field, word));
    return fields.some((field) =>
      field.split(" ").some((known) => isLast ? known.startsWith(word) : known === word)
    );
  });
}

/** Every word that the segmenter sees is somewhere in the fields. */
function hasUnspaced(field: string, word: string): boolean {
  return field.includes(word);
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toLowerCase();
}
