/**
 * Users, roles and grants as the store has them, cached by their version key's versionstamp. Every write of
 * one of them checks and touches the version key, so they go one after the other and each is decided by the
 * state of them that it changes.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { liveEntities } from "../entities.ts";
import { StampedCache } from "../cache/stamped_cache.ts";
import { refuseHeldKey } from "../backup/import_lock.ts";
import { accessKey } from "../keys.ts";
import {
  Access,
  currentRole,
  type Grant,
  refuseUnsound,
  type Role,
  type User,
} from "../model/access.ts";
import type { EntityType, StateOf } from "../model/entity_kinds.ts";
import type { Entry } from "../store/operation.ts";
import type { SaveOptions, Transaction } from "../versioned_write.ts";

/** Changes of users, roles and grants: null takes an entry away. */
export interface AccessChanges {
  users?: Map<string, User | null>;
  roles?: Map<string, Role | null>;
  grants?: Map<string, Grant | null>;
}

/** Reads users, roles and grants and keeps the newest. */
export class AccessSource {
  readonly #cache: StampedCache<Access>;

  constructor(context: Context) {
    this.#cache = new StampedCache(context, accessKey, () => readAccess(context));
  }

  /** Users, roles and grants at `version`, an entry of {@linkcode accessKey} read just now, or a newer one. */
  async at(version: Entry): Promise<Access> {
    return await this.#cache.at(version);
  }

  /** Users, roles and grants now. */
  async current(): Promise<Access> {
    return await this.#cache.current();
  }

  /** What a transaction decides by; its commit fails when one of them has changed. */
  async of(transaction: Transaction): Promise<Access> {
    const version = await transaction.get(accessKey);
    await refuseHeldKey(transaction, version);
    return await this.at(version);
  }
}

/**
 * Adds changes of users, roles and grants to a commit.
 *
 * @throws {Refusal} CONFLICT when what comes out could not be lived with.
 */
export async function stageAccess(
  transaction: Transaction,
  access: Access,
  changes: AccessChanges,
  options: SaveOptions = {},
): Promise<Access> {
  const next = access.with(changes);
  refuseUnsound(next);
  await save(transaction, "user", changes.users, options);
  await save(transaction, "role", changes.roles, options);
  await save(transaction, "user_role", changes.grants, options);
  return next;
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

async function readAccess(context: Context): Promise<Access> {
  const [users, roles, bindings] = await Promise.all([
    readStates(context, "user"),
    readStates(context, "role"),
    readStates(context, "user_role"),
  ]);
  for (const [id, role] of roles) roles.set(id, currentRole(role));
  return new Access(users, roles, bindings);
}

async function readStates<T extends EntityType>(
  context: Context,
  type: T,
): Promise<Map<string, StateOf<T>>> {
  const states = new Map<string, StateOf<T>>();
  for await (const { id, state } of liveEntities(context, type)) states.set(id, state);
  return states;
}
