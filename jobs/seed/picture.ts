/**
 * Pictures of the example site, drawn by the project itself: bands of colour and a few discs, always the
 * same for the same name, as PNG.
 *
 * @module
 */
import { deflateSync } from "node:zlib";
import { sha256 } from "../../kv/model/sha256.ts";

const WIDTH = 640;
const HEIGHT = 360;
/** Discs in a picture. */
const DISCS = 5;

/** Draws the picture of this name. */
export function drawPicture(name: string): Uint8Array {
  const digits = Uint8Array.fromHex(sha256(name));
  const [top, bottom, light] = [colour(digits, 0), colour(digits, 3), colour(digits, 6)];
  const discs = Array.from({ length: DISCS }, (_, index) => ({
    x: (digits[9 + index]! / 255) * WIDTH,
    y: (digits[15 + index]! / 255) * HEIGHT,
    radius: 30 + (digits[21 + index]! / 255) * 150,
  }));
  const rows = new Uint8Array(HEIGHT * (1 + WIDTH * 3));
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    // Each row begins with the number of its filter: none.
    at += 1;
    // Bands compress well and look drawn.
    const band = Math.floor((y / HEIGHT) * 24) / 24;
    for (let x = 0; x < WIDTH; x++) {
      let inside = 0;
      for (const disc of discs) {
        if ((x - disc.x) ** 2 + (y - disc.y) ** 2 < disc.radius ** 2) inside += 1;
      }
      const glow = Math.min(1, inside * 0.35);
      for (let part = 0; part < 3; part++) {
        const base = top[part]! + (bottom[part]! - top[part]!) * band;
        rows[at++] = Math.round(base + (light[part]! - base) * glow);
      }
    }
  }
  return png(rows);
}

function colour(digits: Uint8Array, from: number): [number, number, number] {
  return [digits[from]!, digits[from + 1]!, digits[from + 2]!];
}

function png(rows: Uint8Array): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, WIDTH);
  header.setUint32(4, HEIGHT);
  // Eight bits for each of red, green and blue.
  header.setUint8(8, 8);
  header.setUint8(9, 2);
  return joined([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const named = joined([new TextEncoder().encode(type), content]);
  const frame = new DataView(new ArrayBuffer(8));
  frame.setUint32(0, content.byteLength);
  frame.setUint32(4, crc32(named));
  return joined([new Uint8Array(frame.buffer, 0, 4), named, new Uint8Array(frame.buffer, 4, 4)]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
