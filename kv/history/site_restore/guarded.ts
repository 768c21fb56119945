/**
 * Restoring families that a common key guards: the schema, people, settings. They are small, and what they
 * say holds only together, so each commit is decided by all of them.
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
  countYoung,
  emptyTally,
  isYoung,
  leave,
  type Reason,
  restorer,
  restoreSummary,
  type Site,
  type Tally,
} from "./site.ts";
import { stateThen, type Then } from "./then.ts";

/** Entities of one commit: each takes four of its mutations. */
const SAVES_PER_COMMIT = 150;
/** Bytes from which a commit takes no more: well below what it may have. */
const COMMIT_BYTES = 400_000;

/** An entity of a guarded family, and what is to become of it. */
export interface Planned {
  type: EntityType;
  id: string;
  head: Head;
  /** Written after the cut. */
  young: boolean;
  /** Null where it is not to be. */
  after: State | null;
  /** Set when it stays as it stands. */
  left?: Reason;
}

/** A family of entities that one key guards. */
export interface GuardedFamily {
  guard: Key;
  types: readonly EntityType[];
  /** What only one entity may be called at a time; null when it has no such name. */
  nameOf: (type: EntityType, state: State) => string | null;
  /** Changes the plan where the family has rules of its own. */
  adjust?: (plan: Planned[], site: Site) => void;
}

/** Restores a family and answers what became of it; run again, it goes on where it was cut off. */
export async function restoreGuarded(site: Site, family: GuardedFamily): Promise<Tally> {
  const known = new Map<string, Then>();
  for (;;) {
    const { pending, plan } = await versionedWrite(
      site.context,
      restorer(site),
      (transaction) => restoreSome(transaction, site, family, known),
    );
    if (pending === 0) return await tallyOf(site, plan);
  }
}

async function restoreSome(
  transaction: Transaction,
  site: Site,
  family: GuardedFamily,
  known: Map<string, Then>,
): Promise<{ pending: number; plan: Planned[] }> {
  await refuseHeldKey(transaction, await transaction.get(family.guard));
  const plan = await planOf(site, family, known);
  const pending = plan.filter(({ young, left, after, head }) =>
    !young && left === undefined && (after !== null || head.state !== null)
  );
  const summary = restoreSummary(site);
  let saved = 0;
  for (const { type, id, head, after } of pending) {
    if (saved === SAVES_PER_COMMIT || transaction.operation.bytes > COMMIT_BYTES) break;
    transaction.save(type, id, head, after, { summary });
    saved += 1;
  }
  if (saved > 0) transaction.operation.touch(family.guard);
  return { pending: pending.length, plan };
}

/** Every entity of a family and what is to become of it; `known` are states that were looked up before. */
export async function planOf(
  site: Site,
  family: GuardedFamily,
  known: Map<string, Then>,
): Promise<Planned[]> {
  const plan = await readPlan(site, family, known);
  family.adjust?.(plan, site);
  leaveTaken(plan, family);
  return plan;
}

async function readPlan(
  site: Site,
  { types }: GuardedFamily,
  known: Map<string, Then>,
): Promise<Planned[]> {
  const { context, timeline, timestamp } = site;
  const plan: Planned[] = [];
  for (const type of types) {
    for await (const entry of context.store.list<LiveRow>({ prefix: livePrefix(type) })) {
      const id = entry.key.at(-1) as string;
      const head = await readHead(context, type, id, entry.key, entry as Entry<LiveRow>);
      const young = isYoung(site, head.entry);
      const planned: Planned = { type, id, head, young, after: head.state };
      plan.push(planned);
      if (young) continue;
      const then = known.get(id) ??
        await stateThen(context, timeline, { type, id, head }, timestamp);
      known.set(id, then);
      if (then.kind === "pruned") planned.left = "pruned";
      else planned.after = then.kind === "there" ? then.state : null;
    }
  }
  return plan;
}

/** What stays as it stands keeps its name: whoever would need that name stays as he is, too. */
function leaveTaken(plan: Planned[], { nameOf }: GuardedFamily): void {
  const name = (type: EntityType, state: State | null) => state && nameOf(type, state);
  const held = new Set<string | null>();
  for (const { type, head, young, left } of plan) {
    if (young || left !== undefined) held.add(name(type, head.state));
  }
  held.delete(null);
  for (let again = true; again;) {
    again = false;
    for (const planned of plan) {
      const { type, head, young, left, after } = planned;
      const wanted = name(type, after);
      if (young || left !== undefined || wanted === null || !held.has(wanted)) continue;
      planned.left = "taken";
      const present = name(type, head.state);
      if (present !== null) held.add(present);
      again = true;
    }
  }
}

async function tallyOf(site: Site, plan: Planned[]): Promise<Tally> {
  const tally = emptyTally();
  for (const { type, id, head, young, left } of plan) {
    if (young) await countYoung(site, tally, type, head.entry);
    else if (left !== undefined) leave(tally, type, id, left);
  }
  return tally;
}
