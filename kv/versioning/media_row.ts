/**
 * The row of a medium that lists are made from.
 *
 * @module
 */
import type { MediaState } from "../model/entities/media.ts";
import { stageSharded } from "../store/shards.ts";
import type { Operation } from "../store/operation.ts";

/** A medium in a list: its state without the properties that only the object store needs. */
export type MediaRow = Omit<MediaState, "object">;

/** Adds the row of a medium (null: it is gone) to the commit that changes it. */
export function stageMediaRow(operation: Operation, id: string, state: MediaState | null): void {
  if (state === null) return stageSharded(operation, "media", { id, value: null });
  const { object: _, ...row } = state;
  stageSharded(operation, "media", { id, value: row });
}
