/**
 * Restoring users, roles and grants: to the state of a version, as far as the present can live with it.
 * A user who is there keeps the password he has now, so no old one works again; one who was deleted comes
 * back with the roles he had then.
 *
 * @module
 */
import { type AccessChanges, type AccessSource, stageAccess } from "./access.ts";
import { statesLostWith } from "../history/restore/lost_collection.ts";
import { type Access, currentRole, type Grant, type Role, type User } from "../model/access.ts";
import type { State } from "../model/entity.ts";
import { Refusal } from "../refusals.ts";
import type { SaveOptions, Transaction } from "../versioned_write.ts";

/** The entity types whose restore has to keep users and roles consistent. */
export type AccessType = "user" | "role" | "user_role";

/**
 * Adds the restore of one entity to a commit; a null state deletes it again.
 *
 * @throws {Refusal} CONFLICT when a user or role it needs is gone, or the result would be inconsistent.
 */
export async function stageAccessRestore(
  transaction: Transaction,
  source: AccessSource,
  target: { type: AccessType; id: string; state: State | null },
  options: SaveOptions = {},
): Promise<void> {
  const access = await source.of(transaction);
  const changes = changesOf(access, target);
  if (target.type === "user" && target.state !== null && !access.users.has(target.id)) {
    changes.grants = await lostGrants(transaction, access, target.id);
  }
  await stageAccess(transaction, access, changes, options);
}

/** The roles that went with a deleted user and are still there: he comes back with them. */
async function lostGrants(
  transaction: Transaction,
  access: Access,
  userId: string,
): Promise<Map<string, Grant>> {
  const { row } = await transaction.head("user", userId, { guarded: true });
  if (row === null) return new Map();
  const states = await statesLostWith(transaction.context, "user_role", row);
  const grants = (states as unknown as Grant[])
    .filter((grant) => grant.userId === userId && access.roles.has(grant.roleId));
  return new Map(grants.map((grant): [string, Grant] => [grant.id, grant]));
}

function changesOf(
  access: Access,
  { type, id, state }: { type: AccessType; id: string; state: State | null },
): AccessChanges {
  switch (type) {
    case "user":
      return state === null ? goneUser(access, id) : {
        users: new Map([[id, restoredUser(access, id, state as unknown as User)]]),
      };
    case "role":
      if (state === null) refuseUsedRole(access, id);
      return { roles: new Map([[id, state && currentRole(state as unknown as Role)]]) };
    case "user_role":
      if (state !== null) refuseBrokenGrant(access, state as unknown as Grant);
      return { grants: new Map([[id, state as unknown as Grant | null]]) };
  }
}

function restoredUser(access: Access, id: string, state: User): User {
  const live = access.users.get(id);
  if (live === undefined) return state;
  return { ...state, passwordHash: live.passwordHash, passwordId: live.passwordId };
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
    throw new Refusal("CONFLICT", { about: "some users still have the role" });
  }
}

function refuseBrokenGrant(access: Access, { id, userId, roleId }: Grant): void {
  if (!access.users.has(userId) || !access.roles.has(roleId)) {
    throw new Refusal("CONFLICT", { about: "the user or the role is gone" });
  }
  const twice = [...access.grants.values()].some((grant) =>
    grant.id !== id && grant.userId === userId && grant.roleId === roleId
  );
  if (twice) throw new Refusal("CONFLICT", { about: "the user has the role already" });
}
