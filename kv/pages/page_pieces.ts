/**
 * Pieces of pages: long texts of which little changes at a time. Each piece is a row of its own that is never
 * changed, only replaced by one of another name; the page's row names them in order.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { sha256 } from "../model/sha256.ts";
import { joinBytes } from "../objects/object_bytes.ts";
import type { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { compressed } from "./page_compression.ts";
import { pagePieceKey } from "./page_keys.ts";

/** A body: what is before its pieces, these, and what is behind them. */
export interface Pieces {
  head: string;
  pieces: Piece[];
  tail: string;
}

/** A piece, as the page's row knows it. */
export interface Piece {
  /** Its place, and the digest of its text. */
  name: string;
  /** Of its text. */
  bytes: number;
}

const encoder = new TextEncoder();

/** Adds a piece to a commit, unless it is `known`. */
export function putPiece(
  operation: Operation,
  place: string,
  text: string,
  known?: Piece,
): Piece {
  const whole = encoder.encode(text);
  const name = `${place}/${sha256(whole).slice(0, 32)}`;
  if (known?.name === name) return known;
  operation.set(pagePieceKey(name), compressed(whole));
  return { name, bytes: whole.byteLength };
}

/** Adds to a commit the removal of pieces but for those that are still shown. */
export function removePieces(
  operation: Operation,
  pieces: readonly Piece[],
  shown: readonly Piece[],
): void {
  const kept = new Set(shown.map(({ name }) => name));
  for (const { name } of pieces) if (!kept.has(name)) operation.delete(pagePieceKey(name));
}

/** Stands for the body that pieces make. */
export function hashOfPieces({ head, pieces, tail }: Pieces): string {
  return sha256(JSON.stringify([head, ...pieces.map(({ name }) => name), tail]));
}

/** Bytes of the body that pieces make. */
export function bytesOfPieces({ head, pieces, tail }: Pieces): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, encoder.encode(head + tail).byteLength);
}

/** The body that pieces make; null when one of them was replaced meanwhile. */
export async function readPieces(
  store: Store,
  { head, pieces, tail }: Pieces,
): Promise<Uint8Array | null> {
  const rows = await store.getMany(pieces.map(({ name }) => pagePieceKey(name)));
  const bodies = rows.map(({ value }) => value as Uint8Array | null);
  if (bodies.includes(null)) return null;
  const texts = bodies.map((body) => gunzipSync(body!));
  return joinBytes([encoder.encode(head), ...texts, encoder.encode(tail)]);
}
