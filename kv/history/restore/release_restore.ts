/**
 * Restoring releases. It never changes a document: what is restored is the plan. A time that has passed,
 * and work that was under way, bring back an open release.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import { UNATTENDED } from "../../model/entities/entity.ts";
import { isOpenRelease, type ReleaseState } from "../../model/entities/release.ts";
import { stageReleaseSchedule } from "../../releases/release_schedule.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import { readOpenReleases } from "../../versioning/open_releases.ts";
import { beginWrite, refuseMany, refuseTaken, refuseUnderWay } from "../../releases/releases.ts";
import type { StageRestore } from "./restoring.ts";

/** Why a restored release is another than its version says. */
const LAPSED = "its time had passed, or it was under way, so it is open";

/** Puts a release back, or removes it again; refuses while it is under way, and taken documents. */
export const stageReleaseRestore: StageRestore<"release"> = async (
  transaction,
  _restoring,
  { id, state },
  options,
) => {
  await beginWrite(transaction);
  const head = await transaction.head("release", id);
  const before = head.state;
  if (before !== null) refuseUnderWay(before);
  const after = state === null ? null : settledRelease(state, transaction.at);
  if (after !== null && isOpenRelease(after)) {
    const open = await readOpenReleases(transaction.context);
    refuseTaken(open, id, after.documents);
    if (before === null || !isOpenRelease(before)) await refuseMany(transaction);
  }
  const isOther = state !== null && after?.state !== state.state;
  const summary = isOther ? `${options.summary}; ${LAPSED}` : options.summary;
  transaction.save("release", id, head, after, { ...options, ...(summary && { summary }) });
  stageReleaseSchedule(transaction.operation, transaction.context, id, before, after);
};

/** Frees a release that was being published when its backup was made. */
export async function settleImportedRelease({ context }: Content, id: string): Promise<void> {
  await versionedWrite(context, UNATTENDED, async (transaction) => {
    await beginWrite(transaction);
    const head = await transaction.head("release", id);
    if (head.state === null || head.state.jobId === null) return;
    const summary = "It was being published when the backup was made";
    const state = settledRelease(head.state, transaction.at);
    transaction.save("release", id, head, state, { summary });
  });
}

/** A release as a restore, or an import, may bring it back: nothing works on it, and its time is to come. */
function settledRelease(state: ReleaseState, at: number): ReleaseState {
  const isLapsed = state.state === "scheduled" && (state.publishAt ?? 0) <= at;
  if (isLapsed || state.state === "publishing") {
    return { ...state, state: "open", publishAt: null, jobId: null };
  }
  return { ...state, jobId: null };
}
