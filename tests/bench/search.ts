/**
 * Full-text search beside SQLite's FTS5 over the same documents.
 *
 *     deno run -A tests/bench/search.ts [documents] [pages.jsonl]
 *
 * Without a file the texts are generated. Everything is in a temporary folder, which is deleted.
 *
 * @module
 */
import { ulidSource } from "../../kv/context.ts";
import { decodeState, encodeState, type LiveRow } from "../../kv/entities.ts";
import { liveKey, livePrefix } from "../../kv/keys.ts";
import type { DocumentState } from "../../kv/model/document.ts";
import { compactSearch } from "../../kv/search/compaction.ts";
import { EMPTY_MANIFEST, readManifest } from "../../kv/search/manifest.ts";
import { recordPosting } from "../../kv/search/posting.ts";
import { type DocumentSource, stepRebuild } from "../../kv/search/rebuild.ts";
import { SearchIndex } from "../../kv/search/search_index.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { type Entry, Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { collectionOf, field } from "../support/fields.ts";
import { type CorpusText, pagesOf, randomOf, ZipfTexts } from "./search_corpus.ts";
import type { LoadResult } from "./load.ts";
import { Fts5 } from "./search_fts5.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 100_000);
const PAGES = Deno.args[1];
const QUERIES = 1_000;
const collection = collectionOf(field("body", "text"));
const bodyKey = collection.fields[0]!.key;
const random = randomOf(5);
const newId = ulidSource();
const folder = await Deno.makeTempDir();
const store = new Store(new DenoKvDriver(await Deno.openKv(`${folder}/kv.sqlite3`)));
const context = { store, now: () => Date.now(), newId };

function line(name: string, value: string): void {
  console.log(`${name.padEnd(52)} ${value}`);
}

/** Writes the documents as live rows, and into FTS5. */
async function load(fts5: Fts5): Promise<{ bytes: number; found: Map<string, number> }> {
  const texts: Iterator<CorpusText> = PAGES === undefined ? zipf() : pagesOf(PAGES);
  const found = new Map<string, number>();
  let bytes = 0;
  let operation = new Operation();
  fts5.begin();
  for (let n = 0; n < DOCUMENTS; n++) {
    const { title, body } = texts.next().value as CorpusText;
    bytes += title.length + body.length;
    const id = newId(Date.now());
    const state = stateOf(id, title, body);
    const row: LiveRow = { n: 1, vid: id, at: 0, body: encodeState(state) };
    operation.set(liveKey("document", id), row);
    fts5.add(n, title, body);
    if (n % 7 === 0) {
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

function* zipf(): Generator<CorpusText> {
  const texts = new ZipfTexts();
  for (;;) yield texts.next();
}

function stateOf(id: string, title: string, body: string): DocumentState {
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

const source: DocumentSource = async (cursor, limit) => {
  const range = cursor === null
    ? { prefix: livePrefix("document") }
    : { prefix: livePrefix("document"), start: [...liveKey("document", cursor), ""] };
  const entries = await store.listAll<LiveRow>(range, { limit });
  return {
    documents: entries.map((entry) => ({ state: decode(entry), collection })),
    cursor: entries.length < limit ? null : entries.at(-1)!.key[2] as string,
  };
};

function decode({ value }: Entry<LiveRow>): DocumentState {
  return decodeState(value!.body!) as unknown as DocumentState;
}

function openIndex(): SearchIndex {
  return new SearchIndex({
    store,
    loadDocuments: async (ids) => {
      const entries = await store.getMany(ids.map((id) => liveKey("document", id)));
      return (entries as Entry<LiveRow>[]).map((entry) => ({ state: decode(entry), collection }));
    },
  });
}

function quantiles(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]!.toFixed(2).padStart(7);
  return `p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   max ${at(0.9999)} ms`;
}

async function time(run: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/** Words that between two shares of the documents have. */
function wordsBetween(found: Map<string, number>, low: number, high: number): string[] {
  const sampled = Math.ceil(DOCUMENTS / 7);
  return [...found].filter(([, count]) => count / sampled >= low && count / sampled <= high)
    .map(([word]) => word);
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Measures the second time that each text is searched for, unless told. */
async function measure(
  index: SearchIndex,
  name: string,
  texts: string[],
  { page = 1, isWarm = true } = {},
): Promise<number[]> {
  if (isWarm) {
    for (const text of texts) {
      await index.search({ text, collectionIds: [collection.id], page, perPage: 20 });
    }
  }
  const times: number[] = [];
  let total = 0;
  for (const text of texts) {
    times.push(
      await time(async () => {
        total +=
          (await index.search({ text, collectionIds: [collection.id], page, perPage: 20 })).total;
      }),
    );
  }
  line(name, `${quantiles(times)}   mean total ${Math.round(total / texts.length)}`);
  return times;
}

const fts5 = new Fts5(`${folder}/fts5.sqlite3`);
try {
  const { bytes, found } = await load(fts5);
  line("documents, bytes of text", `${DOCUMENTS}, ${(bytes / 1e6).toFixed(1)} MB`);
  const rebuildMs = await time(async () => {
    const id = newId(Date.now());
    while (!(await stepRebuild(context, source, id)).isDone);
    while (await compactSearch(context, { pendingMin: 1 }));
  });
  const manifest = (await readManifest(store)).value ?? EMPTY_MANIFEST;
  const indexBytes = manifest.segments.reduce((sum, segment) => sum + segment.bytes, 0);
  line("rebuild", `${Math.round(DOCUMENTS / rebuildMs * 1000)} documents a second`);
  line("segments", manifest.segments.map(({ documents }) => documents).join(" "));
  line("index size, FTS5's", `${share(indexBytes, bytes)}, ${share(fts5.indexBytes(), bytes)}`);

  const frequent = wordsBetween(found, 0.22, 0.38);
  const middling = wordsBetween(found, 0.015, 0.025);
  const rare = wordsBetween(found, 0.0001, 0.001);
  const two = Array.from(
    { length: QUERIES },
    () => `${pick(middling)} ${pick(frequent)}x`.slice(0, -1),
  );
  const cold = openIndex();
  line(
    "first query of a cold process",
    `${
      (await time(() =>
        cold.search({
          text: two[0]!,
          collectionIds: [collection.id],
          page: 1,
          perPage: 20,
        })
      )).toFixed(1)
    } ms`,
  ); // deno-fmt-ignore
  const index = openIndex();
  // The last word is a prefix as well, so a third kind ends with a whole word in quotation marks.
  const exact = two.map((text) => text.replace(/ (\w+)$/, ' "$1"'));
  await measure(index, "two words, first time", exact.slice(0, 200), { isWarm: false });
  const times = await measure(index, "two words (30 % and 2 %), warm", exact);
  await measure(index, "two words, the last also as a prefix, warm", two);
  await measure(index, "two words, page 20", two.slice(0, 300), { page: 20 });
  await measure(index, "one rare word", Array.from({ length: QUERIES }, () => `"${pick(rare)}"`));
  await measure(
    index,
    "a prefix of three letters",
    Array.from({ length: 300 }, () => pick(rare).slice(0, 3)),
  );
  await measure(
    index,
    "a prefix of two letters",
    Array.from({ length: 100 }, () => pick(rare).slice(0, 2)),
  );
  await measure(
    index,
    "a word of nearly all documents",
    Array.from({ length: 100 }, () => pick(wordsBetween(found, 0.6, 1))),
  );
  await measure(
    index,
    "a phrase",
    Array.from({ length: 100 }, () => `"${pick(frequent)} ${pick(frequent)}"`),
  );
  await measure(
    index,
    "a misspelt word",
    Array.from({ length: 100 }, () => misspelt(pick(middling.filter((word) => word.length > 4)))),
  );
  const ftsTimes: number[] = [];
  let overlap = 0;
  for (const [place, text] of exact.slice(0, 200).entries()) {
    let ids: number[] = [];
    const words = text.replaceAll('"', "");
    ftsTimes.push(await time(() => ids = fts5.search(words)));
    const { hits } = await index.search({
      text,
      collectionIds: [collection.id],
      page: 1,
      perPage: 10,
    });
    const titles = new Set(hits.map(({ title }) => title));
    overlap += ids.slice(0, 10).filter((id) => titles.has(fts5.title(id))).length /
      Math.max(1, Math.min(10, ids.length));
    if (place < 0) console.log(text);
  }
  line("FTS5: two words, with total and snippets", quantiles(ftsTimes));
  const middle = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1]!;
  line("FTS5's median over ours", (middle(ftsTimes) / middle(times)).toFixed(1));
  line("first ten the same as FTS5's", `${(overlap / 2).toFixed(0)} %`);
  await measurePublish(index, two);
  store.close();
  await measureServer(exact);
} finally {
  fts5.close();
  await Deno.remove(folder, { recursive: true });
}

/** What one publish costs, and the first query after it. */
async function measurePublish(index: SearchIndex, texts: string[]): Promise<void> {
  const publishTimes: number[] = [];
  const queryTimes: number[] = [];
  const words = new ZipfTexts(20_000, 3);
  for (let n = 0; n < 200; n++) {
    const { title, body } = words.next();
    const state = stateOf(newId(Date.now()), title, body);
    const row: LiveRow = { n: 1, vid: state.id, at: 0, body: encodeState(state) };
    await store.commit(new Operation().set(liveKey("document", state.id), row));
    publishTimes.push(
      await time(async () => {
        const operation = new Operation();
        recordPosting(operation, await readManifest(store), collection, state);
        await store.commit(operation);
      }),
    );
    const text = texts[n]!;
    queryTimes.push(
      await time(() =>
        index.search({ text, collectionIds: [collection.id], page: 1, perPage: 20 })
      ),
    );
  }
  line("added to one publish", quantiles(publishTimes));
  line("first query after a publish", quantiles(queryTimes));
  line(
    "compaction of these",
    `${(await time(() => compactSearch(context, { pendingMin: 1 }))).toFixed(0)} ms`,
  );
}

/** The route in a process of its own: its first answer, many requests at once, its memory. */
async function measureServer(texts: string[]): Promise<void> {
  const here = import.meta.dirname;
  await Deno.writeTextFile(`${folder}/collection.json`, JSON.stringify(collection));
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${here}/search_server.ts`, folder, `${folder}/collection.json`],
    stdout: "piped",
  }).spawn();
  try {
    const { value } = await server.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
    const port = Number(value);
    const address = (text: string) => `/api/v1/search?q=${encodeURIComponent(text)}`;
    const first = await time(async () => {
      await (await fetch(`http://127.0.0.1:${port}${address(texts[0]!)}`)).body?.cancel();
    });
    line("route: first answer of the process", `${first.toFixed(1)} ms`);
    const requests = texts.map((text) =>
      `GET ${address(text)} HTTP/1.1\r\nhost: localhost\r\n\r\n`
    );
    for (const name of ["warming up", "warm"]) {
      const before = await usage(port);
      const { requests: count, perSecond, p50Ms, p99Ms, statuses } = await run16(port, requests);
      const cpuMs = ((await usage(port)).cpuMs - before.cpuMs) / count;
      line(
        `route: 16 connections, ${name}`,
        `${perSecond} a second   p50 ${p50Ms} ms   p99 ${p99Ms} ms   ${
          cpuMs.toFixed(2)
        } ms of CPU each   ` +
          JSON.stringify(statuses),
      );
    }
    line("route: memory of the process", `${Math.round((await usage(port)).memoryMb)} MB`);
  } finally {
    server.kill();
    await server.status;
  }
}

async function usage(port: number): Promise<{ memoryMb: number; cpuMs: number }> {
  return await (await fetch(`http://127.0.0.1:${port}/usage`)).json();
}

async function run16(port: number, requests: string[]): Promise<LoadResult> {
  const load = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${import.meta.dirname}/load.ts`, String(port), "16", "6"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = load.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(requests)));
  await writer.close();
  return JSON.parse(new TextDecoder().decode((await load.output()).stdout));
}

function misspelt(word: string): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  return `${word.slice(0, at)}x${word.slice(at + 1)}`;
}

function share(part: number, whole: number): string {
  return `${(part / 1e6).toFixed(1)} MB (${(100 * part / whole).toFixed(1)} %)`;
}
