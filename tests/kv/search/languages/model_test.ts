/**
 * A search in a language finds what a naive scan of that language's texts finds, whatever was written, published and
 * taken off in whichever language before, compacted and rebuilt, by either of two processes.
 *
 * @module
 */
import fc from "fast-check";
import { LANGUAGES as SITE_LANGUAGES } from "../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { inLanguage, publicView } from "../../../../kv/model/languages/in_language.ts";
import { siteLanguages } from "../../../../kv/model/languages/language.ts";
import { changedLanguages, type Translation } from "../../../../kv/model/languages/translation.ts";
import {
  languagePostings,
  languagesShowing,
  postedBelow,
  postingId,
  stageLanguageRemovals,
} from "../../../../kv/search/languages/language_posting.ts";
import { idInLanguage, partsOfSearched } from "../../../../kv/search/languages/searched_id.ts";
import { LANGUAGES } from "../../../../kv/search/search_keys.ts";
import { compactSearch } from "../../../../kv/search/segments/compaction.ts";
import { readManifest } from "../../../../kv/search/segments/manifest.ts";
import { recordPosting } from "../../../../kv/search/segments/posting.ts";
import { stepRebuild } from "../../../../kv/search/segments/rebuild.ts";
import type { LoadedDocument } from "../../../../kv/search/search_index.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { richText, SearchSite } from "../../../support/sites/search_site.ts";
import { seedCount } from "../../../support/harness/whole_run.ts";

const WORDS = ["red", "blue", "green", "amber", "violet"];
const CHAINS: Record<string, string[]> = { en: [], fr: ["en"], ca: ["fr", "en"], de: [] };
const CODES = Object.keys(CHAINS);
const DOCUMENTS = 3;
const SMALL = { fan: 2, smallest: 1 };
const NO_BLOCKS = new Map();

const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 })
  .map((some) => some.join(" "));
const side = fc.record({
  title: words,
  // Every other side has no text of its own, so that much falls back.
  text: fc.option(words, { freq: 1 }),
  isPublic: fc.boolean(),
});
type Side = { title: string; text: string | null; isPublic: boolean };
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      n: fc.nat(DOCUMENTS - 1),
      code: fc.constantFrom(...CODES),
      side: fc.option(side, { freq: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("share" as const),
      n: fc.nat(DOCUMENTS - 1),
      shared: words,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("work" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("compact" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("rebuild" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("begin" as const) }) },
);

Deno.test("a search in a language finds what a naive scan of it finds, whatever happened before", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 30, maxLength: 60 }),
      fc.array(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }), {
        minLength: 4,
        maxLength: 4,
      }),
      async (steps, queries) => {
        using site = await SearchSite.open();
        const world = new World(site);
        for (const [at, one] of steps.entries()) {
          if (one.do === "write") await world.write(one.n, one.code, one.side);
          else if (one.do === "share") await world.share(one.n, one.shared);
          else if (one.do === "work") await world.work();
          else await world.maintain(one.do, at % 2);
          // Before its jobs have run, a search may miss what is new, and never finds what is no longer public.
          for (const code of CODES) {
            await world.assertPublic(code, [WORDS[at % WORDS.length] ?? ""]);
          }
        }
        await world.work();
        const all = [...WORDS.map((word) => [word]), ...queries];
        for (const query of all) {
          for (const code of [...CODES, "*"]) await world.assertSame(code, query);
        }
        while (await compactSearch(world.keyed(0), { pendingMin: 1, sizes: SMALL }));
        await world.maintain("begin", 0);
        while (!await world.maintain("rebuild", 0));
        for (const query of all) {
          for (const code of [...CODES, "*"]) await world.assertSame(code, query);
        }
      },
    ),
    { numRuns: seedCount(25, 60) },
  );
});

Deno.test("a change of a language is posted where it shows through", async () => {
  using site = await SearchSite.open();
  const world = new World(site);
  const side = (title: string, text: string | null) => ({ title, text, isPublic: true });
  await world.write(0, "en", side("red", "blue"));
  await world.write(0, "fr", side("green", "amber"));
  await world.write(0, "ca", side("violet", null));
  await world.work();
  for (const word of WORDS) await world.assertSame("ca", [word]);
  await world.write(0, "fr", side("green", "red"));
  await world.work();
  for (const word of WORDS) await world.assertSame("ca", [word]);
});

Deno.test("the id of a posting leads to the document, and differs by language and kind", () => {
  const id = "01KT1GW6G0SFJ81NJ7EMJBSP12";
  const ids = CODES.flatMap((code) =>
    (["whole", "own"] as const).map((kind) => [postingId(id, code, kind), code, kind] as const)
  );
  assertEquals(new Set(ids.map(([posting]) => posting)).size, ids.length);
  for (const [posting, code, kind] of ids) {
    assertEquals(postingId(posting, code, kind), id);
    assertEquals(posting.slice(0, 10), id.slice(0, 10), "the time is kept");
  }
});

/** Documents in languages, their index, and the jobs that have not run yet. */
class World {
  readonly #site: SearchSite;
  readonly #ids: string[];
  readonly #processes: ReturnType<SearchSite["process"]>[];
  #jobs: { id: string; changed: string[] }[] = [];
  #rebuildId = "";

  constructor(site: SearchSite) {
    this.#site = site;
    this.#processes = [site.process(), site.process()];
    this.#ids = Array.from({ length: DOCUMENTS }, () => site.newId(site.ms));
    Object.assign(this.collection, {
      localized: true,
      [SITE_LANGUAGES]: siteLanguages(
        CODES.map((code) => ({ code, fallback: CHAINS[code] ?? [] })),
      ),
    });
    for (const field of this.collection.fields) if (field.key === "k1") field.localized = true;
  }

  get collection() {
    const [collection] = this.#site.collections;
    assert(collection !== undefined);
    return collection;
  }

  keyed(process: number) {
    const { context } = this.#processes[process] ?? this.#site;
    return { ...context, keys: LANGUAGES };
  }

  /** Writes one language of a document; null takes a translation away, and unpublishes an original. */
  async write(n: number, code: string, side: Side | null): Promise<void> {
    const before = this.#state(n);
    const data = side === null || side.text === null ? {} : { k1: side.text };
    if (code === "en") {
      const { k1: _own, ...shared } = before?.data ?? {};
      const status = side?.isPublic ? "published" as const : "draft" as const;
      const title = side?.title ?? "none";
      const values = { ...shared, ...data };
      await this.#commit(n, before, { ...this.#made(n, before), status, title, data: values });
      return;
    }
    const { [code]: _was, ...others } = before?.translations ?? {};
    const translation: Translation | null = side && {
      title: side.title,
      slug: `${code}-${n}`,
      status: side.isPublic ? "published" : "draft",
      updatedAt: 0,
      publishedAt: null,
      publishAt: null,
      data,
      beside: {},
    };
    const translations = translation === null ? others : { ...others, [code]: translation };
    await this.#commit(n, before, { ...this.#made(n, before), translations });
  }

  /** Writes the value that all languages share. */
  async share(n: number, shared: string): Promise<void> {
    const before = this.#state(n);
    const made = this.#made(n, before);
    await this.#commit(n, before, { ...made, data: { ...made.data, k2: richText(shared) } });
  }

  /** Runs the jobs, as the last step of a publication does. */
  async work(): Promise<void> {
    for (const { id, changed } of this.#jobs) {
      const state = this.#site.documents.get(id);
      if (state === undefined) continue;
      const codes = languagesShowing(this.collection, changed);
      const { store } = this.#site.context;
      for (;;) {
        const manifest = await readManifest(store, LANGUAGES);
        const operation = new Operation();
        for (const one of languagePostings(this.collection, state, NO_BLOCKS, codes)) {
          recordPosting(operation, manifest, one, { keys: LANGUAGES });
        }
        if ((await store.commit(operation)).ok) break;
      }
    }
    this.#jobs = [];
  }

  /** Compacts, or begins a rebuild, or does the next piece of it; true once it is done. */
  async maintain(what: "compact" | "begin" | "rebuild", process: number): Promise<boolean> {
    const context = this.keyed(process);
    if (what === "compact") {
      return await compactSearch(context, { pendingMin: 1, sizes: SMALL });
    }
    if (what === "begin") this.#rebuildId = this.#site.newId(this.#site.ms);
    if (what === "begin" || this.#rebuildId === "") return false;
    const index = {
      builtFor: "schema",
      postingsOf: ({ state }: LoadedDocument) =>
        languagePostings(this.collection, state, NO_BLOCKS),
    };
    const source = this.#site.source(2);
    return (await stepRebuild(context, source, this.#rebuildId, 2, index)).isDone;
  }

  async assertPublic(code: string, query: string[]): Promise<void> {
    for (const { documentId } of await this.#search(code, query)) {
      const state = this.#site.documents.get(documentId);
      assert(state && textIn(state, code, true) !== null, `${documentId} is not public in ${code}`);
    }
  }

  async assertSame(code: string, query: string[]): Promise<void> {
    const found = await this.#search(code, query);
    const languagesOf = (state: DocumentState) =>
      code === "*"
        ? CODES.filter((one) => isMatch(textIn(state, one, false), query))
        : isMatch(textIn(state, code, true), query)
        ? [code]
        : [];
    const expected = [...this.#site.documents.values()]
      .filter((state) => languagesOf(state).length > 0).map(({ id }) => id);
    const what = `${code}: ${query.join(" ")}`;
    assertEquals(found.map(({ documentId }) => documentId).sort(), expected.sort(), what);
    for (const { documentId, collectionId } of found) {
      const state = this.#site.documents.get(documentId);
      const { language = "" } = partsOfSearched(collectionId);
      assert(state && languagesOf(state).includes(language), `${what} in ${language}`);
    }
  }

  async #search(code: string, query: string[]) {
    const { index } = this.#processes[query.length % 2] ?? this.#site;
    const fills = code !== "*";
    const codes = fills ? [code] : CODES;
    const { id } = this.collection;
    const collectionIds = codes.flatMap((one) => [
      idInLanguage(id, one),
      postedBelow(id, one, "whole"),
      postedBelow(id, one, fills ? "filled" : "own"),
    ]);
    const load = (language: string, ids: string[]): LoadedDocument[] =>
      ids.flatMap((id) => {
        const state = this.#site.documents.get(id);
        const view = publicView(language, CHAINS[language] ?? [], { fills });
        const shown = state && inLanguage(state, this.collection, view);
        const collection = { ...this.collection, id: idInLanguage(this.collection.id, language) };
        return shown ? [{ state: shown.state, collection }] : [];
      });
    const request = { collectionIds, page: 1, perPage: 20, exact: true };
    const { hits, total } = await index.search({
      text: query.join(" "),
      ...request,
      inLanguages: { areSeveral: codes.length > 1, load },
    }, await index.open({ languages: true }));
    assertEquals(hits.length, total);
    return hits;
  }

  #state(n: number): DocumentState | null {
    return this.#site.documents.get(this.#ids[n] ?? "") ?? null;
  }

  #made(n: number, before: DocumentState | null): DocumentState {
    const id = this.#ids[n] ?? "";
    return before ?? {
      id,
      collectionId: this.collection.id,
      slug: `d-${n}`,
      title: "none",
      status: "draft",
      createdAt: 0,
      updatedAt: 0,
      publishedAt: null,
      publishAt: null,
      data: {},
      blocks: [],
    };
  }

  async #commit(n: number, before: DocumentState | null, after: DocumentState): Promise<void> {
    const id = this.#ids[n] ?? "";
    const operation = new Operation();
    stageLanguageRemovals(operation, this.collection, before, after);
    await this.#site.context.store.commit(operation);
    this.#site.documents.set(id, after);
    this.#jobs.push({ id, changed: changedLanguages(before, after) });
  }
}

/** The text that readers of a language see, by a reading of its own; null if it is not public. */
function textIn(state: DocumentState, code: string, fills: boolean): string | null {
  const sides = [code, ...fills ? CHAINS[code] ?? [] : []].map((one) => {
    const side = one === "en" ? state : state.translations?.[one];
    return side?.status === "published" ? side : undefined;
  });
  const [own] = sides;
  if (own === undefined) return null;
  const text = sides.find((side) => side?.data.k1 !== undefined)?.data.k1 ?? "";
  const shared = state.data.k2 as { children: { text: string }[] }[] | undefined;
  return [own.title, text, shared?.[0]?.children[0]?.text ?? ""].join(" ");
}

function isMatch(text: string | null, query: readonly string[]): boolean {
  const words = (text ?? "").split(" ");
  return query.every((word) => words.includes(word));
}
