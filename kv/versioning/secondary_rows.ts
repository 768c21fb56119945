/**
 * Secondary rows: those of the current state of some kinds, which every new version updates, whichever
 * operation wrote it (an edit, a restore, an import), and those of each version of an edit.
 *
 * @module
 */
import type { VersionRow } from "./entities.ts";
import { recordVersion } from "./timeline/log.ts";
import { stageVersionLocation } from "./version_locations.ts";
import { versionKey } from "../keys.ts";
import { stageMediaRow } from "./media_row.ts";
import { stageOpenRelease } from "./open_releases.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";
import { stageSchemaSetting } from "./schema_settings.ts";
import type { Operation } from "../store/operation.ts";

type StageRows<T extends EntityType> = (
  operation: Operation,
  id: string,
  state: StateOf<T> | null,
) => void;

const SECONDARY_ROWS: { readonly [T in EntityType]?: StageRows<T> } = {
  media_metadata: stageMediaRow,
  release: stageOpenRelease,
  setting: stageSchemaSetting,
};

/** Adds the secondary rows of an entity's next state (null: a tombstone) to its commit. */
export function stageSecondaryRows<T extends EntityType>(
  operation: Operation,
  type: T,
  id: string,
  state: StateOf<T> | null,
): void {
  const stage: StageRows<T> | undefined = SECONDARY_ROWS[type];
  stage?.(operation, id, state);
}

/** Adds a version, its place by id, and its entry in the log: the entity was created, updated or deleted. */
export function stageVersion(
  operation: Operation,
  type: EntityType,
  id: string,
  version: VersionRow,
  change: "c" | "u" | "d",
): void {
  operation.set(versionKey(type, id, version.n), version);
  stageVersionLocation(operation, version.vid, [type, id, version.n]);
  recordVersion(operation, type, { id, n: version.n, at: version.at }, change);
}
