/**
 * Full-text search beside SQLite's FTS5 over the same documents.
 *
 *     deno run -A tests/bench/search/search.ts [documents] [pages.jsonl]
 *
 * Without a file the texts are generated. Everything is in a temporary folder, which is deleted.
 *
 * @module
 */
import { ulidSource } from "../../../kv/context.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { decodeState, encodeState } from "../../../kv/versioning/state_codec.ts";
import { currentKey, currentPrefix } from "../../../kv/keys.ts";
import { searchVersionKey } from "../../../kv/search/search_keys.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { compactSearch } from "../../../kv/search/segments/compaction.ts";
import { EMPTY_MANIFEST, readManifest } from "../../../kv/search/segments/manifest.ts";
import { postedDocument, recordPosting } from "../../../kv/search/segments/posting.ts";
import { type DocumentSource, stepRebuild } from "../../../kv/search/segments/rebuild.ts";
import { SearchIndex } from "../../../kv/search/search_index.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { type Entry, Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { collectionOf, field } from "../../support/sites/fields.ts";
import { openStoreFile } from "../../../kv/store/disk/store_file.ts";
import { seededRandom } from "../content/random.ts";
import { type CorpusText, generatedTexts, pagesOf } from "./search_corpus.ts";
import { Fts5 } from "./search_fts5.ts";
import { measureRoute } from "./search_route.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 100_000);
const PAGES = Deno.args[1];
const QUERIES = 1_000;
/** One document in so many is looked at for how frequent words are. */
const SAMPLED = 7;

const collection = collectionOf(field("body", "text"));
const bodyKey = collection.fields[0]!.key;
const random = seededRandom(5);
const newId = ulidSource();
const folder = await Deno.makeTempDir();
const store = new Store(new DenoKvDriver(await openStoreFile(`${folder}/kv.sqlite3`)));
const context = { store, now: () => Date.now(), newId };
const fts5 = new Fts5(`${folder}/fts5.sqlite3`);

function tell(name: string, value: string): void {
  console.log(`${name.padEnd(46)} ${value}`);
}

async function time(run: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

const sorted = (times: number[]) => times.toSorted((a, b) => a - b);
const median = (times: number[]) => sorted(times)[times.length >> 1]!;

function quantiles(times: number[]): string {
  const at = (part: number) =>
    sorted(times)[Math.floor(times.length * part)]!.toFixed(2).padStart(6);
  return `p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   max ${at(0.9999)} ms`;
}

const encoder = new TextEncoder();
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const many = (count: number, text: () => string) => Array.from({ length: count }, text);

function documentOf(title: string, body: string): DocumentState {
  const id = newId(Date.now());
  return {
    id,
    collectionId: collection.id,
    slug: id.toLowerCase(),
    title,
    status: "published",
    createdAt: 0,
    updatedAt: 0,
    publishedAt: 0,
    publishAt: null,
    data: { [bodyKey]: body },
    blocks: [],
  };
}

function setLive(operation: Operation, state: DocumentState): void {
  const row: CurrentRow = { n: 1, vid: state.id, at: 0, body: encodeState(state) };
  operation.set(currentKey("document", state.id), row);
}

/** Writes the documents as live rows, and into FTS5; answers how many of a sample have each word. */
async function fill(): Promise<{ bytes: number; found: Map<string, number> }> {
  const texts: Iterator<CorpusText> = PAGES === undefined ? generatedTexts() : pagesOf(PAGES);
  const found = new Map<string, number>();
  let bytes = 0;
  let operation = new Operation();
  fts5.begin();
  for (let n = 0; n < DOCUMENTS; n++) {
    const { title, body } = texts.next().value as CorpusText;
    bytes += encoder.encode(title + body).length;
    setLive(operation, documentOf(title, body));
    fts5.add(n, title, body);
    if (n % SAMPLED === 0) {
      const words = new Set(`${title} ${body}`.toLowerCase().match(/[a-z]+/g));
      for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
    }
    if (operation.bytes > 400_000 || n === DOCUMENTS - 1) {
      await store.commit(operation);
      operation = new Operation();
    }
  }
  fts5.commit();
  return { bytes, found };
}

const source: DocumentSource = async (cursor, limit) => {
  const prefix = currentPrefix("document");
  const range = cursor === null
    ? { prefix }
    : { prefix, start: [...currentKey("document", cursor), ""] };
  const entries = await store.listAll<CurrentRow>(range, { limit });
  return {
    documents: entries.map((entry) => ({ state: decode(entry), collection })),
    cursor: entries.length < limit ? null : entries.at(-1)!.key[2] as string,
  };
};

function decode({ value }: Entry<CurrentRow>): DocumentState {
  return decodeState(value!.body!) as unknown as DocumentState;
}

function openIndex(): SearchIndex {
  return new SearchIndex({
    store,
    loadDocuments: async function* (ids) {
      const entries = await store.getMany(ids.map((id) => currentKey("document", id)));
      for (const entry of entries as Entry<CurrentRow>[]) {
        yield { state: decode(entry), collection };
      }
    },
  });
}

function find(index: SearchIndex, text: string, { page = 1, perPage = 20 } = {}) {
  return index.search({ text, collectionIds: [collection.id], page, perPage });
}

/** Measures the second search for each text by default. */
async function measure(
  index: SearchIndex,
  name: string,
  texts: string[],
  { page = 1, isWarm = true } = {},
): Promise<number[]> {
  if (isWarm) { for (const text of texts) await find(index, text, { page }); }
  const times: number[] = [];
  let total = 0;
  for (const text of texts) {
    times.push(await time(async () => total += (await find(index, text, { page })).total));
  }
  tell(name, `${quantiles(times)}   mean total ${Math.round(total / texts.length)}`);
  return times;
}

async function rebuild(bytes: number): Promise<void> {
  const ms = await time(async () => {
    const id = newId(Date.now());
    while (!(await stepRebuild(context, source, id)).isDone);
  });
  tell("rebuild", `${Math.round(DOCUMENTS / ms * 1000)} documents a second`);
  const { segments } = (await readManifest(store)).value ?? EMPTY_MANIFEST;
  tell("documents per segment", segments.map(({ documents }) => documents).join(" "));
  const indexBytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const share = (part: number) =>
    `${(part / 1e6).toFixed(1)} MB (${(100 * part / bytes).toFixed(1)} %)`;
  tell("index size, FTS5's", `${share(indexBytes)}, ${share(fts5.indexBytes())} of the text`);
}

/** Beside FTS5: time, and how many of the first ten are the same. */
async function compare(index: SearchIndex, texts: string[], ours: number[]): Promise<void> {
  const times: number[] = [];
  let overlap = 0;
  for (const text of texts) {
    let ids: number[] = [];
    times.push(await time(() => ids = fts5.search(text.replaceAll('"', ""))));
    const { hits } = await find(index, text, { perPage: 10 });
    const titles = new Set(hits.map(({ title }) => title));
    const same = ids.slice(0, 10).filter((id) => titles.has(fts5.title(id))).length;
    overlap += same / Math.max(1, Math.min(10, ids.length));
  }
  tell("FTS5: the same two words, total and snippets", quantiles(times));
  tell("FTS5's median over ours", (median(times) / median(ours)).toFixed(1));
  tell("the same among the first ten", `${(100 * overlap / texts.length).toFixed(0)} %`);
}

/** What one publish costs, and the first query after it. */
async function measurePublish(index: SearchIndex, texts: string[]): Promise<void> {
  const publishTimes: number[] = [];
  const queryTimes: number[] = [];
  const newTexts = generatedTexts(3);
  for (let n = 0; n < 200; n++) {
    const { title, body } = newTexts.next().value;
    const state = documentOf(title, body);
    const live = new Operation();
    setLive(live, state);
    await store.commit(live);
    publishTimes.push(
      await time(async () => {
        const operation = new Operation();
        recordPosting(operation, await readManifest(store), postedDocument(collection, state));
        await store.commit(operation);
      }),
    );
    queryTimes.push(await time(() => find(index, texts[n]!)));
  }
  tell("added to one publish", quantiles(publishTimes));
  tell("first query after a publish", quantiles(queryTimes));
  const ms = await time(async () => {
    while (await compactSearch(context, { pendingMin: 1 }));
  });
  tell("compaction of these 200, and merges", `${ms.toFixed(0)} ms`);
}

async function run(): Promise<void> {
  const { bytes, found } = await fill();
  tell("documents, text", `${DOCUMENTS}, ${(bytes / 1e6).toFixed(1)} MB`);
  await rebuild(bytes);
  /** Words that between two shares of the documents have. */
  const between = (low: number, high: number) =>
    [...found].filter(([, count]) => {
      const share = count * SAMPLED / DOCUMENTS;
      return share >= low && share <= high;
    }).map(([word]) => word);
  const frequent = between(0.22, 0.38);
  const middling = between(0.015, 0.025);
  const rare = between(0.0001, 0.001);
  const two = many(QUERIES, () => `${pick(middling)} ${pick(frequent)}`);
  // In quotation marks the last word is no prefix.
  const exact = two.map((text) => text.replace(/ (\w+)$/, ' "$1"'));

  const index = openIndex();
  const firstMs = await time(() => find(index, exact[0]!));
  tell("first query of a cold process", `${firstMs.toFixed(1)} ms`);
  const gets: number[] = [];
  for (let n = 0; n < 500; n++) gets.push(await time(() => store.get(searchVersionKey)));
  tell("bare read of one key", quantiles(gets));
  await measure(index, "two words, first time", exact.slice(0, 200), { isWarm: false });
  const ours = await measure(index, "two words (30 % and 2 %), warm", exact);
  await measure(index, "the same, the last also as a prefix", two);
  await measure(index, "the same, page 20", exact.slice(0, 300), { page: 20 });
  await measure(index, "one rare word", many(QUERIES, () => `"${pick(rare)}"`));
  const prefixes = many(300, () => pick(rare).slice(0, 3));
  await measure(openIndex(), "a prefix of three letters, first time", prefixes, { isWarm: false });
  await measure(index, "a prefix of three letters", prefixes);
  await measure(index, "a prefix of two letters", prefixes.map((text) => text.slice(0, 2)));
  await measure(index, "a word of most documents", many(100, () => pick(between(0.6, 1))));
  await measure(index, "a phrase", many(100, () => `"${pick(frequent)} ${pick(frequent)}"`));
  const long = middling.filter((word) => word.length > 4);
  await measure(index, "a misspelt word", many(100, () => misspelt(pick(long))));
  await compare(index, exact.slice(0, 200), ours);
  await measurePublish(index, two);
  store.close();
  await Deno.writeTextFile(`${folder}/collection.json`, JSON.stringify(collection));
  await measureRoute(folder, exact, tell);
}

function misspelt(word: string): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  return `${word.slice(0, at)}x${word.slice(at + 1)}`;
}

try {
  await run();
} finally {
  fts5.close();
  await Deno.remove(folder, { recursive: true });
}
