/**
 * `PATCH /api/admin/users/{id}`: what users may change of themselves and of others, and the proof it takes.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { type Access, takenAddress, type User } from "../../../kv/model/entities/access.ts";
import { UserPatch } from "../../../kv/model/input/user_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { needsConfirmation, requestAddressChange } from "../../../kv/people/address_change.ts";
import { confirmOwnPassword } from "../../../kv/people/sign_in.ts";
import { getUser, patchUser, unknownRoles, type UserView } from "../../../kv/people/users.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv, AdminSession } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { audited } from "./audit.ts";
import { namesAdministrator, requireProof, type SensitiveAct } from "./sensitive_acts.ts";
import { requireStepUp } from "./step_up.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** What users may change of themselves without another proof of who they are. */
const HARMLESS: ReadonlySet<string> = new Set(["displayName", "notificationEmails"]);

/** Changes the user of the path; a new address waits for its confirmation. */
export async function changeUser(
  deps: Pick<PeopleDeps, "people" | "settings">,
  c: HttpContext<AdminEnv>,
): Promise<UserView & { pendingEmail?: string }> {
  const { people } = deps;
  const id = pathParameter(c, "id");
  const session = c.get("session");
  refuseOthers(session, id, "users.manage");
  const body = await readJsonObject(c.req.raw);
  const access = await people.access.current();
  // Users who may not give roles do not learn which exist.
  const unknown = session.permissions.has("users.manage") ? unknownRoles(access, body.roles) : [];
  const { currentPassword, ...changes } = parseBody(UserPatch, body, unknown);
  const before = getUser(access, id);
  const isOwn = id === session.userId;
  const isHarmless = isOwn && Object.keys(changes).every((key) => HARMLESS.has(key));
  if (!isHarmless && currentPassword === undefined) await requireStepUp(deps, c);
  const acts = actsOf(access, before, changes);
  if (isOwn && (changes.password !== undefined || currentPassword !== undefined)) {
    await confirmOwnPassword(people, session, currentPassword);
    for (const act of acts) audited(c, act);
  } else for (const act of acts) requireProof(c, act);
  if (session.permissions.has("users.read")) refuseTaken(access, id, changes.email);
  const options = isOwn ? { keptSession: session.hash } : {};
  const user = await patchUser(people, session, id, changes, options);
  if (!needsConfirmation(before, changes.email)) return user;
  await requestAddressChange(people, id, changes.email, session.audit);
  return { ...user, pendingEmail: changes.email };
}

/** Refuses access to other users without the permission. */
export function refuseOthers(
  session: AdminSession,
  id: string,
  permission: "users.read" | "users.manage",
): void {
  if (id !== session.userId && !session.permissions.has(permission)) throw new Refusal("FORBIDDEN");
}

/** The sensitive acts that a change is; the audit log has the last of them. */
function actsOf(
  access: Access,
  before: User,
  { email, password, roles }: UserPatch,
): SensitiveAct[] {
  const acts: SensitiveAct[] = [];
  if (email !== undefined && email !== before.email) acts.push("address");
  if (password !== undefined) acts.push("password");
  const { administrator } = access.authorityOf(before.id);
  if (!administrator && namesAdministrator(roles)) acts.push("administrator");
  return acts;
}

/** Tells that an address is taken; only users who may see all others learn it. */
function refuseTaken(access: Access, id: string, email: string | undefined): void {
  const owner = email === undefined ? undefined : access.userByEmail(email);
  if (owner !== undefined && owner.id !== id) throw takenAddress();
}
