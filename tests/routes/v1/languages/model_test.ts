/** Lists in languages against a naive reading of every document, through random writes, merges and two processes. */
import { compactCollection } from "../../../../kv/index/segments/compaction.ts";
import { readIndexRows } from "../../../../kv/documents/rows.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { inLanguage, type LanguageView } from "../../../../kv/model/languages/in_language.ts";
import { seededRandom } from "../../../support/seeded_random.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { type Multilingual, multilingual, paragraph } from "../../../support/sites/multilingual.ts";

const WORDS = ["ash", "birch", "cedar", "elm", "fir", ""];
const CODES = ["en", "fr", "fr-CA", "de", "ar"];
const FALLBACKS: { [code: string]: string[] } = { fr: ["en"], "fr-CA": ["fr", "en"], ar: ["en"] };

interface Draw {
  (below: number): number;
}

/** One random change of a document or one of its translations. */
async function change(test: Multilingual, draw: Draw, ids: string[]): Promise<void> {
  const word = () => WORDS[draw(WORDS.length)]!;
  const status = () => ["draft", "published"][draw(2)]!;
  const values = (): Record<string, Json> => ({
    ...(draw(2) === 0 && { summary: word() }),
    ...(draw(3) === 0 && { tags: [["a"], ["b", "a"], []][draw(3)]! }),
  });
  const id = ids[draw(ids.length)];
  if (id === undefined || draw(4) === 0) {
    const original = draw(3) === 0 ? { _language: CODES[1 + draw(4)]! } : {};
    const body = {
      title: `${word()}${draw(9)}`,
      body: paragraph("B"),
      rating: draw(5),
      ...original,
    };
    ids.push((await test.post({ ...body, ...values(), status: status() })).id);
    return;
  }
  const code = CODES[draw(CODES.length)]!;
  const kind = draw(8);
  if (kind < 4) {
    await test.v1("PATCH", `/posts/${id}/translations/${code}`, {
      body: { title: `${word()}${draw(9)}`, body: paragraph("T"), ...values() },
    });
  } else if (kind === 4) await test.admin("POST", `/documents/${id}/translations/${code}/publish`);
  else if (kind === 5) await test.admin("POST", `/documents/${id}/translations/${code}/unpublish`);
  else if (kind === 6) {
    await test.v1("PATCH", `/posts/${id}`, { body: { ...values(), rating: draw(5) } });
  } else await test.v1("DELETE", `/posts/${id}/translations/${code}`);
}

/** What a list is asked for. */
interface Asked {
  sort: "title" | "summary" | "rating";
  descending: boolean;
  collation: string | null;
  summary: string | null;
  tag: string | null;
}

/** The documents that a list has, worked out from the documents themselves. */
async function expected(
  test: Multilingual,
  ids: readonly string[],
  view: LanguageView,
  { sort, descending, collation, summary, tag }: Asked,
): Promise<{ ids: string[]; tags: Record<string, number> }> {
  const collection = (await test.deps.content.schema.current()).bySlug.get("posts")!;
  const keyOf = (wanted: string) => collection.fields.find(({ name }) => name === wanted)!.key;
  const tagsOf = ({ data }: DocumentState) => (data[keyOf("tags")] ?? []) as string[];
  const shown: DocumentState[] = [];
  for (const id of ids) {
    const stored = await test.deps.reader.find(id);
    const seen = stored && inLanguage(stored.state, collection, view);
    if (!seen || (!view.seesDrafts && seen.state.status !== "published")) continue;
    if (summary !== null && seen.state.data[keyOf("summary")] !== summary) continue;
    if (tag === null || tagsOf(seen.state).includes(tag)) shown.push(seen.state);
  }
  const sign = descending ? -1 : 1;
  const collator = collation === null ? null : new Intl.Collator(collation);
  const compare = (a: Json, b: Json) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "string" && collator !== null) return sign * collator.compare(a, String(b));
    return a < b ? -sign : a > b ? sign : 0;
  };
  const valueOf = (state: DocumentState): Json =>
    sort === "title" ? state.title : state.data[keyOf(sort)] ?? null;
  shown.sort((a, b) => compare(valueOf(a), valueOf(b)) || sign * (a.id < b.id ? -1 : 1));
  const tags: Record<string, number> = {};
  for (const one of shown.flatMap(tagsOf)) tags[one] = (tags[one] ?? 0) + 1;
  return { ids: shown.map(({ id }) => id), tags };
}

async function check(test: Multilingual, draw: Draw, ids: readonly string[], seed: number) {
  const code = CODES[draw(CODES.length)]!;
  const mode = ["", "none", "documents", "de,en"][draw(4)]!;
  const seesDrafts = code === "ar" || draw(2) === 0;
  const known = (one: string) => seesDrafts || one !== "ar";
  const chain = mode === "none"
    ? []
    : mode === "de,en"
    ? ["de", "en"].filter((one) => one !== code)
    : (FALLBACKS[code] ?? []).filter(known);
  const view: LanguageView = {
    code,
    chain,
    fills: mode !== "none",
    substitutes: mode === "documents",
    seesDrafts,
    seesWorkingCopies: false,
  };
  const asked: Asked = {
    sort: (["title", "summary", "rating"] as const)[draw(3)] ?? "title",
    descending: draw(2) === 0,
    collation: draw(3) === 0 ? "de" : null,
    summary: draw(4) === 0 ? WORDS[draw(WORDS.length - 1)]! : null,
    tag: draw(4) === 0 ? "a" : null,
  };
  const query = new URLSearchParams({
    language: code,
    sort: `${asked.descending ? "-" : ""}${asked.sort}`,
    facets: "tags",
  });
  if (mode !== "") query.set("fallback", mode);
  if (asked.collation !== null) query.set("collate", asked.collation);
  if (asked.summary !== null) query.set("field.summary", asked.summary);
  if (asked.tag !== null) query.set("field.tags", asked.tag);
  const token = seesDrafts ? test.full : test.reader;
  const wanted = await expected(test, ids, view, asked);
  query.set("perPage", String(1 + draw(20)));
  const isWalked = draw(2) === 0;
  const found: string[] = [];
  for (let page = 1, cursor = "";; page++) {
    const place = isWalked ? `cursor=${cursor}` : `page=${page}`;
    const answer = await test.v1("GET", `/posts?${query}&${place}`, { token });
    assertEquals(answer.status, 200, answer.text);
    const { data, meta } = answer.json;
    found.push(...data.map(({ id }: { id: string }) => id));
    assertEquals(meta.total, wanted.ids.length, `seed ${seed}: ${query} drafts ${seesDrafts}`);
    const facet: { value: string; count: number }[] = meta.facets.tags;
    const tags = Object.fromEntries(facet.map(({ value, count }) => [value, count]));
    assertEquals(tags, wanted.tags, `seed ${seed}: ${query} drafts ${seesDrafts}`);
    if (isWalked ? meta.nextCursor === null : found.length >= wanted.ids.length) break;
    cursor = meta.nextCursor;
  }
  assertEquals(found, wanted.ids, `seed ${seed}: ${query} drafts ${seesDrafts}`);
}

for (const seed of [1, 2, 3]) {
  Deno.test(`lists in languages are what a naive reading says, seed ${seed}`, async () => {
    await using test = await multilingual();
    const random = seededRandom(seed);
    const draw: Draw = (below) => Math.floor(random() * below);
    const { context } = test;
    const ids: string[] = [];
    const other = secondApp(context);
    for (let step = 0; step < 120; step++) {
      await change(test, draw, ids);
      if (draw(12) === 0) {
        const collection = (await test.deps.content.schema.current()).bySlug.get("posts")!;
        await compactCollection(context.store, collection, {
          loadRows: (of, wanted) => readIndexRows(context, of, wanted),
          deltaRowsMin: 1,
        });
      }
      if (draw(3) === 0) await check(test, draw, ids, seed);
    }
    // A process that has seen nothing of it reads the same from the store.
    const v1: Multilingual["v1"] = (method, path, call = {}) =>
      callApp(other.app, method, `/api/v1${path}`, { token: test.full, ...call });
    for (let look = 0; look < 5; look++) {
      await check({ ...test, v1, deps: other.deps }, draw, ids, seed);
    }
  });
}
