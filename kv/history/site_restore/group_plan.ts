/**
 * The plan of a site-wide restore for the entities of a group: decided together, because they are valid only
 * together.
 *
 * @module
 */
import { type CurrentRow, type Head, readHead } from "../../versioning/entities.ts";
import { currentPrefix } from "../../keys.ts";
import {
  type EntityGroup,
  kindOf,
  namesOf,
  type SiteType,
  type StateOf,
  typesOf,
} from "../../model/entities/entity_kinds.ts";
import type { Entry } from "../../store/operation.ts";
import { forEachConcurrent } from "../../store/concurrency.ts";
import { stateBeforeTombstone } from "../restore/lost_states.ts";
import { adjustPlan } from "./plan_rules.ts";
import { isChangedSince, type PlannedRun, type Reason } from "./restore_run.ts";
import { type PastState, stateAtInstant } from "./state_at_instant.ts";

/** Entities of a group that are read together. */
export const READ_AT_ONCE = 32;

/** An entity of a group, and what is to become of it. */
export interface PlannedOf<T extends SiteType> {
  type: T;
  id: string;
  head: Head<T>;
  /** Written since the request. */
  changed: boolean;
  /** Null where it is not to be. */
  after: StateOf<T> | null;
  /** The last state of a deleted entity of a kind with members that stay. */
  last?: StateOf<T>;
  /** Set when it stays as it stands. */
  skipped?: Reason;
}

/** The same, discriminated by its type. */
export type PlannedEntity = { [T in SiteType]: PlannedOf<T> }[SiteType];

/** Every entity of a group and what is to become of it; `known` are states that were looked up before. */
export async function planOf(
  run: PlannedRun,
  group: EntityGroup,
  known: Map<string, PastState>,
): Promise<PlannedEntity[]> {
  const plan = await readPlan(run, group, known);
  adjustPlan(group, plan, run);
  skipTaken(plan);
  return plan;
}

async function readPlan(
  run: PlannedRun,
  group: EntityGroup,
  known: Map<string, PastState>,
): Promise<PlannedEntity[]> {
  const { context: { store } } = run;
  const rows = await Promise.all(
    typesOf(group).map(async (type) => {
      const entries = await Array.fromAsync(
        store.list<CurrentRow>({ prefix: currentPrefix(type) }),
      );
      return entries.map((entry) => ({ type, entry }));
    }),
  );
  const plan: PlannedEntity[] = [];
  await forEachConcurrent(rows.flat().entries(), READ_AT_ONCE, async ([at, { type, entry }]) => {
    plan[at] = await plannedOf(run, known, type, entry);
  });
  return plan;
}

async function plannedOf(
  run: PlannedRun,
  known: Map<string, PastState>,
  type: SiteType,
  entry: Entry<CurrentRow>,
): Promise<PlannedEntity> {
  const { context, timeline, timestamp } = run;
  const id = entry.key.at(-1) as string;
  const head = await readHead(context, type, id, entry.key, entry);
  const changed = isChangedSince(run, head.entry);
  const planned = { type, id, head, changed, after: head.state } as PlannedEntity;
  if (changed) return planned;
  const then = known.get(id) ??
    await stateAtInstant(context, timeline, { type, id, head }, timestamp);
  known.set(id, then);
  if (then.kind === "pruned") planned.skipped = "pruned";
  else planned.after = then.kind === "there" ? then.state as typeof planned.after : null;
  if (planned.after !== null && kindOf(type).stays !== undefined) {
    const last = await stateBeforeTombstone(context, type, id, head.row);
    if (last !== null) planned.last = last as NonNullable<typeof planned.last>;
  }
  return planned;
}

/** An unchanged entity keeps its names: an entity that would need one of them stays unchanged, too. */
function skipTaken(plan: PlannedEntity[]): void {
  const held = new Set<string>();
  const hold = ({ type, head }: PlannedEntity) => {
    for (const name of namesOf(type, head.state)) held.add(name);
  };
  for (const planned of plan) if (planned.changed || planned.skipped !== undefined) hold(planned);
  for (let again = true; again;) {
    again = false;
    for (const planned of plan) {
      if (planned.changed || planned.skipped !== undefined) continue;
      if (!namesOf(planned.type, planned.after).some((name) => held.has(name))) continue;
      planned.skipped = "taken";
      hold(planned);
      again = true;
    }
  }
}
