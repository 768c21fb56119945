/**
 * What restoring an entity needs, and what every family of entities answers to.
 *
 * @module
 */
import type { AccessSource } from "../../people/access.ts";
import type { Content } from "../../documents/content.ts";
import { liveKey } from "../../keys.ts";
import type { EntityType, StateOf } from "../../model/entity_kinds.ts";
import { keyText } from "../../store/operation.ts";
import type { SaveOptions, Transaction } from "../../versioned_write.ts";
import type { LiveRow } from "../../entities.ts";

/** The parts of a site that restores are checked against. */
export interface Restoring {
  content: Content;
  access: AccessSource;
}

/** An entity and the state that it is to have again; null deletes it. */
export interface Restored<T extends EntityType> {
  id: string;
  state: StateOf<T> | null;
}

/**
 * Adds the restore of one entity to a commit, through what any change of it goes through.
 *
 * @throws {Refusal} when the present does not bear the state.
 */
export type StageRestore<T extends EntityType> = (
  transaction: Transaction,
  restoring: Restoring,
  restored: Restored<T>,
  options: SaveOptions,
) => Promise<void>;

/** The id of the version that a transaction is about to record of an entity. */
export function savedVersionId(
  { operation }: Transaction,
  type: EntityType,
  id: string,
): string {
  const key = keyText(liveKey(type, id));
  const saved = operation.sets.find((set) => keyText(set.key) === key);
  if (saved === undefined) throw new TypeError(`The commit saves no ${type} ${id}`);
  return (saved.value as LiveRow).vid;
}
