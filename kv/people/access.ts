/**
 * Users, roles and grants as the store has them, cached by their version key's versionstamp. Every write of
 * one of them checks and touches the version key, so they go one after the other and each is decided by the
 * state of them that it changes.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { liveEntities } from "../entities.ts";
import { StampedCache } from "../stamped_cache.ts";
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
import type { EntityType, State } from "../model/entity.ts";
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
  for (const [id, user] of changes.users ?? []) await save(transaction, "user", id, user, options);
  for (const [id, role] of changes.roles ?? []) await save(transaction, "role", id, role, options);
  for (const [id, grant] of changes.grants ?? []) {
    await save(transaction, "user_role", id, grant, options);
  }
  return next;
}

async function save(
  transaction: Transaction,
  type: EntityType,
  id: string,
  state: User | Role | Grant | null,
  options: SaveOptions,
): Promise<void> {
  const head = await transaction.head(type, id, { guarded: true });
  transaction.save(type, id, head, state as unknown as State | null, options);
  transaction.operation.touch(accessKey);
}

async function readAccess(context: Context): Promise<Access> {
  const read = async <T>(type: EntityType, now = (state: T) => state): Promise<Map<string, T>> => {
    const entries = new Map<string, T>();
    for await (const { id, state } of liveEntities(context, type)) {
      entries.set(id, now(state as unknown as T));
    }
    return entries;
  };
  const users = await read<User>("user");
  const roles = await read<Role>("role", currentRole);
  return new Access(users, roles, await read<Grant>("user_role"));
}
