/**
 * Pieces of pages: long texts of which little changes at a time. Each piece is a row of its own that is never
 * changed, only replaced by one of another name; the page's row names them in order.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { sha256 } from "../model/values/sha256.ts";
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

/** A piece by its name: its place, the digest of its text, and how many bytes that has, with slashes between. */
export type Piece = string;

const encoder = new TextEncoder();

/** Adds a piece to a commit, unless it is `known`; no other piece of any page has its `place`. */
export function putPiece(
  operation: Operation,
  address: string,
  text: string,
  known?: Piece,
): Piece {
  const whole = encoder.encode(text);
  const piece = `${address}/${sha256(whole).slice(0, 32)}/${whole.byteLength}`;
  if (known !== piece) operation.set(pagePieceKey(piece), compressed(whole));
  return piece;
}

/** Where a piece is. */
export function pieceAddress(piece: Piece): string {
  return piece.split("/").slice(0, -2).join("/");
}

/** Adds to a commit the removal of pieces but for those that are still shown. */
export function removePieces(
  operation: Operation,
  pieces: readonly Piece[],
  shown: readonly Piece[],
): void {
  const kept = new Set(shown);
  for (const piece of pieces) if (!kept.has(piece)) operation.delete(pagePieceKey(piece));
}

/** Stands for the body that pieces make. */
export function hashOfPieces({ head, pieces, tail }: Pieces): string {
  return sha256(JSON.stringify([head, ...pieces, tail]));
}

/** Bytes of the body that pieces make. */
export function bytesOfPieces({ head, pieces, tail }: Pieces): number {
  const ends = encoder.encode(head + tail).byteLength;
  return pieces.reduce((sum, piece) => sum + Number(piece.split("/").at(-1)), ends);
}

/** The body that pieces make; null if one of them has been replaced. */
export async function readPieces(
  store: Store,
  { head, pieces, tail }: Pieces,
): Promise<Uint8Array | null> {
  const rows = await store.getMany(pieces.map(pagePieceKey));
  const bodies = rows.flatMap(({ value }) => value === null ? [] : [value as Uint8Array]);
  if (bodies.length < pieces.length) return null;
  const texts = bodies.map((body) => gunzipSync(body));
  return joinBytes([encoder.encode(head), ...texts, encoder.encode(tail)]);
}
