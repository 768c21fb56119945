/**
 * What groups add to the rule of a site-wide restore that every entity goes back to what it was.
 *
 * @module
 */
import {
  Access,
  currentRole,
  type Grant,
  isAdministratorRole,
  type Role,
  type User,
} from "../../model/access.ts";
import type { EntityGroup } from "../../model/entity_kinds.ts";
import type { Planned } from "./group_plan.ts";
import type { RestoreRun } from "./restore_run.ts";

type AdjustPlan = (plan: Planned[], run: RestoreRun) => void;

/** The groups that have rules of their own. */
export const ADJUST_PLAN: { readonly [group in EntityGroup]?: AdjustPlan } = {
  schema: withoutUnfinished,
  access: adjustAccess,
};

/** Nothing comes back half built: unique values are reserved anew, and no migration runs any more. */
function withoutUnfinished(plan: Planned[]): void {
  for (const { type, after, changed } of plan) {
    if (type !== "field_definition" || after === null || changed) continue;
    delete after.uniqueBuilding;
    delete after.migrating;
  }
}

/**
 * What is built in stays; a user who is there keeps their present password and sessions; who asked
 * for the restore stays an administrator.
 */
function adjustAccess(plan: Planned[], run: RestoreRun): void {
  for (const planned of plan) {
    const isBuiltIn = planned.type === "permission" ||
      (planned.type === "role" && planned.head.state?.builtIn === true);
    if (isBuiltIn && planned.after === null && planned.head.state !== null) stay(planned);
    if (planned.type === "user" && planned.after !== null && planned.head.state !== null) {
      const { passwordHash, passwordId } = planned.head.state;
      planned.after = { ...planned.after, passwordHash, passwordId };
    }
  }
  keepRequester(plan, run);
  dropBrokenGrants(plan);
}

/** Leaves an entity as it stands, because others need it. */
function stay(planned: Planned): void {
  if (planned.changed || planned.skipped !== undefined) return;
  planned.skipped = "needed";
  planned.after = planned.head.state;
}

/** Keeps the user who asked, and what makes them an administrator now, where the instant knew neither. */
function keepRequester(plan: Planned[], { userId }: RestoreRun): void {
  if (userId === null) return;
  const user = plan.find(({ type, id }) => type === "user" && id === userId);
  if (user?.head.state == null) return;
  if (user.after === null) stay(user);
  if (accessOf(plan).authorityOf(userId).administrator) return;
  for (const grant of plan) {
    const state = grant.type === "user_role" ? grant.head.state : null;
    if (state?.userId !== userId) continue;
    const role = plan.find(({ type, id }) => type === "role" && id === state.roleId);
    if (role?.type !== "role" || role.head.state === null) continue;
    if (!isAdministratorRole(role.head.state)) continue;
    stay(grant);
    if (role.after === null) stay(role);
  }
}

/** A role that is granted must be there, and so must the user. */
function dropBrokenGrants(plan: Planned[]): void {
  const { users, roles } = accessOf(plan);
  for (const planned of plan) {
    const grant = planned.type === "user_role" ? planned.after : null;
    if (grant === null || planned.changed || planned.skipped !== undefined) continue;
    if (!users.has(grant.userId) || !roles.has(grant.roleId)) planned.after = null;
  }
}

/** Users, roles and grants as the plan leaves them. */
export function accessOf(plan: Planned[]): Access {
  const users = new Map<string, User>();
  const roles = new Map<string, Role>();
  const grants = new Map<string, Grant>();
  for (const { type, id, after } of plan) {
    if (after === null) continue;
    if (type === "user") users.set(id, after);
    if (type === "role") roles.set(id, currentRole(after));
    if (type === "user_role") grants.set(id, after);
  }
  return new Access(users, roles, grants);
}
