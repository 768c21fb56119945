/**
 * Restoring entities whose writes all check one version key: the schema, people, settings. They are few, and
 * valid only together, so each commit is decided by all of them.
 *
 * @module
 */
import { type Head, type LiveRow, readHead } from "../../entities.ts";
import { refuseHeldKey } from "../../backup/import_lock.ts";
import { type Key, livePrefix } from "../../keys.ts";
import type { EntityType, State } from "../../model/entity.ts";
import type { Entry } from "../../store/operation.ts";
import { type Transaction, versionedWrite } from "../../versioned_write.ts";
import {
  countChanged,
  countSkipped,
  isChangedSince,
  noCounts,
  type Reason,
  type RestoreCounts,
  restorer,
  type RestoreRun,
  restoreSummary,
} from "./restore_run.ts";
import { type PastState, stateAtInstant } from "./state_at_instant.ts";

/** Entities of one commit: each takes four of its mutations. */
const SAVES_PER_COMMIT = 150;
/** Bytes from which a commit takes no more: well below what it may have. */
const COMMIT_BYTES = 400_000;

/** An entity of a group, and what is to become of it. */
export interface Planned {
  type: EntityType;
  id: string;
  head: Head;
  /** Written since the request. */
  changed: boolean;
  /** Null where it is not to be. */
  after: State | null;
  /** Set when it stays as it stands. */
  skipped?: Reason;
}

/** Entities whose writes all check one version key. */
export interface EntityGroup {
  versionKey: Key;
  types: readonly EntityType[];
  /** What only one entity may be called at a time; null when it has no such name. */
  nameOf: (type: EntityType, state: State) => string | null;
  /** Changes the plan where the group has rules of its own. */
  adjust?: (plan: Planned[], run: RestoreRun) => void;
}

/** Restores a group and answers what became of it; run again, it goes on where it was cut off. */
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
): Promise<{ pending: number; plan: Planned[] }> {
  await refuseHeldKey(transaction, await transaction.get(group.versionKey));
  const plan = await planOf(run, group, known);
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
  if (saved > 0) transaction.operation.touch(group.versionKey);
  return { pending: pending.length, plan };
}

/** Every entity of a group and what is to become of it; `known` are states that were looked up before. */
export async function planOf(
  run: RestoreRun,
  group: EntityGroup,
  known: Map<string, PastState>,
): Promise<Planned[]> {
  const plan = await readPlan(run, group, known);
  group.adjust?.(plan, run);
  skipTaken(plan, group);
  return plan;
}

async function readPlan(
  run: RestoreRun,
  { types }: EntityGroup,
  known: Map<string, PastState>,
): Promise<Planned[]> {
  const { context, timeline, timestamp } = run;
  const plan: Planned[] = [];
  for (const type of types) {
    for await (const entry of context.store.list<LiveRow>({ prefix: livePrefix(type) })) {
      const id = entry.key.at(-1) as string;
      const head = await readHead(context, type, id, entry.key, entry as Entry<LiveRow>);
      const changed = isChangedSince(run, head.entry);
      const planned: Planned = { type, id, head, changed, after: head.state };
      plan.push(planned);
      if (changed) continue;
      const then = known.get(id) ??
        await stateAtInstant(context, timeline, { type, id, head }, timestamp);
      known.set(id, then);
      if (then.kind === "pruned") planned.skipped = "pruned";
      else planned.after = then.kind === "there" ? then.state : null;
    }
  }
  return plan;
}

/** What stays as it stands keeps its name: whatever would need that name stays as it is, too. */
function skipTaken(plan: Planned[], { nameOf }: EntityGroup): void {
  const name = (type: EntityType, state: State | null) => state && nameOf(type, state);
  const held = new Set<string | null>();
  for (const { type, head, changed, skipped } of plan) {
    if (changed || skipped !== undefined) held.add(name(type, head.state));
  }
  held.delete(null);
  for (let again = true; again;) {
    again = false;
    for (const planned of plan) {
      const { type, head, changed, skipped, after } = planned;
      const wanted = name(type, after);
      if (changed || skipped !== undefined || wanted === null || !held.has(wanted)) continue;
      planned.skipped = "taken";
      const present = name(type, head.state);
      if (present !== null) held.add(present);
      again = true;
    }
  }
}

async function countsOf(run: RestoreRun, plan: Planned[]): Promise<RestoreCounts> {
  const counts = noCounts();
  for (const { type, id, head, changed, skipped } of plan) {
    if (changed) await countChanged(run, counts, type, head.entry);
    else if (skipped !== undefined) countSkipped(counts, type, id, skipped);
  }
  return counts;
}
