/**
 * What must hold of releases, whatever died in the middle of them: all of their documents have gone out or
 * none, each once, and nothing that was typed is lost.
 *
 * @module
 */
import { isOpenRelease, type ReleaseState } from "../../../kv/model/entities/release.ts";
import { findJob } from "../../../kv/jobs/jobs.ts";
import { isFinished } from "../../../kv/jobs/job.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { State } from "../../../kv/model/entities/entity.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { laidOver } from "../../../kv/model/entities/working_copy.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import type { Past } from "../../support/harness/history_model.ts";
import type { HistoryFixture } from "./history_fixture.ts";

/** Versions that were counted, by site. */
const counted = new WeakMap<HistoryFixture, Set<string>>();

function countOnce(fixture: HistoryFixture, what: string, vid: string): void {
  const known = counted.get(fixture) ?? new Set();
  counted.set(fixture, known);
  if (!known.has(vid)) fixture.count(what);
  known.add(vid);
}

/** Checks all releases, and what they have made of their documents. */
export async function checkReleases(fixture: HistoryFixture): Promise<void> {
  const { model, context } = fixture;
  const taken = new Map<string, string>();
  const busy = new Set<string>();
  for (const past of fixture.pasts("release")) {
    const state = model.newest(past).state as unknown as ReleaseState | null;
    await checkVersions(fixture, past);
    if (state === null) continue;
    if (state.jobId !== null) busy.add(state.jobId);
    assertEquals(state.state === "scheduled", state.publishAt !== null, past.id);
    if (state.state === "publishing") assert(state.jobId !== null, past.id);
    if (!isOpenRelease(state)) continue;
    for (const { documentId } of state.documents) {
      assertEquals(taken.get(documentId) ?? past.id, past.id, `${documentId} is in two releases`);
      taken.set(documentId, past.id);
    }
  }
  for (const jobId of busy) {
    const job = await findJob(context.store, jobId);
    assert(job !== null && !isFinished(job.state), `nobody works on a release: ${job?.error}`);
  }
  const parts = await context.store.listAll({ prefix: ["release_part"] });
  for (const { key } of parts) assert(busy.has(key[1] as string), "a part belongs to no job");
}

/** Every version that says "published" tells of what was done, to all documents. */
async function checkVersions(fixture: HistoryFixture, past: Past): Promise<void> {
  await Promise.resolve();
  for (const [index, { vid, state: found }] of past.versions.entries()) {
    const state = found as unknown as ReleaseState | null;
    const before = past.versions[index - 1]?.state as unknown as ReleaseState | null | undefined;
    if (state?.state === "reverted" && before?.state === "published") {
      countOnce(fixture, "releases reverted", vid);
    }
    if (state?.state !== "published" || before?.state !== "publishing") continue;
    countOnce(fixture, "releases published", vid);
    for (const { documentId, action, before: from, after, left } of state.documents) {
      assert(from !== undefined && after !== undefined, `${documentId} was forgotten`);
      if (left !== undefined || from === after) continue;
      assertEquals(after, from + 1, "what was checked is what has gone out, in one version");
      const document = fixture.model.all.get(`document ${documentId}`)!;
      const [was, is] = [from, after].map((n) =>
        document.versions[n - 1]!.state as unknown as DocumentState
      );
      assertEquals(is!.status, action === "publish" ? "published" : "draft");
      if (action !== "publish") continue;
      assertEquals(contentOf(laidOver(is!)), contentOf(laidOver(was!)), "nothing typed is lost");
      const begun = past.versions[index - 1]!.at;
      const checked = checkedBy(document, begun).map((one) => checkedContent(one, was!));
      const isChecked = checked.some((one) => sameJson(one, contentOf(is!)));
      assert(isChecked, `${documentId} went out as nobody had checked it`);
    }
  }
}

/**
 * What a release can have checked: what was there when its publication began, or came in that second. No tombstone:
 * the document may have been restored from one in that second, and then was added.
 */
function checkedBy({ versions }: Past, begun: number): DocumentState[] {
  const first = Math.max(0, versions.findLastIndex(({ at }) => at < begun));
  return versions.slice(first).filter(({ at, state }) => at <= begun && state !== null)
    .map(({ state }) => state as unknown as DocumentState);
}

/** What was checked, with what others have published of the document since. */
function checkedContent(checked: DocumentState, now: DocumentState): State {
  const content = contentOf(laidOver(checked));
  if (checked.status !== "published") return content;
  const [then, since] = [contentOf(checked), contentOf(now)];
  for (const key of Object.keys({ ...then, ...since })) {
    if (sameJson(then[key] ?? null, since[key] ?? null)) continue;
    if (since[key] === undefined) delete content[key];
    else content[key] = since[key];
  }
  return content;
}

function contentOf({ title, slug, data, blocks }: DocumentState): State {
  return { ...data, title, slug, blocks };
}
