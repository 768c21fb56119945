/**
 * Random changes to the languages of documents, and the invariants that must hold afterwards.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import type { Answer } from "../../support/sites/app.ts";
import type { HistoryFixture } from "./history_fixture.ts";

/** The languages of the site; the first is that of the originals. */
export const LANGUAGES: Json[] = [
  { code: "en" },
  { code: "fr", fallback: ["en"] },
  { code: "de", gaps: true },
];
const OTHERS = ["fr", "de"];

type Step = (fixture: HistoryFixture) => Promise<Answer>;

/** The path of a translation of some document. */
function translation(fixture: HistoryFixture): string {
  return `/documents/${fixture.idOf("document")}/translations/${fixture.one(OTHERS)}`;
}

const write: Step = (fixture) =>
  fixture.ask("PUT", translation(fixture), {
    title: `Titre ${fixture.number(9)}`,
    ...(fixture.chance(0.5) && { status: "published" }),
  });

/** Steps like those of `history_steps.ts`. */
export const LANGUAGE_STEPS: readonly Step[] = [
  write,
  write,
  write,
  (fixture) => fixture.ask("PATCH", translation(fixture), { title: `Neu ${fixture.number(9)}` }),
  (fixture) => fixture.ask("DELETE", translation(fixture)),
  (fixture) => fixture.ask("POST", `${translation(fixture)}/publish`),
  (fixture) => fixture.ask("POST", `${translation(fixture)}/unpublish`),
  (fixture) =>
    fixture.ask("POST", `${translation(fixture)}/schedule`, {
      publishAt: fixture.chance(0.3) ? null : fixture.now + 1 + fixture.number(5),
    }),
  (fixture) =>
    fixture.ask("PATCH", `${translation(fixture)}/working-copy`, {
      title: `Q${fixture.number(9)}`,
    }),
  (fixture) =>
    fixture.ask("POST", `/documents/${fixture.idOf("document")}/publish`, {
      languages: fixture.chance(0.5) ? "*" : ["en", fixture.one(OTHERS)],
    }),
  (fixture) => fixture.ask("POST", `${translation(fixture)}/accept`),
];

/** The collections that are localized: a restore may have put one back to a time when it was not. */
function localizedCollections(fixture: HistoryFixture): Set<string> {
  const states = fixture.pasts("collection").map((past) => fixture.model.newest(past).state);
  const localized = states.filter((state) => state !== null && state.localized === true);
  return new Set(localized.map((state) => state!.id as string));
}

/**
 * The languages of every document, as its newest version has them. Where its collection is not localized, its
 * translations are kept and not shown.
 */
export async function checkLanguages(fixture: HistoryFixture): Promise<void> {
  const localized = localizedCollections(fixture);
  for (const past of fixture.pasts("document")) {
    const state = fixture.model.newest(past).state as unknown as DocumentState | null;
    const path = `/documents/${past.id}/translations`;
    const { status, json } = await fixture.ask("GET", path);
    if (state === null || status !== 200) continue;
    const shown = new Map<string, { status: string | null; title: string | null }>(
      json.data.map((one: { language: string }) => [one.language, one]),
    );
    assertEquals(shown.get("en")?.status, state.status);
    for (const code of OTHERS) {
      const own = localized.has(state.collectionId) ? state.translations?.[code] : undefined;
      const isOff = ["archived", "trashed"].includes(state.status);
      const expected = own === undefined ? null : isOff ? state.status : own.status;
      assertEquals([past.id, code, shown.get(code)?.status ?? null], [past.id, code, expected]);
      if (own === undefined || isOff) continue;
      fixture.count(`${own.status} translations`);
      const isLate = own.status === "scheduled" && (own.publishAt ?? Infinity) <= fixture.now;
      assert(!isLate, `${past.id} waits in ${code} for ${own.publishAt}, and it is ${fixture.now}`);
    }
  }
}
