/**
 * `PATCH /api/admin/users/{id}`: what users may change of themselves and of others, and the proof it takes.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { type Access, takenAddress, type User } from "../../kv/model/access.ts";
import { UserPatch } from "../../kv/model/user_input.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { needsConfirmation, requestAddressChange } from "../../kv/people/address_change.ts";
import type { People } from "../../kv/people/people.ts";
import { confirmOwnPassword } from "../../kv/people/sign_in.ts";
import { getUser, patchUser, unknownRoles, type UserView } from "../../kv/people/users.ts";
import { Refusal } from "../../kv/refusals.ts";
import { readJsonObject } from "../input/body.ts";
import type { AdminEnv, AdminSession } from "./admin_env.ts";
import { namesAdministrator, requireProof } from "./sensitive_acts.ts";

/** Changes the user of the path; a new address waits for its confirmation. */
export async function changeUser(
  people: People,
  c: HttpContext<AdminEnv>,
): Promise<UserView & { pendingEmail?: string }> {
  const id = c.req.param("id")!;
  const session = c.get("session");
  refuseOthers(session, id, "users.manage");
  const body = await readJsonObject(c.req.raw);
  const access = await people.access.current();
  // Users who may not give roles do not learn which exist.
  const unknown = session.permissions.has("users.manage") ? unknownRoles(access, body.roles) : [];
  const { currentPassword, ...changes } = parseBody(UserPatch, body, unknown);
  const before = getUser(access, id);
  const isOwn = id === session.userId;
  if (isOwn && (changes.password !== undefined || currentPassword !== undefined)) {
    await confirmOwnPassword(people, session, currentPassword);
  } else proveChange(c, access, before, changes);
  if (session.permissions.has("users.read")) refuseTaken(access, id, changes.email);
  const options = isOwn ? { keptSession: session.hash } : {};
  const user = await patchUser(people, session, id, changes, options);
  if (!needsConfirmation(before, changes.email)) return user;
  await requestAddressChange(people, id, changes.email);
  return { ...user, pendingEmail: changes.email };
}

/** Refuses users who ask for somebody else without the permission. */
export function refuseOthers(
  session: AdminSession,
  id: string,
  permission: "users.read" | "users.manage",
): void {
  if (id !== session.userId && !session.permissions.has(permission)) throw new Refusal("FORBIDDEN");
}

/** Refuses what a stolen session must not be enough for. */
function proveChange(
  c: HttpContext<AdminEnv>,
  access: Access,
  before: User,
  { email, password, roles }: UserPatch,
): void {
  if (email !== undefined && email !== before.email) requireProof(c, "address");
  if (password !== undefined) requireProof(c, "password");
  const { administrator } = access.authorityOf(before.id);
  if (!administrator && namesAdministrator(roles)) requireProof(c, "administrator");
}

/** Tells that an address is taken; only users who may see all others learn it. */
function refuseTaken(access: Access, id: string, email: string | undefined): void {
  const owner = email === undefined ? undefined : access.userByEmail(email);
  if (owner !== undefined && owner.id !== id) throw takenAddress();
}
