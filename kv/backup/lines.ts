/**
 * Splits bytes into lines. Each line is whole in memory and has a maximum length.
 *
 * @module
 */
import { BACKUP_LINE_BYTES_MAX } from "../tuning.ts";
import { BadTarball } from "../objects/tarball.ts";

const NEWLINE = 0x0a;

/** The lines of a file, each with its newline; a last line without one is refused. */
export async function* splitLines(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (let end; (end = piece.indexOf(NEWLINE, start)) >= 0; start = end + 1) {
      begun.push(piece.subarray(start, end + 1));
      yield join(begun);
      begun = [];
      bytes = 0;
    }
    if (start === piece.byteLength) continue;
    begun.push(piece.slice(start));
    bytes += piece.byteLength - start;
    if (bytes > BACKUP_LINE_BYTES_MAX) throw new BadTarball("A line is far too long");
  }
  if (begun.length > 0) throw new BadTarball("A table ends in the middle of a line");
}

function join(pieces: Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
