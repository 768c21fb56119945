/**
 * Small functions over bytes and streams that every object store needs.
 *
 * @module
 */

const encoder = new TextEncoder();

/** Pieces in one array. */
export function joinBytes(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((total, piece) => total + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.byteLength;
  }
  return joined;
}

/** Order of keys as S3 lists them: by their UTF-8 bytes. */
export function compareKeys(a: string, b: string): number {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  const length = Math.min(left.byteLength, right.byteLength);
  for (let place = 0; place < length; place++) {
    if (left[place] !== right[place]) return left[place]! - right[place]!;
  }
  return left.byteLength - right.byteLength;
}
