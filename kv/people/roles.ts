/**
 * Roles: defining, changing and deleting them. The built-in ones stay as they are.
 *
 * @module
 */
import { ROLES_MAX } from "../limits/people.ts";
import { sameJson } from "../model/values/same_json.ts";
import { stageAccess } from "./access.ts";
import { type Access, type Authority, refuseBeyond, type Role } from "../model/entities/access.ts";
import { type Permission, PERMISSION_NAMES } from "../model/entities/permission.ts";
import type { CollectionRights } from "../model/entities/document_rights.ts";
import type { People } from "./people.ts";
import { Refusal } from "../refusals.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** The name and rights of a role. */
export type RoleInput = Pick<Role, "name" | "permissions"> & {
  collections?: CollectionRights[];
  languages?: string[] | null;
  requireSecondFactor?: boolean;
};

/** All roles, the built-in ones first, then in order of name. */
export function listRoles(access: Access): Role[] {
  return [...access.roles.values()].sort((a, b) =>
    Number(b.builtIn) - Number(a.builtIn) || (a.name < b.name ? -1 : 1)
  );
}

/** The role with this id; refuses with NOT_FOUND. */
export function getRole(access: Access, id: string): Role {
  const role = access.roles.get(id);
  if (role === undefined) throw new Refusal("NOT_FOUND");
  return role;
}

/** Defines a role. */
export async function createRole(
  { context, access }: People,
  authority: Authority,
  input: RoleInput,
): Promise<Role> {
  return await versionedWrite(context, authority, async (transaction) => {
    const current = await access.of(transaction);
    if (current.roles.size >= ROLES_MAX) {
      throw new Refusal("CONFLICT", { about: `a site has at most ${ROLES_MAX} roles` });
    }
    const role: Role = {
      id: transaction.newId(),
      name: input.name,
      permissions: inOrder(input.permissions),
      ...kept(input.collections),
      ...(input.languages && { languages: input.languages }),
      ...(input.requireSecondFactor && requirement(transaction.at)),
      builtIn: false,
      createdAt: transaction.at,
      updatedAt: transaction.at,
    };
    refuseBeyond(authority, [role]);
    await stageAccess(transaction, current, { roles: new Map([[role.id, role]]) });
    return role;
  });
}

/** Changes a role. */
export async function patchRole(
  { context, access }: People,
  authority: Authority,
  id: string,
  patch: Partial<RoleInput>,
): Promise<Role> {
  return await versionedWrite(context, authority, async (transaction) => {
    const current = await access.of(transaction);
    const before = getRole(current, id);
    const { collections, languages, requireSecondFactor, secondFactorSince, ...rest } = before;
    const nextLanguages = patch.languages === undefined ? languages : patch.languages;
    const isRequired = patch.requireSecondFactor ?? requireSecondFactor ?? false;
    const role: Role = {
      ...rest,
      ...kept(patch.collections ?? collections),
      ...(nextLanguages && { languages: nextLanguages }),
      ...(isRequired && requirement(requireSecondFactor && secondFactorSince || transaction.at)),
      name: patch.name ?? before.name,
      permissions: patch.permissions === undefined
        ? before.permissions
        : inOrder(patch.permissions),
    };
    if (sameJson(role, before)) return before;
    if (before.builtIn && !hasSameRights(before, role)) throw builtInStays();
    refuseBeyond(authority, [before, role]);
    role.updatedAt = Math.max(transaction.at, before.updatedAt);
    await stageAccess(transaction, current, { roles: new Map([[id, role]]) });
    return role;
  });
}

/** Deletes a role without users. */
export async function removeRole(
  { context, access }: People,
  authority: Authority,
  id: string,
): Promise<void> {
  await versionedWrite(context, authority, async (transaction) => {
    const current = await access.of(transaction);
    const role = getRole(current, id);
    if (role.builtIn) throw builtInStays();
    refuseBeyond(authority, [role]);
    if ([...current.grants.values()].some(({ roleId }) => roleId === id)) {
      throw new Refusal("CONFLICT", { about: "users still have the role" });
    }
    await stageAccess(transaction, current, { roles: new Map([[id, null]]) });
  });
}

/** An absent list means an empty one. */
function kept(collections: CollectionRights[] = []): Pick<Role, "collections"> {
  return collections.length === 0 ? {} : { collections };
}

function requirement(since: number): Pick<Role, "requireSecondFactor" | "secondFactorSince"> {
  return { requireSecondFactor: true, secondFactorSince: since };
}

/** Whether two states of a role differ at most in whether they require a second factor. */
function hasSameRights(one: Role, other: Role): boolean {
  const withoutRequirement = (
    { requireSecondFactor: _required, secondFactorSince: _since, ...rest }: Role,
  ) => rest;
  return sameJson(withoutRequirement(one), withoutRequirement(other));
}

function builtInStays(): Refusal {
  return new Refusal("CONFLICT", { about: "a built-in role cannot be changed or deleted" });
}

function inOrder(permissions: readonly Permission[]): Permission[] {
  return PERMISSION_NAMES.filter((name) => permissions.includes(name));
}
