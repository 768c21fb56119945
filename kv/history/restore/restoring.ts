/**
 * The dependencies of restoring an entity, and the interface of every family of entities.
 *
 * @module
 */
import type { AccessSource } from "../../people/access.ts";
import type { Content } from "../../documents/content.ts";
import { currentKey } from "../../keys.ts";
import type { EntityType, StateOf } from "../../model/entities/entity_kinds.ts";
import { keyText } from "../../store/operation.ts";
import type { SaveOptions, Transaction } from "../../versioning/transaction.ts";
import type { CurrentRow, VersionRow } from "../../versioning/entities.ts";
import type { Actor } from "../../model/entities/entity.ts";
import type { RestoreBody } from "./content_restore.ts";

/** The parts of a site that restores are checked against. */
export interface RestoreContext {
  content: Content;
  access: AccessSource;
}

/** An entity and the state that it is to have again; null deletes it. */
export interface RestoreOutcome<T extends EntityType> {
  id: string;
  state: StateOf<T> | null;
}

/**
 * Adds the restore of one entity to a commit, through what any change of it goes through.
 *
 * @throws {Refusal} if the state conflicts with current data.
 */
export type StageRestore<T extends EntityType> = (
  transaction: Transaction,
  restoring: RestoreContext,
  restored: RestoreOutcome<T>,
  options: SaveOptions,
) => Promise<void>;

/** The restore functions of a type. */
export interface TypeRestore<T extends EntityType> {
  stage: StageRestore<T>;
  /** Adds the restore of a part of the state. */
  stagePart?: (
    transaction: Transaction,
    restoring: RestoreContext,
    restored: RestoreOutcome<T>,
    body: RestoreBody,
    options: SaveOptions,
  ) => Promise<void>;
  /** Whether all that a state refers to is saved again or checked separately, and its version need not be. */
  isSelfContained?: true;
  /** Runs after the commit; returns the ID of the version that it created, if any. */
  finish?: (
    restoring: RestoreContext,
    actor: Actor,
    id: string,
    row: VersionRow,
  ) => Promise<string | null>;
}

/** The version that a transaction is about to record of an entity: its id and its number. */
export function savedVersion(
  { operation }: Transaction,
  type: EntityType,
  id: string,
): { versionId: string; n: number } {
  const key = keyText(currentKey(type, id));
  const saved = operation.sets.find((set) => keyText(set.key) === key);
  if (saved === undefined) throw new TypeError(`The commit saves no ${type} ${id}`);
  const { vid: versionId, n } = saved.value as CurrentRow;
  return { versionId, n };
}
