/**
 * Users, roles and grants as the store has them, cached by their version key's versionstamp. Every write of
 * one of them checks and touches the version key, so they go one after the other and each is decided by the
 * state of them that it changes.
 *
 * @module
 */
import { stageAccountNotices } from "./account_notices.ts";
import type { Context } from "../context.ts";
import { KnownHeads } from "../versioning/known_heads.ts";
import { GroupCache } from "../versioning/group_cache.ts";
import { accessKey } from "../keys.ts";
import {
  Access,
  currentRole,
  type Grant,
  refuseUnsound,
  type Role,
  type User,
} from "../model/entities/access.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";
import { refuseUnreachable } from "./sign_in_ways.ts";
import type { Entry } from "../store/operation.ts";
import type { SaveOptions, Transaction } from "../versioning/transaction.ts";

/** Changes of users, roles and grants: null takes an entry away. */
export interface AccessChanges {
  users?: Map<string, User | null>;
  roles?: Map<string, Role | null>;
  grants?: Map<string, Grant | null>;
}

/** Users, roles and grants as they were read, with the heads that a write needs. */
interface AccessSnapshot {
  access: Access;
  heads: KnownHeads;
}

/** Reads users, roles and grants and keeps the newest. */
export class AccessSource {
  readonly #cache: GroupCache<AccessSnapshot>;

  constructor(context: Context) {
    this.#cache = new GroupCache(context, accessKey, () => readWithHeads(context));
  }

  /** Users, roles and grants at `version`, an entry of {@linkcode accessKey} read just now, or a newer one. */
  async at(version: Entry): Promise<Access> {
    return (await this.#cache.at(version)).access;
  }

  /** Users, roles and grants now. */
  async current(): Promise<Access> {
    return (await this.#cache.current()).access;
  }

  /** The access rights that a transaction reads; its commit fails if one of them has changed. */
  async of(transaction: Transaction): Promise<Access> {
    return (await this.#cache.of(transaction)).access;
  }
}

/**
 * Adds changes of users, roles and grants to a commit.
 *
 * @throws {Refusal} CONFLICT when the resulting access graph is inconsistent, or no administrator could sign in.
 */
export async function stageAccess(
  transaction: Transaction,
  access: Access,
  changes: AccessChanges,
  options: SaveOptions = {},
): Promise<Access> {
  const next = access.with(changes);
  refuseUnsound(next);
  await refuseUnreachable(transaction, access, next);
  await save(transaction, "user", changes.users, options);
  await save(transaction, "role", changes.roles, options);
  await save(transaction, "user_role", changes.grants, options);
  const userIds = [...changes.users?.keys() ?? [], ...grantees(access, changes.grants)];
  const { operation, context } = transaction;
  stageAccountNotices(operation, context, { before: access, after: next, userIds });
  return next;
}

/** Adds one changed user to a commit; answers the access rights after it. */
export async function stageUser(
  transaction: Transaction,
  access: Access,
  user: User,
  summary: string,
): Promise<Access> {
  const updatedAt = Math.max(transaction.at, user.updatedAt);
  const users = new Map([[user.id, { ...user, updatedAt }]]);
  return await stageAccess(transaction, access, { users }, { summary });
}

/** The users whose roles some changes concern. */
function grantees(access: Access, grants: AccessChanges["grants"]): string[] {
  return [...grants ?? []].flatMap(([id, grant]) => {
    const userId = (grant ?? access.grants.get(id))?.userId;
    return userId === undefined ? [] : [userId];
  });
}

async function save<T extends EntityType>(
  transaction: Transaction,
  type: T,
  changes: ReadonlyMap<string, StateOf<T> | null> = new Map(),
  options: SaveOptions,
): Promise<void> {
  for (const [id, state] of changes) {
    transaction.save(type, id, await transaction.head(type, id), state, options);
  }
}

/** Users, roles and grants as the store has them, past the cache: an import does not touch their version key. */
export async function readAccess(context: Context): Promise<Access> {
  return (await readWithHeads(context)).access;
}

async function readWithHeads(context: Context): Promise<AccessSnapshot> {
  const heads = new KnownHeads();
  const [users, roles, bindings] = await Promise.all([
    heads.read(context, "user"),
    heads.read(context, "role"),
    heads.read(context, "user_role"),
  ]);
  for (const [id, role] of roles) roles.set(id, currentRole(role));
  return { access: new Access(users, roles, bindings), heads };
}
