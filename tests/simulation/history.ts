/**
 * Histories written by chance: all kinds of entities changed, deleted, made again and restored over HTTP,
 * the site put back and forth, versions pruned and media swept, with processes that die at the jobs. What the
 * API says of the past is compared with a naive shadow that forgets nothing, and what it shows after
 * a restore with what it showed then.
 *
 * @module
 */
import { isFinished } from "../../kv/model/job.ts";
import { foldTimeline } from "../../kv/history/timeline/fold.ts";
import { ENTITY_TYPES, type EntityType, type Json, type State } from "../../kv/model/entity.ts";
import { assert, assertEquals } from "../support/assert.ts";
import type { Past, PastVersion } from "../support/history_shadow.ts";
import { HistoryScene, shownState, type View } from "./history_scene.ts";
import { checkDiff, checkInstant, checkVersions } from "./history_checks.ts";
import { STEPS } from "./history_steps.ts";

const STEPS_COUNT = 60;
const MONTH_SECONDS = 31 * 86_400;

/** Runs one seed; throws when something that must hold does not. Answers how often what has happened. */
export async function simulateHistory(seed: number): Promise<Record<string, number>> {
  await using scene = await HistoryScene.open(seed);
  await scene.remember();
  for (let turn = 0; turn < STEPS_COUNT; turn++) {
    scene.pass(scene.one([0, 0, 0, 1, 2, 7]));
    await act(scene);
    await scene.shadow.follow();
    await scene.remember();
    if (scene.chance(0.2)) await checkSome(scene);
  }
  for (let turn = 0; turn < 5; turn++) await checkSome(scene);
  for (const past of scene.shadow.all.values()) {
    scene.count(past.type);
  }
  return scene.tally;
}

async function act(scene: HistoryScene): Promise<void> {
  const dice = scene.number(100);
  if (dice < 72) return await change(scene);
  if (dice < 80) return await restoreOne(scene);
  if (dice < 84) return await changeNothing(scene);
  if (dice < 88) return await scene.work();
  if (dice < 91) return await prune(scene);
  if (dice < 92) return await sweep(scene);
  if (dice < 95) return await fold(scene);
  await travel(scene);
}

async function checkSome(scene: HistoryScene): Promise<void> {
  const instant = () => scene.start - 1 + scene.number(scene.now - scene.start + 10);
  await checkInstant(scene, instant());
  await checkDiff(scene, instant(), instant());
  await checkVersions(scene, scene.one([...scene.shadow.all.values()]));
}

/** A change by somebody; what is refused changes nothing. */
async function change(scene: HistoryScene): Promise<void> {
  const step = scene.one(scene.one(STEPS));
  const answer = await step(scene);
  const changed = await scene.shadow.follow();
  if (answer.status >= 400) assertEquals(changed.map(nameOf), [], answer.text);
  scene.count(answer.status >= 400 ? "refused" : "accepted");
  if (answer.json?.jobId !== undefined) await scene.work();
}

/** A document sent back as it was read records no version. */
async function changeNothing(scene: HistoryScene): Promise<void> {
  const id = scene.idOf("document");
  const { status, json } = await scene.ask("GET", `/documents/${id}`);
  if (status !== 200) return;
  const again = await scene.ask("PATCH", `/documents/${id}`, json);
  assertEquals((await scene.shadow.follow()).map(nameOf), [], again.text);
}

async function prune(scene: HistoryScene): Promise<void> {
  const type = scene.one(ENTITY_TYPES);
  const keep = { [`versions.keep.${type}`]: 1 + scene.number(3) };
  await scene.ask("PATCH", "/settings", { "versions.keep.document": 2, ...keep });
  assertEquals((await scene.job("PRUNE")).state, "done");
}

async function sweep(scene: HistoryScene): Promise<void> {
  if (scene.chance(0.5)) scene.pass(MONTH_SECONDS);
  assertEquals((await scene.job("SWEEP_MEDIA")).state, "done");
}

async function fold(scene: HistoryScene): Promise<void> {
  for (const type of ENTITY_TYPES) await foldTimeline(scene.context, type, { eventsMin: 1 });
}

const nameOf = ({ type, id }: Past) => `${type} ${id}`;

/** Restores some version of some entity. */
async function restoreOne(scene: HistoryScene): Promise<void> {
  const past = scene.one(
    scene.pasts(scene.one(ENTITY_TYPES.filter((type) => scene.pasts(type).length > 0))),
  );
  const version = scene.one(await scene.shadow.kept(past));
  const before = past.versions.length;
  const { status, json, text } = await scene.ask("POST", `/versions/${version.vid}/restore`);
  const changed = await scene.shadow.follow();
  if (past.type === "permission") assertEquals(json.error.code, "RESTORE_NOT_SUPPORTED");
  if (status >= 400) {
    // A field whose values are no longer unique is back without being so, and the answer says it.
    if (past.type !== "field_definition") assertEquals(changed.map(nameOf), [], text);
    return scene.count("refused restores");
  }
  assert(past.versions.length > before, `${nameOf(past)} has no new version`);
  const { state } = scene.shadow.newest(past);
  scene.count("restores");
  assertEquals(essence(past.type, state), essence(past.type, version.state), nameOf(past));
}

/** What a restore of one version must bring back, whatever today's schema makes of the rest. */
function essence(type: EntityType, state: State | null): State | null {
  if (state === null) return null;
  if (type === "document") return { title: state.title!, slug: state.slug!, status: state.status! };
  if (type === "field_definition") return { name: state.name!, label: state.label! };
  return shownState(type, state);
}

/** Puts the site back, and perhaps forth again. */
async function travel(scene: HistoryScene): Promise<void> {
  await scene.settle();
  const present = await scene.view();
  const second = scene.one(scene.seconds);
  const undoneBy = await restoreSite(scene, second, scene.viewAt(second));
  if (undoneBy === null || scene.chance(0.5)) return;
  scene.pass(1);
  await restoreSite(scene, undoneBy.at, undoneBy.whole ? present : null);
}

/** Restores the site to an instant; answers by which instant that is undone, and whether nothing was left. */
async function restoreSite(
  scene: HistoryScene,
  instant: number,
  view: View | null,
): Promise<{ at: number; whole: boolean } | null> {
  const { shadow } = scene;
  const before = new Map([...shadow.all].map(([name, past]) => [name, shadow.newest(past)]));
  const lost = await lostAt(scene, instant);
  const { status, json, text } = await scene.ask("POST", "/restore", { timestamp: instant });
  assertEquals(status, 202, text);
  const job = await scene.finish(json.jobId);
  assert(isFinished(job.state) && job.state === "done", `RESTORE is ${job.state}: ${job.error}`);
  scene.pass(1);
  await shadow.follow();
  const left = new Set(
    Object.values(job.results).flatMap((result) =>
      (result as { named?: { type: string; id: string }[] } | null)?.named ?? []
    ).map(({ type, id }) => `${type} ${id}`),
  );
  for (const name of lost) assert(left.has(name), `${name} was pruned, and nobody says so`);
  for (const [name, past] of shadow.all) {
    const earlier = before.get(name) ?? null;
    const wanted = left.has(name) ? earlier : shadow.at(past, instant);
    if (lost.size === 0 || left.has(name)) assertRestored(name, past, wanted, earlier, left);
  }
  scene.count(left.size === 0 ? "whole journeys" : "journeys with holes");
  if (left.size === 0 && view !== null) {
    assertEquals(comparable(await scene.view()), comparable(view));
  }
  return { at: (job.results.finish as { undoneBy: number }).undoneBy, whole: left.size === 0 };
}

/** Entities that were there at an instant in a version that is not kept. */
async function lostAt({ shadow }: HistoryScene, instant: number): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const [name, past] of shadow.all) {
    const then = shadow.at(past, instant);
    const kept = await shadow.kept(past);
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

/** A view without what is no part of any entity's state. */
function comparable(view: View): Json {
  return JSON.parse(JSON.stringify(view), (key, value) => key === "lastUsedAt" ? null : value);
}
