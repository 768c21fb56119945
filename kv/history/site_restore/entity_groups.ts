/**
 * The groups of entities that a site-wide restore decides together: the schema, people, settings.
 *
 * @module
 */
import { accessKey, schemaKey, settingsKey } from "../../keys.ts";
import {
  Access,
  currentRole,
  type Grant,
  isAdministratorRole,
  normalizeEmail,
  type Role,
  type User,
} from "../../model/access.ts";
import type { EntityType, State } from "../../model/entity.ts";
import { type EntityGroup, type Planned, planOf } from "./restore_group.ts";
import type { RestoreRun } from "./restore_run.ts";

/** Collections, fields and block definitions. */
export const SCHEMA_GROUP: EntityGroup = {
  versionKey: schemaKey,
  types: ["collection", "field_definition", "block_definition"],
  nameOf: (type, { slug, name, collectionId }) =>
    type === "collection"
      ? `collection ${slug}`
      : type === "field_definition"
      ? `field ${collectionId} ${name}`
      : `block ${name}`,
  adjust: (plan) => {
    // Nothing comes back half built: unique values are reserved anew, and no migration runs any more.
    for (const { after, changed } of plan) {
      if (after === null || changed) continue;
      delete after.uniqueBuilding;
      delete after.migrating;
    }
  },
};

/** Settings, and the packages, whose writes check the same version key. */
export const SETTINGS_GROUP: EntityGroup = {
  versionKey: settingsKey,
  types: ["setting", "theme", "plugin"],
  nameOf: (type, { key, packageId }) => {
    if (type === "setting") return `setting ${key}`;
    return packageId === undefined ? null : `package ${packageId}`;
  },
};

/** Permissions, roles, users and who has which role. */
export const ACCESS_GROUP: EntityGroup = {
  versionKey: accessKey,
  types: ["permission", "role", "user", "user_role"],
  nameOf: accessName,
  adjust: adjustAccess,
};

function accessName(type: EntityType, state: State): string | null {
  switch (type) {
    case "user":
      return `user ${normalizeEmail(state.email as string)}`;
    case "role":
      return `role ${String(state.name).toLowerCase()}`;
    case "user_role":
      return `grant ${state.userId} ${state.roleId}`;
    default:
      return null;
  }
}

/**
 * What is built in stays; a user who is there keeps their present password and sessions; who asked
 * for the restore stays an administrator.
 */
function adjustAccess(plan: Planned[], run: RestoreRun): void {
  for (const planned of plan) {
    const { type, head, after } = planned;
    const isBuiltIn = type === "permission" || (type === "role" && head.state?.builtIn === true);
    if (isBuiltIn && after === null && head.state !== null) stay(planned);
    if (type === "user" && after !== null && head.state !== null) {
      const { passwordHash = null, passwordId = null } = head.state;
      planned.after = { ...after, passwordHash, passwordId };
    }
  }
  keepRequester(plan, run);
  dropBrokenGrants(plan);
}

/** Whether somebody would still be an administrator who can sign in. */
export async function leavesAnAdministrator(run: RestoreRun): Promise<boolean> {
  const plan = await planOf(run, ACCESS_GROUP, new Map());
  return accessOf(plan).administrators().length > 0;
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
    const state = grant.type === "user_role" ? grant.head.state as Grant | null : null;
    if (state?.userId !== userId) continue;
    const role = plan.find(({ type, id }) => type === "role" && id === state.roleId);
    const roleState = role?.head.state as Role | null | undefined;
    if (roleState == null || !isAdministratorRole(roleState)) continue;
    stay(grant);
    if (role!.after === null) stay(role!);
  }
}

/** A role that is granted must be there, and so must the user. */
function dropBrokenGrants(plan: Planned[]): void {
  const { users, roles } = accessOf(plan);
  for (const planned of plan) {
    const grant = planned.type === "user_role" ? planned.after as Grant | null : null;
    if (grant === null || planned.changed || planned.skipped !== undefined) continue;
    if (!users.has(grant.userId) || !roles.has(grant.roleId)) planned.after = null;
  }
}

/** Users, roles and grants as the plan leaves them. */
function accessOf(plan: Planned[]): Access {
  const users = new Map<string, User>();
  const roles = new Map<string, Role>();
  const grants = new Map<string, Grant>();
  for (const { type, id, after } of plan) {
    if (after === null) continue;
    if (type === "user") users.set(id, after as unknown as User);
    if (type === "role") roles.set(id, currentRole(after as unknown as Role));
    if (type === "user_role") grants.set(id, after as unknown as Grant);
  }
  return new Access(users, roles, grants);
}
