/**
 * Users, roles and grants as the store has them, cached by their guard's versionstamp. Every write of
 * one of them checks and touches the guard, so they go one after the other and each is decided by the
 * picture that it lands on.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { liveEntities } from "../entities.ts";
import { GuardedPicture } from "../guarded_picture.ts";
import { refuseHeldGuard } from "../backup/import_lock.ts";
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

/** Changes of a picture: null takes an entry away. */
export interface AccessChanges {
  users?: Map<string, User | null>;
  roles?: Map<string, Role | null>;
  grants?: Map<string, Grant | null>;
}

/** Reads the picture and keeps the newest. */
export class AccessSource {
  readonly #pictures: GuardedPicture<Access>;

  constructor(context: Context) {
    this.#pictures = new GuardedPicture(context, accessKey, () => readAccess(context));
  }

  /** The picture at `guard`, an entry of {@linkcode accessKey} read just now, or a newer one. */
  async at(guard: Entry): Promise<Access> {
    return await this.#pictures.at(guard);
  }

  /** The picture now. */
  async current(): Promise<Access> {
    return await this.#pictures.current();
  }

  /** The picture that a transaction decides by; its commit fails when the picture has changed. */
  async of(transaction: Transaction): Promise<Access> {
    const guard = await transaction.get(accessKey);
    await refuseHeldGuard(transaction, guard);
    return await this.at(guard);
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
