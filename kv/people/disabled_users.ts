/**
 * Disabling users: they cannot sign in by any way, and everything that they have open ends by the same commit.
 *
 * @module
 */
import { stageUser } from "./access.ts";
import { type Authority, refuseBeyond } from "../model/entities/access.ts";
import type { User } from "../model/people/user.ts";
import type { People } from "./people.ts";
import { getUser, type UserView, userView } from "./users.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/**
 * Disables a user, which ends their sessions, invitations and resets; or enables them again. Repeated, it changes
 * nothing.
 *
 * @throws {Refusal} CONFLICT for the last administrator.
 */
export async function setDisabled(
  { context, access }: People,
  authority: Authority,
  id: string,
  isDisabled: boolean,
): Promise<UserView> {
  return await versionedWrite(context, authority, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, id);
    refuseBeyond(authority, current.rolesOf(id));
    if ((before.disabledAt !== undefined) === isDisabled) return userView(current, before);
    const { disabledAt: _disabledAt, ...rest } = before;
    // Sessions that end here do not come back when the user is enabled.
    const user: User = isDisabled
      ? { ...rest, sessionsId: transaction.newId(), disabledAt: transaction.at }
      : rest;
    const summary = isDisabled ? "user disabled" : "user enabled";
    const next = await stageUser(transaction, current, user, summary);
    return userView(next, getUser(next, id));
  });
}
