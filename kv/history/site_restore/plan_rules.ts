/**
 * Group rules of a site-wide restore, which supplement the rule that every entity returns to its former state.
 *
 * @module
 */
import { Access, currentRole, isAdministratorRole } from "../../model/entities/access.ts";
import {
  asJson,
  type EntityGroup,
  kindOf,
  type SiteType,
  type StateOf,
  withStays,
} from "../../model/entities/entity_kinds.ts";
import type { Json } from "../../model/entities/entity.ts";
import { findSetting } from "../../model/entities/setting.ts";
import {
  isReachable,
  isSignInRule,
  type SignInRules,
  signInRules,
} from "../../people/sign_in_ways.ts";
import type { PlannedEntity, PlannedOf } from "./group_plan.ts";
import type { PlannedRun } from "./restore_run.ts";

type AdjustPlan = (plan: PlannedEntity[], run: PlannedRun) => void;

/** The groups that have rules of their own. */
const ADJUST_PLAN: { readonly [group in EntityGroup]?: AdjustPlan } = { access: keepAuthority };

/** Applies what the kinds of entities say of a restore of the site, and the rules of their group. */
export function adjustPlan(group: EntityGroup, plan: PlannedEntity[], run: PlannedRun): void {
  for (const planned of plan) adjustEntity(planned);
  ADJUST_PLAN[group]?.(plan, run);
}

function adjustEntity(planned: PlannedOf<SiteType>): void {
  const { isBuiltIn, underWay = [], remember } = kindOf(planned.type);
  const { head: { state: now }, after, changed, last } = planned;
  if (after === null) {
    if (now !== null && isBuiltIn?.(now)) stay(planned);
    return;
  }
  const source = now ?? last;
  const next = source === undefined ? after : withStays(planned.type, after, source);
  planned.after = next;
  if (changed) return;
  for (const key of underWay) delete asJson(next)[key];
  if (remember !== undefined && now !== null) planned.after = remember(next, now);
}

/** The user who requested the restore stays an administrator, and no missing role is granted. */
function keepAuthority(plan: PlannedEntity[], run: PlannedRun): void {
  if (run.keepRevoked) keepDeleted(plan);
  keepRequester(plan, run);
  dropBrokenGrants(plan);
}

/** Leaves users deleted who are deleted now. */
function keepDeleted(plan: PlannedEntity[]): void {
  for (const planned of plannedOf(plan, "user")) {
    const { head, after, changed, skipped } = planned;
    if (changed || skipped !== undefined || head.state !== null || after === null) continue;
    planned.skipped = "revoked";
    planned.after = null;
  }
}

/** The rules of signing in with the settings of a plan. */
export function rulesOf({ context }: PlannedRun, plan: readonly PlannedEntity[]): SignInRules {
  const states = plannedOf(plan, "setting").flatMap(({ after }) => after ?? []);
  const values = new Map(states.map(({ key, value }) => [key, value]));
  const get = <T extends Json>(key: string) =>
    (values.get(key) ?? findSetting(key)?.initial ?? null) as T;
  return signInRules(context, { get });
}

/** Leaves the settings of signing in as they are if no administrator could sign in with those of the plan. */
export function keepReachable(plan: PlannedEntity[], run: PlannedRun, access: Access): void {
  if (isReachable(rulesOf(run, plan), access)) return;
  for (const planned of plannedOf(plan, "setting")) {
    const key = (planned.head.state ?? planned.after)?.key;
    if (typeof key === "string" && isSignInRule(key)) stay(planned);
  }
}

/** The entities of one type. */
export function plannedOf<T extends SiteType>(
  plan: readonly PlannedEntity[],
  type: T,
): PlannedOf<T>[] {
  return plan.filter((planned): planned is PlannedEntity & PlannedOf<T> => planned.type === type);
}

/** Leaves an entity as it stands, because others need it. */
function stay<T extends SiteType>(planned: PlannedOf<T>): void {
  if (planned.changed || planned.skipped !== undefined) return;
  planned.skipped = "needed";
  planned.after = planned.head.state;
}

/** Keeps the user who asked, and what makes them an administrator now, where the instant knew neither. */
function keepRequester(plan: PlannedEntity[], { userId }: PlannedRun): void {
  if (userId === null) return;
  const user = plannedOf(plan, "user").find(({ id }) => id === userId);
  if (user?.head.state == null) return;
  if (user.after === null) stay(user);
  if (accessOf(plan).authorityOf(userId).administrator) return;
  const roles = new Map(plannedOf(plan, "role").map((role) => [role.id, role]));
  for (const grant of plannedOf(plan, "user_role")) {
    if (grant.head.state?.userId !== userId) continue;
    const role = roles.get(grant.head.state.roleId);
    if (role === undefined || role.head.state === null) continue;
    if (!isAdministratorRole(role.head.state)) continue;
    stay(grant);
    if (role.after === null) stay(role);
  }
}

/** A role that is granted must be there, and so must the user. */
function dropBrokenGrants(plan: PlannedEntity[]): void {
  const { users, roles } = accessOf(plan);
  for (const planned of plannedOf(plan, "user_role")) {
    const { after: grant, changed, skipped } = planned;
    if (grant === null || changed || skipped !== undefined) continue;
    if (!users.has(grant.userId) || !roles.has(grant.roleId)) planned.after = null;
  }
}

/** Users, roles and grants as the plan leaves them. */
export function accessOf(plan: readonly PlannedEntity[]): Access {
  return accessFrom(plan, ({ after }) => after);
}

/** Users, roles and grants of a plan, each in the state that `stateOf` answers. */
export function accessFrom(
  plan: readonly PlannedEntity[],
  stateOf: (planned: PlannedEntity) => PlannedEntity["after"],
): Access {
  const statesOf = <T extends SiteType>(type: T) =>
    new Map(
      plannedOf(plan, type).flatMap((planned): [string, StateOf<T>][] => {
        const state = stateOf(planned as unknown as PlannedEntity) as StateOf<T> | null;
        return state === null ? [] : [[planned.id, state]];
      }),
    );
  const roles = statesOf("role");
  for (const [id, role] of roles) roles.set(id, currentRole(role));
  return new Access(statesOf("user"), roles, statesOf("user_role"));
}
