/**
 * The people who survive an import: the administrator who started it, if the backup does not contain them, and
 * every session whose user the backup contains, by id or address.
 *
 * @module
 */
import { type Context, seconds } from "../context.ts";
import { type CurrentRow, readHead, type VersionRow } from "../versioning/entities.ts";
import { namedJobId } from "../jobs/jobs.ts";
import {
  currentKey,
  currentPrefix,
  type Key,
  sessionPrefix,
  stateChunkPrefix,
  userSessionKey,
  versionIdKey,
  versionPrefix,
} from "../keys.ts";
import { type Grant, normalizeEmail, type Role, type User } from "../model/entities/access.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";
import { ADMINISTRATOR, BUILT_IN_ROLES } from "../model/entities/permission.ts";
import { canSignIn, credentialStamp } from "../model/people/user.ts";
import { SESSION_SECONDS, type SessionRow, stampOf } from "../people/sessions.ts";
import type { Operation, StoredEntry } from "../store/operation.ts";
import { type HeldLock, LockLost, stageVersion, underLock } from "./replay.ts";

/** Sessions changed in one commit. */
const SESSIONS_PER_COMMIT = 200;

/** A living entity, and whether it comes from the backup. */
interface Living<T> {
  id: string;
  state: T;
  imported: boolean;
}

async function living<T extends EntityType>(
  context: Context,
  type: T,
  lock: HeldLock,
): Promise<Living<StateOf<T>>[]> {
  const found: Living<StateOf<T>>[] = [];
  for await (const entry of context.store.list<CurrentRow>({ prefix: currentPrefix(type) })) {
    const id = entry.key[2] as string;
    const { state } = await readHead(context, type, id, entry.key, entry);
    if (state === null) continue;
    found.push({ id, state, imported: entry.versionstamp > lock.stamp });
  }
  return found;
}

/** The user of the backup who is this one: by id, else by address. */
function counterpart(users: Living<User>[], id: string, email: string): Living<User> | undefined {
  const imported = users.filter((user) => user.imported);
  return imported.find((user) => user.id === id) ??
    imported.find(({ state }) => normalizeEmail(state.email) === normalizeEmail(email));
}

/**
 * Keeps the administrator who started an import, unless the backup has them; and users it leaves
 * without an administrator or a built-in role gets them from what is there. After the replay of users,
 * roles and grants, before their sweep.
 */
export async function keepImporter(
  context: Context,
  lock: HeldLock,
  userId: string,
): Promise<{ kept: boolean }> {
  const [users, roles, grants] = await Promise.all([
    living(context, "user", lock),
    living(context, "role", lock),
    living(context, "user_role", lock),
  ]);
  const operation = underLock(lock);
  const starter = users.find(({ id }) => id === userId);
  const other = starter && counterpart(users, userId, starter.state.email);
  const kept = starter !== undefined && other === undefined;
  if (kept) await restamp(context, operation, "user", userId);
  const roleIds = await keepRoles(context, operation, roles);
  const isAdministrator = ({ state }: Living<Grant>) => state.roleId === roleIds.get(ADMINISTRATOR);
  const ableToSignIn = new Set(
    users.filter(({ imported, state }) => imported && canSignIn(state)).map(({ id }) => id),
  );
  const hasOne = grants.some((grant) =>
    grant.imported && isAdministrator(grant) && ableToSignIn.has(grant.state.userId)
  );
  const roleId = roleIds.get(ADMINISTRATOR);
  if (starter !== undefined && roleId !== undefined && (kept || !hasOne)) {
    stageGrant(context, operation, lock, (other ?? starter).id, roleId);
  }
  if (!(await context.store.commit(operation)).ok) throw new LockLost("The lock was lost");
  return { kept };
}

/** Every built-in role by its name; those that the backup lacks are kept. */
async function keepRoles(
  context: Context,
  operation: Operation,
  roles: Living<Role>[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const name of Object.keys(BUILT_IN_ROLES)) {
    const known = roles.filter(({ state }) => state.builtIn && state.name === name);
    const role = known.find(({ imported }) => imported) ?? known[0];
    if (role === undefined) continue;
    ids.set(name, role.id);
    if (!role.imported) await restamp(context, operation, "role", role.id);
  }
  return ids;
}

/** A grant of the import's own; its ids are made of the job's, so that a repetition makes the same one. */
function stageGrant(
  context: Context,
  operation: Operation,
  { jobId }: HeldLock,
  userId: string,
  roleId: string,
): void {
  const id = namedJobId(`${jobId} grant`);
  stageVersion(operation, {
    id: namedJobId(`${jobId} grant version`),
    entity_type: "user_role",
    entity_id: id,
    version_number: 1,
    changed_by: null,
    change_summary: "Kept by an import",
    changed_at: seconds(context),
    state: { id, userId, roleId },
  }, true);
}

/** Writes an entity with its history again as it is, so that the sweep leaves it alone. */
async function restamp(
  { store }: Context,
  operation: Operation,
  type: EntityType,
  id: string,
): Promise<void> {
  const [current, versions] = await Promise.all([
    store.get(currentKey(type, id)),
    store.listAll<VersionRow>({ prefix: versionPrefix(type, id) }),
  ]);
  // The newest are the ones that matter; a commit has room for them.
  const kept = versions.slice(-VERSIONS_KEPT);
  const besides = kept.map(async ({ value }) => {
    const { vid, n } = value;
    const [versionId, pieces] = await Promise.all([
      store.get(versionIdKey(vid)),
      store.listAll({ prefix: stateChunkPrefix(type, id, n) as Key }),
    ]);
    return [versionId, ...pieces];
  });
  for (const { key, value } of [current, ...kept, ...(await Promise.all(besides)).flat()]) {
    operation.set(key, value);
  }
}

/** Versions of a kept entity. */
const VERSIONS_KEPT = 100;

/** Notes the user of every valid session before users are replaced. */
export async function noteSessions(context: Context, lock: HeldLock): Promise<void> {
  const [found, sessions] = await Promise.all([
    living(context, "user", lock),
    allSessions(context),
  ]);
  const users = new Map(found.map((user) => [user.id, user]));
  const at = seconds(context);
  await changeSessions(context, lock, sessions, (row) => {
    const user = users.get(row.userId);
    if (row.expiresAt <= at || user === undefined) return null;
    const stamp = credentialStamp(user.state);
    const isBound = stamp === stampOf(row) || stamp === row.imported?.stamp;
    return isBound && !user.imported ? { ...row, email: user.state.email } : null;
  });
}

/** Binds the sessions to the users of the backup; until the end of the lock both bindings count. */
export async function rebindSessions(context: Context, lock: HeldLock): Promise<void> {
  const [users, sessions] = await Promise.all([
    living(context, "user", lock),
    allSessions(context),
  ]);
  await changeSessions(context, lock, sessions, ({ email, ...row }) => {
    if (email === undefined) return null;
    const user = counterpart(users, row.userId, email);
    if (user === undefined || !canSignIn(user.state)) return row;
    return { ...row, imported: { userId: user.id, stamp: credentialStamp(user.state) } };
  });
}

function allSessions({ store }: Context): Promise<StoredEntry<SessionRow>[]> {
  return Array.fromAsync(store.list<SessionRow>({ prefix: sessionPrefix }));
}

async function changeSessions(
  context: Context,
  lock: HeldLock,
  entries: readonly StoredEntry<SessionRow>[],
  change: (row: SessionRow) => SessionRow | null,
): Promise<void> {
  const { store } = context;
  const expireIn = SESSION_SECONDS * 1000;
  for (let start = 0; start < entries.length; start += SESSIONS_PER_COMMIT) {
    const operation = underLock(lock);
    for (const { key, value } of entries.slice(start, start + SESSIONS_PER_COMMIT)) {
      const next = change(value);
      if (next === null) continue;
      operation.set(key, next, { expireIn });
      const { imported } = next;
      if (imported === undefined) continue;
      operation.set(userSessionKey(imported.userId, key[1] as string), 1, { expireIn });
    }
    if (operation.mutations === 0) continue;
    if (!(await store.commit(operation)).ok) throw new LockLost("The lock was lost");
  }
}
