/**
 * Histories written by chance: all kinds of entities changed, deleted, made again and restored over HTTP,
 * the site put back and forth, versions pruned and media swept, with processes that die at the jobs. What the
 * API says of the past is compared with a reference model that forgets nothing, and what it shows after
 * a restore with what it showed then.
 *
 * @module
 */
import { isFinished } from "../../../kv/jobs/job.ts";
import { compactTimeline } from "../../../kv/history/timeline/compaction.ts";
import type { Json, State } from "../../../kv/model/entities/entity.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import {
  asJson,
  ENTITY_TYPES,
  type EntityType,
  SITE_TYPES,
} from "../../../kv/model/entities/entity_kinds.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { laidOver } from "../../../kv/model/entities/working_copy.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import type { Past, PastVersion } from "../../support/harness/history_model.ts";
import { HistoryFixture, shownState, type View } from "./history_fixture.ts";
import { goAndComeBack } from "./history_comebacks.ts";
import { growSome } from "./history_growth.ts";
import { checkLanguages } from "./history_languages.ts";
import { checkReleases } from "./history_releases.ts";
import { checkDiff, checkInstant, checkVersions, checkViewpoints } from "./history_checks.ts";
import { checkSchedules } from "./history_schedules.ts";
import { STEPS } from "./history_steps.ts";
import { checkEditSessions, nameOne, pruneDocuments, typeSome } from "./history_thinning.ts";

const STEPS_COUNT = 60;
const MONTH_SECONDS = 31 * 86_400;

/** Runs one seed; throws when something that must hold does not. Answers how often what has happened. */
export async function simulateHistory(seed: number): Promise<Record<string, number>> {
  await using fixture = await HistoryFixture.open(seed);
  await fixture.remember();
  for (let turn = 0; turn < STEPS_COUNT; turn++) {
    fixture.pass(fixture.one([0, 0, 0, 1, 2, 7]));
    await act(fixture);
    await fixture.model.follow();
    await fixture.remember();
    if (fixture.chance(0.2)) await checkSome(fixture);
  }
  for (let turn = 0; turn < 5; turn++) await checkSome(fixture);
  await checkSchedules(fixture);
  await checkLanguages(fixture);
  for (const past of fixture.model.all.values()) {
    fixture.count(past.type);
  }
  return fixture.counts;
}

async function act(fixture: HistoryFixture): Promise<void> {
  const dice = fixture.number(117);
  if (dice < 72) return await change(fixture);
  if (dice < 77) return await restoreOne(fixture);
  if (dice < 80) return await restoreContent(fixture);
  if (dice < 82) return await changeNothing(fixture);
  if (dice < 84) return await restoreLapsed(fixture);
  if (dice < 88) return await fixture.work();
  if (dice < 91) return await prune(fixture);
  if (dice < 92) return await sweep(fixture);
  if (dice < 95) return await compact(fixture);
  if (dice < 100) return await travel(fixture);
  if (dice >= 114) return await growSome(fixture);
  if (dice >= 110) return await goAndComeBack(fixture);
  if (dice >= 107) return await nameOne(fixture);
  await typeSome(fixture);
  await fixture.model.follow();
  if (fixture.chance(0.7)) await prune(fixture);
}

async function checkSome(fixture: HistoryFixture): Promise<void> {
  const instant = () => fixture.start - 1 + fixture.number(fixture.now - fixture.start + 10);
  await checkInstant(fixture, instant());
  await checkDiff(fixture, instant(), instant());
  await checkVersions(fixture, fixture.one([...fixture.model.all.values()]));
  for (const past of fixture.pasts("document")) await checkViewpoints(fixture, past);
  for (const past of fixture.pasts("document")) await checkEditSessions(fixture, past);
  await checkReleases(fixture);
}

/** A change by a random user; a refused one changes nothing. */
async function change(fixture: HistoryFixture): Promise<void> {
  const step = fixture.one(fixture.one(STEPS));
  const answer = await step(fixture);
  const changed = (await fixture.model.follow()).filter((past) => !wasMarkedInVain(past));
  if (answer.status >= 400) assertEquals(changed.map(nameOf), [], answer.text);
  fixture.count(answer.status >= 400 ? "refused" : "accepted");
  if (answer.json?.jobId !== undefined) await fixture.work();
}

/**
 * Whether all that has happened is that a field was marked as becoming unique, and is as it was since documents
 * share a value: the mark must be in the field's row while values are reserved, and what is there is a version.
 */
function wasMarkedInVain({ type, versions }: Past): boolean {
  const last = versions.length - 1;
  const before = versions.findLastIndex(({ state }, n) =>
    n < last && state?.uniqueBuilding === undefined
  );
  if (type !== "field_definition" || before < 0 || before === last - 1) return false;
  const untimed = ({ state }: PastVersion) => ({ ...state, updatedAt: null });
  return sameJson(untimed(versions[last]!) as Json, untimed(versions[before]!) as Json);
}

/** A document sent back as it was read records no version. */
async function changeNothing(fixture: HistoryFixture): Promise<void> {
  const id = fixture.idOf("document");
  const { status, json } = await fixture.ask("GET", `/documents/${id}`);
  if (status !== 200) return;
  const again = await fixture.ask("PATCH", `/documents/${id}`, json);
  assertEquals((await fixture.model.follow()).map(nameOf), [], again.text);
}

async function prune(fixture: HistoryFixture): Promise<void> {
  const type = fixture.one(SITE_TYPES);
  const keep = { "versions.keep.document": 2, [`versions.keep.${type}`]: 1 + fixture.number(3) };
  await pruneDocuments(fixture, keep["versions.keep.document"]!, async () => {
    const { status, text } = await fixture.ask("PATCH", "/settings", keep);
    assertEquals(status, 200, text);
    assertEquals((await fixture.job("PRUNE")).state, "done");
  });
}

async function sweep(fixture: HistoryFixture): Promise<void> {
  if (fixture.chance(0.5)) fixture.pass(MONTH_SECONDS);
  assertEquals((await fixture.job("SWEEP_MEDIA")).state, "done");
}

async function compact(fixture: HistoryFixture): Promise<void> {
  for (const type of SITE_TYPES) await compactTimeline(fixture.context, type, { eventsMin: 1 });
}

const nameOf = ({ type, id }: Past) => `${type} ${id}`;

/** Restores some version of some entity. */
async function restoreOne(fixture: HistoryFixture): Promise<void> {
  const past = fixture.one(
    fixture.pasts(fixture.one(ENTITY_TYPES.filter((type) => fixture.pasts(type).length > 0))),
  );
  const version = fixture.one(await fixture.model.kept(past));
  const before = past.versions.length;
  const { status, json, text } = await fixture.ask("POST", `/versions/${version.vid}/restore`);
  const changed = await fixture.model.follow();
  if (past.type === "permission") assertEquals(json.error.code, "RESTORE_NOT_SUPPORTED");
  if (status >= 400) {
    // A field whose values are no longer unique is back without being so, and the answer says it.
    if (past.type !== "field_definition") assertEquals(changed.map(nameOf), [], text);
    return fixture.count("refused restores");
  }
  assert(past.versions.length > before, `${nameOf(past)} has no new version`);
  const { state } = fixture.model.newest(past);
  fixture.count("restores");
  const wanted = unlapsed(past.type, version.state, fixture.model.newest(past).at);
  if (wanted !== version.state) fixture.count("lapsed schedules");
  assertEquals(essence(past.type, state), essence(past.type, wanted), nameOf(past));
}

/** A schedule is called off and lapses; then its version comes back, alone or with the whole site. */
async function restoreLapsed(fixture: HistoryFixture): Promise<void> {
  const input = { collection: await fixture.slug(), title: "Soon" };
  const { json: { id } } = await fixture.ask("POST", "/documents", input);
  const schedule = (publishAt: number | null) =>
    fixture.ask("POST", `/documents/${id}/schedule`, { publishAt });
  const { status } = await schedule(fixture.now + 2);
  await fixture.model.follow();
  if (status >= 400) return;
  const past = fixture.model.all.get(`document ${id}`)!;
  const { vid } = fixture.model.newest(past);
  const then = fixture.now;
  fixture.pass(1);
  await schedule(null);
  fixture.pass(3);
  await fixture.settle();
  if (fixture.chance(0.5)) return void await restoreSite(fixture, then, null);
  await fixture.ask("POST", `/versions/${vid}/restore`);
  await fixture.work();
  await fixture.model.follow();
  assertEquals(fixture.model.newest(past).state?.status, "draft", "restoring publishes nothing");
  fixture.count("lapsed schedules");
}

/** A state as it comes back at a time: a restore makes nothing public whose times have passed. */
function unlapsed(type: EntityType, state: State | null, at: number): State | null {
  if (type !== "document" || state === null) return state;
  // A document may be scheduled for no time at all; it waits for ever.
  const isDue = state.status === "scheduled" && state.publishAt !== null &&
    (state.publishAt as number) <= at;
  const isOver = (state.unpublishAt as number | undefined ?? Infinity) <= at;
  const isScheduled = state.status === "scheduled" && !isDue;
  if (isScheduled && isOver) {
    const { unpublishAt: _end, ...rest } = state;
    return rest;
  }
  if (!isDue && !(state.status === "published" && isOver)) return state;
  const { unpublishAt: _end, ...draft } = laidOver(state as unknown as DocumentState);
  return asJson({ ...draft, status: "draft", publishAt: null });
}

/** Restores the content of some version of a document: the status stays, and so may what is public. */
async function restoreContent(fixture: HistoryFixture): Promise<void> {
  const documents = fixture.pasts("document");
  if (documents.length === 0) return;
  const past = fixture.one(documents);
  const version = fixture.one(await fixture.model.kept(past));
  const before = fixture.model.newest(past)!.state;
  const body = fixture.one([{ workingCopy: true }, { content: true }, {
    fields: ["title", "slug"],
  }]);
  const { status, text } = await fixture.ask("POST", `/versions/${version.vid}/restore`, body);
  const changed = await fixture.model.follow();
  if (status >= 400) return assertEquals(changed.map(nameOf), [], text);
  const after = fixture.model.newest(past)!.state!;
  assertEquals(after.status, before!.status, "a restore of the content leaves the status");
  if ("workingCopy" in body) {
    // The version whose tag readers of the original hold is noted once translations have versions of their own.
    const { workingCopy: _before, originalVersion: _was, ...wasPublic } = before!;
    const { workingCopy: copy, originalVersion: _is, ...isPublic } = after;
    // Without unpublished changes, there is nothing left to review.
    if (copy === undefined) delete wasPublic.review;
    assertEquals(isPublic, wasPublic, "a working copy changes nothing public");
  } else assertEquals(after.title, version.state!.title);
  fixture.count("content restores");
}

/** What a restore of one version must bring back, whatever today's schema makes of the rest. */
function essence(type: EntityType, state: State | null): State | null {
  if (state === null) return null;
  if (type === "document") return { title: state.title!, slug: state.slug!, status: state.status! };
  if (type === "field_definition") return { name: state.name!, label: state.label! };
  if (type === "release") return { name: state.name!, description: state.description! };
  return shownState(type, state);
}

/** Puts the site back, and perhaps forth again. */
async function travel(fixture: HistoryFixture): Promise<void> {
  await checkSchedules(fixture);
  const present = await fixture.view();
  const second = fixture.one(fixture.seconds);
  const undoneBy = await restoreSite(fixture, second, fixture.viewAt(second));
  if (undoneBy === null || fixture.chance(0.5)) return;
  fixture.pass(1);
  await restoreSite(fixture, undoneBy.at, undoneBy.whole ? present : null);
}

/** Restores the site to an instant; answers by which instant that is undone, and whether nothing was left. */
async function restoreSite(
  fixture: HistoryFixture,
  instant: number,
  view: View | null,
): Promise<{ at: number; whole: boolean } | null> {
  const { model } = fixture;
  const before = new Map([...model.all].map(([name, past]) => [name, model.newest(past)]));
  const lost = await lostAt(fixture, instant);
  const { status, json, text } = await fixture.ask("POST", "/restore", { timestamp: instant });
  assertEquals(status, 202, text);
  const job = await fixture.finish(json.jobId);
  assert(isFinished(job.state) && job.state === "done", `RESTORE is ${job.state}: ${job.error}`);
  fixture.pass(1);
  await model.follow();
  const left = new Set(
    Object.values(job.results).flatMap((result) =>
      (result as { named?: { type: string; id: string }[] } | null)?.named ?? []
    ).map(({ type, id }) => `${type} ${id}`),
  );
  for (const name of lost) assert(left.has(name), `${name} was pruned, and nobody says so`);
  let hasLapsed = false;
  for (const [name, past] of siteEntities(fixture)) {
    const earlier = before.get(name) ?? null;
    const wanted = left.has(name) ? earlier : model.at(past, instant);
    if (lost.size > 0 && !left.has(name)) continue;
    const then = wanted?.state ?? null;
    const state = left.has(name) ? then : unlapsed(past.type, then, model.newest(past).at);
    hasLapsed ||= state !== then;
    assertRestored(name, past, wanted === null ? null : { ...wanted, state }, earlier, left);
  }
  if (hasLapsed) fixture.count("lapsed schedules");
  fixture.count(left.size === 0 ? "whole journeys" : "journeys with holes");
  if (left.size === 0 && view !== null && !hasLapsed) {
    assertEquals(comparable(await fixture.view()), comparable(view));
  }
  return { at: (job.results.finish as { undoneBy: number }).undoneBy, whole: left.size === 0 };
}

/** The entities that a restore of the site restores. */
function siteEntities({ model }: HistoryFixture): [string, Past][] {
  return [...model.all].filter(([, { type }]) => (SITE_TYPES as string[]).includes(type));
}

/** Entities that were there at an instant in a version that is not kept. */
async function lostAt(fixture: HistoryFixture, instant: number): Promise<Set<string>> {
  const { model } = fixture;
  const lost = new Set<string>();
  for (const [name, past] of siteEntities(fixture)) {
    const then = model.at(past, instant);
    const kept = await model.kept(past);
    if (then !== null && !kept.includes(then)) lost.add(name);
  }
  return lost;
}

function assertRestored(
  name: string,
  past: Past,
  wanted: PastVersion | null,
  before: PastVersion | null,
  left: ReadonlySet<string>,
): void {
  const now = past.versions.at(-1)!;
  const settled = (state: State | null | undefined) => {
    if (state == null) return null;
    const { uniqueBuilding: _building, migrating: _migrating, ...rest } = state;
    return shownState(past.type, rest);
  };
  assertEquals([name, settled(now.state)], [name, settled(wanted?.state)]);
  // Each has one more version, but for what was not there and is not to be.
  const moves = !left.has(name) && (wanted !== null || before?.state != null);
  assertEquals([name, now.n], [name, (before?.n ?? 0) + (moves ? 1 : 0)]);
}

/** What is shown with an entity and no part of its state, or of one that the restore leaves alone. */
const OUTSIDE: ReadonlySet<string> = new Set(["lastUsedAt", "inRelease"]);

/** A view without that. */
function comparable(view: View): Json {
  return JSON.parse(JSON.stringify(view), (key, value) => OUTSIDE.has(key) ? undefined : value);
}
