/**
 * The differences between two versions of an entity, without hidden members.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { VersionRow } from "../versioning/entities.ts";
import type { State } from "../model/entities/entity.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { shownState } from "../model/entities/working_copy.ts";
import { redact } from "../model/values/redact.ts";
import { type Change, diffStates } from "../model/values/state_diff.ts";
import { invalid, Refusal } from "../refusals.ts";
import { getKeptState, getVersionRow, keptBefore } from "../versioning/versions.ts";

/** Selects the newest stored version before it. */
export const PREVIOUS = "previous";

/** A version as a diff names it. */
export interface VersionName {
  id: string;
  version_number: number;
  changed_at: number;
}

/** The result of a diff; `from` is null if there was no version before. */
export interface VersionDiff {
  from: VersionName | null;
  to: VersionName;
  changes: Change[];
  /** Whether there are more changes than are listed. */
  truncated: boolean;
}

/** Compares a version with another of the same entity, or with the one before it. */
export async function diffVersions(
  context: Context,
  versionId: string,
  against: string,
): Promise<VersionDiff> {
  const { type, id, row } = await getVersionRow(context, versionId);
  const other = against === PREVIOUS
    ? await rowBefore(context, type, id, row)
    : await rowOf(context, type, id, against);
  const [before, after] = await Promise.all([
    other === null ? null : seenState(context, type, id, other),
    seenState(context, type, id, row),
  ]);
  return { from: other && nameOf(other), to: nameOf(row), ...diffStates(before, after) };
}

async function rowBefore(
  context: Context,
  type: EntityType,
  id: string,
  { n }: VersionRow,
): Promise<VersionRow | null> {
  if (n === 1) return null;
  const before = await keptBefore(context, type, id, n);
  if (before === null) {
    throw new Refusal("NOT_FOUND", { about: "the version before it was pruned" });
  }
  return before;
}

async function rowOf(
  context: Context,
  type: EntityType,
  id: string,
  versionId: string,
): Promise<VersionRow> {
  const found = await getVersionRow(context, versionId);
  if (found.type !== type || found.id !== id) {
    throw invalid("against", "INVALID_REFERENCE", "Must be a version of the same entity");
  }
  return found.row;
}

async function seenState(
  context: Context,
  type: EntityType,
  id: string,
  row: VersionRow,
): Promise<State | null> {
  const state = await getKeptState(context, type, id, row);
  const seen = state && redact(type, state);
  return seen !== null && "workingCopy" in seen ? shownState(seen, undefined) : seen;
}

function nameOf({ vid, n, at }: VersionRow): VersionName {
  return { id: vid, version_number: n, changed_at: at };
}
