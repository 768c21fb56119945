/**
 * The view of the current user.
 *
 * @module
 */
import type { Access, Authority, User } from "../../../kv/model/entities/access.ts";
import { PERMISSION_NAMES } from "../../../kv/model/entities/permission.ts";
import { userView } from "../../../kv/people/users.ts";

/** A session has every scope; the roles of its user decide what it may do. */
export const SCOPES = ["*"];

/** The user of a session with their permissions, so that the studio hides what they may not do. */
export function signedInView(
  access: Access,
  user: User,
  { permissions }: Pick<Authority, "permissions"> = access.authorityOf(user.id),
) {
  return {
    ...userView(access, user),
    permissions: PERMISSION_NAMES.filter((name) => permissions.has(name)),
  };
}
