/**
 * Restoring entities whose writes all check one version key: the schema, people, settings. They are few, and
 * valid only together, so each commit is decided by all of them.
 *
 * @module
 */
import { refuseHeldKey } from "../../versioning/import_lock.ts";
import { readAccess } from "../../people/access.ts";
import { isReachable } from "../../people/sign_in_ways.ts";
import { stageAccountNotices } from "../../people/account_notices.ts";
import { type VersionRow, versionState } from "../../versioning/entities.ts";
import { accessKey, groupKeys, versionKey } from "../../keys.ts";
import type { Entry } from "../../store/operation.ts";
import type { EntityGroup } from "../../model/entities/entity_kinds.ts";
import { forEachConcurrent } from "../../store/concurrency.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import {
  countChanged,
  countSkipped,
  noCounts,
  type PlannedRun,
  type RestoreCounts,
  restorer,
  type RestoreRun,
  restoreSummary,
} from "./restore_run.ts";
import type { PastState } from "./state_at_instant.ts";
import { type PlannedEntity, planOf, READ_AT_ONCE } from "./group_plan.ts";
import { accessFrom, accessOf, keepReachable, plannedOf, rulesOf } from "./plan_rules.ts";

/** Entities of one commit: each takes four of its mutations. */
const SAVES_PER_COMMIT = 150;
/** Bytes from which a commit takes no more: well below what it may have. */
const COMMIT_BYTES = 400_000;

/** Restores a group and returns the outcome; run again, it continues where it was interrupted. */
export async function restoreGroup(run: RestoreRun, group: EntityGroup): Promise<RestoreCounts> {
  const known = new Map<string, PastState>();
  for (;;) {
    const { pending, plan } = await versionedWrite(
      run.context,
      restorer(run),
      (transaction) => restoreSome(transaction, run, group, known),
    );
    if (pending === 0) return await countsOf(run, plan);
  }
}

async function restoreSome(
  transaction: Transaction,
  run: RestoreRun,
  group: EntityGroup,
  known: Map<string, PastState>,
): Promise<{ pending: number; plan: PlannedEntity[] }> {
  const isSettings = group === "settings";
  if (isSettings) await transaction.peek(groupKeys[group], accessKey);
  await refuseHeldKey(transaction, await transaction.get(groupKeys[group]));
  // The commit fails if an administrator loses their last way in first.
  if (isSettings) await transaction.get(accessKey);
  const [plan, access] = await Promise.all([
    planOf(run, group, known),
    isSettings ? readAccess(run.context) : null,
  ]);
  if (access !== null) keepReachable(plan, run, access);
  const pending = plan.filter(({ changed, skipped, after, head }) =>
    !changed && skipped === undefined && (after !== null || head.state !== null)
  );
  const summary = restoreSummary(run);
  let saved = 0;
  for (const { type, id, head, after } of pending) {
    if (saved === SAVES_PER_COMMIT || transaction.operation.bytes > COMMIT_BYTES) break;
    transaction.save(type, id, head, after, { summary });
    saved += 1;
  }
  if (group === "access") stageNotices(transaction, plan, new Set(pending.slice(0, saved)));
  return { pending: pending.length, plan };
}

/** Tells users whose address, password or roles this commit changes. */
function stageNotices(
  { operation, context }: Transaction,
  plan: readonly PlannedEntity[],
  saved: ReadonlySet<PlannedEntity>,
): void {
  const before = accessFrom(plan, ({ head }) => head.state);
  const after = accessFrom(plan, (one) => saved.has(one) ? one.after : one.head.state);
  stageAccountNotices(operation, context, { before, after, userIds: before.users.keys() });
}

async function countsOf(run: RestoreRun, plan: PlannedEntity[]): Promise<RestoreCounts> {
  const counts = noCounts();
  for (const { type, id, changed, skipped } of plan) {
    if (!changed && skipped !== undefined) countSkipped(counts, type, id, skipped);
  }
  const changed = plan.filter((planned) => planned.changed);
  await forEachConcurrent(changed, READ_AT_ONCE, ({ type, head }) => {
    return countChanged(run, counts, type, head.entry);
  });
  await noteUsersBack(run, counts, changed);
  return counts;
}

/** Names the users whom this restore has brought back: they can sign in again. */
async function noteUsersBack(
  run: RestoreRun,
  counts: RestoreCounts,
  changed: readonly PlannedEntity[],
): Promise<void> {
  const back: { id: string; name: string }[] = [];
  for (const { id, head } of plannedOf(changed, "user")) {
    const n = head.row?.n ?? 0;
    if (head.state === null || n < 2) continue;
    const [before, newest] = await run.context.store.getMany([
      versionKey("user", id, n - 1),
      versionKey("user", id, n),
    ]) as [Entry<VersionRow>, Entry<VersionRow>];
    const isOwn = newest.value?.summary?.startsWith(restorer(run).via) ?? false;
    const wasGone = before.value === null ||
      await versionState(run.context, "user", id, before.value) === null;
    if (isOwn && wasGone) back.push({ id, name: head.state.displayName });
  }
  if (back.length > 0) counts.validAgain = back.sort((a, b) => a.id < b.id ? -1 : 1);
}

/** Whether an administrator who can sign in would be left. */
export async function leavesAnAdministrator(run: PlannedRun): Promise<boolean> {
  const [people, settings] = await Promise.all([
    planOf(run, "access", new Map()),
    planOf(run, "settings", new Map()),
  ]);
  return isReachable(rulesOf(run, settings), accessOf(people));
}
