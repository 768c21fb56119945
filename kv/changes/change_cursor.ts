/**
 * Cursors of the change feed: opaque to consumers, self-contained except for the visibility snapshots that
 * they name.
 *
 * @module
 */
import { CHANGE_CURSOR_CHARS_MAX } from "../limits/requests.ts";
import { isUlid } from "../model/values/ulid.ts";
import { Refusal } from "../refusals.ts";
import { AFTER_ALL, type ChangePosition } from "./change_log.ts";

/** The position of a consumer. */
export interface ChangeCursor {
  /** The import that the site comes from; a cursor of another era is expired. */
  era: string;
  /** All changes up to here are reported. */
  position: ChangePosition;
  /** Digest of the snapshot with which they were reported. */
  visibility: string;
  /** During a sync to another snapshot: the last document reported. */
  sync?: { to: string; after: string };
  /**
   * The snapshot before, for changes up to a stamp: they may concern documents that are no longer visible.
   */
  prior?: { visibility: string; until: string };
}

const VERSION = 1;
const STAMP = /^[0-9a-f]{20}$/;
const DIGEST = /^(?:[0-9a-f]{16})?$/;
const ERA = /^[0-9a-f]{0,20}$/;

type Packed = [
  version: number,
  era: string,
  position: [stamp: string, id: string, n: number],
  visibility: string,
  sync: [to: string, after: string] | null,
  prior: [visibility: string, until: string] | null,
];

/** Encodes a cursor. */
export function encodeCursor({ era, position, visibility, sync, prior }: ChangeCursor): string {
  const packed: Packed = [
    VERSION,
    era,
    [position.stamp, position.id, position.n],
    visibility,
    sync === undefined ? null : [sync.to, sync.after],
    prior === undefined ? null : [prior.visibility, prior.until],
  ];
  return btoa(JSON.stringify(packed)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Decodes a cursor.
 *
 * @throws {Refusal} CURSOR_INVALID for a text that {@linkcode encodeCursor} has not made.
 */
export function decodeCursor(text: string): ChangeCursor {
  const packed = text.length <= CHANGE_CURSOR_CHARS_MAX ? parse(text) : null;
  if (packed === null || !isPacked(packed)) throw new Refusal("CURSOR_INVALID");
  const [, era, [stamp, id, n], visibility, sync, prior] = packed;
  return {
    era,
    position: { stamp, id, n },
    visibility,
    ...(sync !== null && { sync: { to: sync[0], after: sync[1] } }),
    ...(prior !== null && { prior: { visibility: prior[0], until: prior[1] } }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return null;
  }
}

function isPacked(value: unknown): value is Packed {
  if (!Array.isArray(value) || value.length !== 6 || value[0] !== VERSION) return false;
  const [, era, position, visibility, sync, prior] = value;
  return matches(ERA, era) && Array.isArray(position) && position.length === 3 &&
    matches(STAMP, position[0]) && (position[1] === AFTER_ALL || isUlid(position[1])) &&
    Number.isSafeInteger(position[2]) && matches(DIGEST, visibility) &&
    (sync === null || (isPair(sync) && matches(DIGEST, sync[0]) &&
      (sync[1] === "" || isUlid(sync[1])))) &&
    (prior === null || (isPair(prior) && matches(DIGEST, prior[0]) && matches(STAMP, prior[1])));
}

function isPair(value: unknown): value is [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === "string" && pattern.test(value);
}
