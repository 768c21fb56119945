/**
 * Restoring users, roles and grants: to the state of a version, as far as the present can live with it.
 * A user keeps the credentials that they have now, or had last if they were deleted, so no old one works
 * again; a deleted user comes back with the roles of then.
 *
 * @module
 */
import { type AccessChanges, stageAccess } from "../../people/access.ts";
import type { StageRestore } from "./restoring.ts";
import { stateBeforeTombstone, statesLostWith } from "./lost_states.ts";
import { type StateOf, withStays } from "../../model/entities/entity_kinds.ts";
import { type Access, currentRole, type Grant, type User } from "../../model/entities/access.ts";
import { Refusal } from "../../refusals.ts";
import type { Transaction } from "../../versioning/transaction.ts";

/** Puts a user back, one who was deleted with the roles of then; or deletes them again. */
export const stageUserRestore = restoreAccess<"user">(async (transaction, access, id, state) => {
  if (state === null) return goneUser(access, id);
  const current = access.users.get(id) ?? await lastState(transaction, id);
  const users = new Map([[id, current === null ? state : withStays("user", state, current)]]);
  if (access.users.has(id)) return { users };
  return { users, grants: await lostGrants(transaction, access, id) };
});

/** Restores a role, or removes it again if no user has it. */
export const stageRoleRestore = restoreAccess<"role">((_transaction, access, id, state) => {
  if (state === null) refuseUsedRole(access, id);
  return { roles: new Map([[id, state && currentRole(state)]]) };
});

/** Gives a user a role again, or takes it away again. */
export const stageGrantRestore = restoreAccess<"user_role">((_transaction, access, id, state) => {
  if (state !== null) refuseBrokenGrant(access, state);
  return { grants: new Map([[id, state]]) };
});

/** A stage that changes who may do what, as `changesOf` says. */
function restoreAccess<T extends "user" | "role" | "user_role">(
  changesOf: (
    transaction: Transaction,
    access: Access,
    id: string,
    state: StateOf<T> | null,
  ) => AccessChanges | Promise<AccessChanges>,
): StageRestore<T> {
  return async (transaction, { access: source }, { id, state }, options) => {
    const access = await source.of(transaction);
    await stageAccess(
      transaction,
      access,
      await changesOf(transaction, access, id, state),
      options,
    );
  };
}

/** The roles that went with a deleted user and are still there. */
async function lostGrants(
  transaction: Transaction,
  access: Access,
  userId: string,
): Promise<Map<string, Grant>> {
  const { row } = await transaction.head("user", userId);
  if (row === null) return new Map();
  const grants =
    (await statesLostWith(transaction.context, "user_role", { type: "user", id: userId, row }))
      .filter((grant) => grant.userId === userId && access.roles.has(grant.roleId));
  return new Map(grants.map((grant): [string, Grant] => [grant.id, grant]));
}

/** The state of a deleted user before they were deleted. */
async function lastState(transaction: Transaction, id: string): Promise<User | null> {
  const { row } = await transaction.head("user", id);
  return await stateBeforeTombstone(transaction.context, "user", id, row);
}

function goneUser(access: Access, id: string): AccessChanges {
  const grants = [...access.grants.values()].filter(({ userId }) => userId === id);
  return {
    users: new Map([[id, null]]),
    grants: new Map(grants.map((grant): [string, null] => [grant.id, null])),
  };
}

function refuseUsedRole(access: Access, id: string): void {
  if ([...access.grants.values()].some(({ roleId }) => roleId === id)) {
    throw new Refusal("CONFLICT", { about: "users still have the role" });
  }
}

function refuseBrokenGrant(access: Access, { id, userId, roleId }: Grant): void {
  if (!access.users.has(userId) || !access.roles.has(roleId)) {
    throw new Refusal("CONFLICT", { about: "the user or the role no longer exists" });
  }
  const twice = [...access.grants.values()].some((grant) =>
    grant.id !== id && grant.userId === userId && grant.roleId === roleId
  );
  if (twice) throw new Refusal("CONFLICT", { about: "the user already has the role" });
}
