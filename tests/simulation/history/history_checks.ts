/**
 * What the API says of the past, compared with the reference model.
 *
 * @module
 */
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { hasWorkingCopy } from "../../../kv/model/entities/working_copy.ts";
import { type EntityType, SITE_TYPES } from "../../../kv/model/entities/entity_kinds.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import type { Past, PastVersion } from "../../support/harness/history_model.ts";
import { type HistoryFixture, shownState } from "./history_fixture.ts";

/** Readers see the public state of a document, its editors the working copy merged into it. */
export async function checkViewpoints(fixture: HistoryFixture, past: Past): Promise<void> {
  const state = fixture.model.newest(past)?.state ?? null;
  const document = await fixture.ask("GET", `/documents/${past.id}`);
  if (state === null || document.status !== 200) return;
  const copy = (state.workingCopy ?? null) as Record<string, Json> | null;
  if (copy !== null) assertEquals(state.status, "published", "only a published document has one");
  const { title, collection } = document.json;
  const { byId } = await fixture.content.schema.current();
  // Changes of removed fields wait, unseen, for the fields to come back.
  const hasCopy = copy !== null &&
    hasWorkingCopy(state as unknown as DocumentState, byId.get(String(state.collectionId)));
  assertEquals([title, document.json.hasWorkingCopy], [state.title, hasCopy]);
  const laid = await fixture.ask("GET", `/documents/${past.id}/working-copy`);
  if (!hasCopy) assertEquals(laid.status, 404);
  else assertEquals(laid.json.title, copy.title ?? state.title);
  const read = await fixture.v1("GET", `/${collection}/${past.id}`);
  if (state.status === "published") assertEquals([read.status, read.json.title], [200, title]);
  const changed = await fixture.ask("GET", `/documents?workingCopy=true&perPage=100`);
  const isListed = changed.json.data.some(({ id }: { id: string }) => id === past.id);
  assertEquals(isListed, hasCopy, "the filter lists those that have one");
}

/** State-at: counts are exact, samples are true, and what is missing is admitted. */
export async function checkInstant(fixture: HistoryFixture, instant: number): Promise<void> {
  const { model } = fixture;
  const { status, json, text } = await fixture.ask("GET", `/state-at?timestamp=${instant}`);
  assertEquals(status, 200, text);
  let complete = true;
  for (const type of SITE_TYPES) {
    const there = model.thereAt(type, instant);
    const found = json.entities[type];
    assertEquals([type, found.count], [type, there.length]);
    const isKept = await Promise.all(
      there.map(async (past) => (await model.kept(past)).includes(model.at(past, instant)!)),
    );
    const isWhole = isKept.every((kept) => kept);
    complete &&= isWhole;
    assertEquals([type, found.complete ?? true], [type, isWhole]);
    const shown = there.filter((_, index) => isKept[index]);
    if (type !== "setting") assertEquals(found.sample.length, Math.min(5, shown.length), type);
    for (const sample of found.sample) checkSample(fixture, type, sample, shown, instant);
  }
  assertEquals(json.complete ?? true, complete);
}

function checkSample(
  { model }: HistoryFixture,
  type: EntityType,
  sample: Record<string, Json>,
  there: Past[],
  instant: number,
): void {
  if (type === "setting") {
    const keys = there.map((past) => model.at(past, instant)!.state!.key);
    assert(keys.includes(sample.key!) && !String(sample.key).startsWith("secret."));
    return;
  }
  const past = there.find(({ id }) => id === sample.id);
  assert(past !== undefined, `${type} ${sample.id} was not there`);
  const state = model.at(past, instant)!.state!;
  for (const [key, value] of Object.entries(sample)) {
    assertEquals(
      value,
      state[type === "media_metadata" && key === "name" ? "filename" : key],
      type,
    );
  }
}

/** The diff of two instants counts what a naive comparison finds. */
export async function checkDiff(fixture: HistoryFixture, from: number, to: number): Promise<void> {
  const { model } = fixture;
  const { status, json, text } = await fixture.ask("GET", `/state-at/diff?from=${from}&to=${to}`);
  assertEquals(status, 200, text);
  for (const type of SITE_TYPES) {
    const { created, changed, removed } = json.entities[type];
    const pairs = fixture.pasts(type).map((past): [PastVersion | null, PastVersion | null] => [
      model.at(past, from),
      model.at(past, to),
    ]);
    assertEquals([type, created.count, changed.count, removed.count], [
      type,
      pairs.filter(([before, after]) => before === null && after !== null).length,
      pairs.filter(([before, after]) => before && after && before !== after).length,
      pairs.filter(([before, after]) => before !== null && after === null).length,
    ]);
  }
}

/** The versions of an entity: all that are kept, newest first, each as it was, without its secrets. */
export async function checkVersions(fixture: HistoryFixture, past: Past): Promise<void> {
  const { type, id } = past;
  const kept = (await fixture.model.kept(past)).toReversed();
  const list = await fixture.ask("GET", `/versions/${type}/${id}?perPage=3&page=1`);
  assertEquals([list.status, list.json.meta.total], [200, kept.length], list.text);
  assertEquals(
    list.json.data.map((one: Record<string, Json>) => [one.id, one.version_number, one.changed_at]),
    kept.slice(0, 3).map(({ vid, n, at }) => [vid, n, at]),
  );
  const newest = kept[0]!;
  const other = fixture.one(kept);
  const { json, text } = await fixture.ask("GET", `/versions/${other.vid}`);
  assertEquals([json.entity_type, json.entity_id], [type, id], text);
  const shown = (version: PastVersion) => version.state && shownState(type, version.state);
  assertEquals(json.state && shownState(type, json.state), shown(other));
  for (const secret of ["passwordHash", "hash", "previousHash", "secrets"]) {
    assert(!text.includes(`"${secret}":`), `${type} shows its ${secret}`);
  }
  const diff = await fixture.ask("GET", `/versions/${newest.vid}/diff?against=${other.vid}`);
  assertEquals(diff.status, 200, diff.text);
  const [a, b] = [shown(other) ?? {}, shown(newest) ?? {}];
  const differing = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((key) => JSON.stringify(sorted(a[key])) !== JSON.stringify(sorted(b[key])));
  const named = diff.json.changes.map(({ path }: { path: string }) => path.split(".")[0])
    .filter((key: string) => key !== "passwordId");
  assertEquals([...new Set<string>(named)].sort(), differing.sort());
}

/** The same value with its keys in order. */
function sorted(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((one) => sorted(one)!);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.keys(value).sort().map((key) => [key, sorted(value[key])!]),
  );
}
