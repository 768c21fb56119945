/**
 * Decides where a state is stored: in the rows of its entity, in separate pieces, or in the object store.
 * Pure: it returns the writes to make.
 *
 * @module
 */
import type { CurrentRow, VersionRow } from "./entities.ts";
import { encodeState, packState } from "./state_codec.ts";
import { type Key, stateChunkPrefix } from "../keys.ts";
import { CHUNK_BYTES, INLINE_BYTES_MAX, SPILL_BYTES } from "../limits/store.ts";
import type { Json, State } from "../model/entities/entity.ts";
import type { DocumentPart } from "../model/entities/document.ts";
import { type AnyState, asJson, type EntityType, kindOf } from "../model/entities/entity_kinds.ts";
import { documentPartPath, snapshotPath } from "../objects/paths.ts";
import { sha256 } from "../model/values/sha256.ts";
import type { Operation } from "../store/operation.ts";

/** The most bytes of parts that stay in the rows of a spilled state. */
const ROW_PARTS_BYTES_MAX = 2 * SPILL_BYTES;

/** An object to be written. */
export interface PlacedObject {
  key: string;
  body: Uint8Array;
}

/** The rows and objects of a state. */
export interface Placement {
  /** Merged into the current row. */
  current: Pick<CurrentRow, "body" | "chunks" | "snapshot" | "parts">;
  /** Merged into the version's row. */
  version: Pick<VersionRow, "body" | "chunks" | "snapshot">;
  /** Written in the same commit. */
  pieces: { key: Key; value: Uint8Array }[];
  /** Written before the commit. */
  before: PlacedObject[];
  /** Written after the commit; optional for readers. */
  after: PlacedObject[];
}

/** Places the state of version `n`. */
export function placeState(
  type: EntityType,
  id: string,
  { n, vid }: { n: number; vid: string },
  state: AnyState,
): Placement {
  const placement: Placement = { current: {}, version: {}, pieces: [], before: [], after: [] };
  const { current, version } = placement;
  const body = encodeState(state);
  const prefix = stateChunkPrefix(type, id, n);
  if (body.byteLength <= SPILL_BYTES) {
    placeBody(placement, prefix, body);
    if (current.body !== undefined) version.body = current.body;
    else version.chunks = current.chunks!;
    return placement;
  }
  const key = snapshotPath(type, id, vid);
  version.snapshot = current.snapshot = { key, sha256: sha256(body), bytes: body.byteLength };
  placement.before.push({ key, body });
  const { parts } = kindOf(type);
  if (parts === undefined) return placement;
  placeBody(placement, prefix, spillParts(parts, placement, id, asJson(state)));
  return placement;
}

/** Takes the large parts out of a state, the largest first; returns what stays in the row. */
function spillParts(
  parts: readonly DocumentPart[],
  placement: Placement,
  id: string,
  state: State,
): Uint8Array {
  const rest: State = { ...state };
  const bodies = parts.flatMap((part) =>
    state[part] === undefined ? [] : [{ part, body: encodeState(state[part] as Json) }]
  ).sort((a, b) => b.body.byteLength - a.body.byteLength);
  let left = bodies.reduce((sum, { body }) => sum + body.byteLength, 0);
  for (const { part, body } of bodies) {
    if (body.byteLength <= SPILL_BYTES && left <= ROW_PARTS_BYTES_MAX) break;
    left -= body.byteLength;
    delete rest[part];
    placement.current.parts = {
      ...placement.current.parts,
      [part]: { sha256: sha256(body), bytes: body.byteLength },
    };
    placement.after.push({ key: documentPartPath(id, part), body });
  }
  return encodeState(rest);
}

function placeBody(placement: Placement, prefix: Key, json: Uint8Array): void {
  const body = packState(json);
  if (body.byteLength <= INLINE_BYTES_MAX) {
    placement.current.body = body;
    return;
  }
  const count = placement.current.chunks = Math.ceil(body.byteLength / CHUNK_BYTES);
  for (let piece = 0; piece < count; piece++) {
    const start = piece * CHUNK_BYTES;
    const value = body.slice(start, start + CHUNK_BYTES);
    placement.pieces.push({ key: [...prefix, piece], value });
  }
}

/** Deletes the pieces of the state of version `n`. */
export function deleteChunks(
  operation: Operation,
  type: EntityType,
  id: string,
  n: number,
  count: number,
): void {
  const prefix = stateChunkPrefix(type, id, n);
  for (let piece = 0; piece < count; piece++) operation.delete([...prefix, piece]);
}
