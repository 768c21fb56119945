/**
 * Color profiles (ICC) in pictures that define red, green and blue by curves and a matrix. Codecs return the numbers
 * of the file, but variants have no profile and are shown as sRGB, so the numbers are converted.
 *
 * @module
 */
import { inflateSync } from "node:zlib";
import type { PictureMime } from "../../kv/model/entities/media.ts";
import { joinBytes } from "../../kv/objects/object_bytes.ts";
import { PROFILE_BYTES_MAX } from "../limits.ts";

/** Linear light by the 256 values of a channel. */
type Curve = Float64Array;
/** Rows of a three by three matrix. */
type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/** The meaning of the numbers of a picture: the light of each channel, and its color in XYZ. */
export interface ColorProfile {
  curves: readonly [Curve, Curve, Curve];
  /** To linear sRGB. */
  matrix: Matrix;
}

/** From XYZ by the white of profiles (D50) to linear sRGB. */
const TO_SRGB: Matrix = [
  3.1341359569958707,
  -1.6173863321612538,
  -0.4906619460083532,
  -0.978795502912089,
  1.916254567259524,
  0.03344273116131949,
  0.07195537988411677,
  -0.2289768264158322,
  1.405386058324125,
];

/** The profile of a picture that is not sRGB; null for sRGB, no profile, and a profile without a matrix. */
export function colorProfile(mime: PictureMime, bytes: Uint8Array): ColorProfile | null {
  const profile = readProfile(mime, bytes);
  const read = profile === null ? null : parsed(profile);
  return read === null || isSrgb(read) ? null : read;
}

/** Turns the numbers of a picture into those of sRGB. */
export function toSrgb(picture: ImageData, { curves, matrix }: ColorProfile): ImageData {
  const { data } = picture;
  const [red, green, blue] = curves;
  const [a, b, c, d, e, f, g, h, i] = matrix;
  for (let at = 0; at < data.length; at += 4) {
    const [r, s, t] = [red[data[at]!]!, green[data[at + 1]!]!, blue[data[at + 2]!]!];
    data[at] = encoded(a * r + b * s + c * t);
    data[at + 1] = encoded(d * r + e * s + f * t);
    data[at + 2] = encoded(g * r + h * s + i * t);
  }
  return picture;
}

/** Distinguished steps of linear light: fine enough for the darkest sRGB values, 1/49,140 apart. */
const STEPS = 16_383;
const ENCODED = Uint8ClampedArray.from({ length: STEPS + 1 }, (_, step) => {
  const light = step / STEPS;
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
});

function encoded(light: number): number {
  return ENCODED[Math.round(Math.min(1, Math.max(0, light)) * STEPS)]!;
}

function isSrgb(profile: ColorProfile): boolean {
  const samples = [0, 32, 64, 100, 128, 200, 255];
  const colors = samples.flatMap((one) => [[one, one, one], [one, 100, 30], [30, one, 200]]);
  const data = Uint8ClampedArray.from(colors.flatMap((color) => [...color, 255]));
  const shown = toSrgb(new ImageData(data.slice(), colors.length, 1), profile).data;
  return data.every((value, at) => Math.abs(value - (shown[at] ?? NaN)) <= 1);
}

/** The bytes of the profile in a picture. */
function readProfile(mime: PictureMime, bytes: Uint8Array): Uint8Array | null {
  switch (mime) {
    case "image/jpeg":
      return profileOfJpeg(bytes);
    case "image/png":
      return profileOfPng(bytes);
    case "image/webp":
      return profileOfWebp(bytes);
    case "image/avif":
      return profileOfAvif(bytes);
    case "image/gif":
      return null;
  }
}

/** A profile is in segments of its own, numbered from 1. */
function profileOfJpeg(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes);
  const parts: Uint8Array[] = [];
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xda) break;
    const length = view.getUint16(at + 2);
    if (marker === 0xe2 && textAt(bytes, at + 4, 12) === "ICC_PROFILE\0") {
      parts[view.getUint8(at + 16) - 1] = bytes.subarray(at + 18, at + 2 + length);
    }
    at += 2 + length;
  }
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? null : joinBytes(known);
}

function profileOfPng(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes);
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = textAt(bytes, at + 4, 4);
    if (type === "IDAT") return null;
    if (type === "iCCP") {
      const chunk = bytes.subarray(at + 8, at + 8 + length);
      const name = chunk.indexOf(0);
      return name < 0 ? null : inflated(chunk.subarray(name + 2));
    }
    at += 12 + length;
  }
  return null;
}

function inflated(bytes: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(bytes, { maxOutputLength: PROFILE_BYTES_MAX });
  } catch {
    // An unreadable profile is treated as none.
    return null;
  }
}

function profileOfWebp(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes);
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    if (textAt(bytes, at, 4) === "ICCP") return bytes.subarray(at + 8, at + 8 + length);
    at += 8 + length + length % 2;
  }
  return null;
}

/** A color box may be anywhere among the properties, which are at the beginning. */
function profileOfAvif(bytes: Uint8Array): Uint8Array | null {
  const head = textAt(bytes, 0, Math.min(bytes.length, PROFILE_BYTES_MAX));
  const at = head.indexOf("colrprof");
  if (at < 4) return null;
  return bytes.subarray(at + 8, at - 4 + viewOf(bytes).getUint32(at - 4));
}

/** The curves and the matrix of a profile; null if it has none or is malformed. */
function parsed(profile: Uint8Array): ColorProfile | null {
  try {
    const view = viewOf(profile);
    const tags = new Map<string, number>();
    for (let n = 0, count = Math.min(view.getUint32(128), 200); n < count; n++) {
      tags.set(textAt(profile, 132 + n * 12, 4), view.getUint32(136 + n * 12));
    }
    const space = textAt(profile, 16, 4);
    if (textAt(profile, 20, 4) !== "XYZ ") return null;
    const gray = tags.get("kTRC");
    if (space === "GRAY" && gray !== undefined) {
      const curve = curveAt(view, gray);
      return { curves: [curve, curve, curve], matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
    }
    if (space !== "RGB ") return null;
    // A missing tag is read beyond the end.
    const at = (name: string) => tags.get(name) ?? profile.byteLength;
    const [r, g, b] = [xyzAt(view, at("rXYZ")), xyzAt(view, at("gXYZ")), xyzAt(view, at("bXYZ"))];
    const curves: ColorProfile["curves"] = [
      curveAt(view, at("rTRC")),
      curveAt(view, at("gTRC")),
      curveAt(view, at("bTRC")),
    ];
    const columns: Matrix = [r.x, g.x, b.x, r.y, g.y, b.y, r.z, g.z, b.z];
    return { curves, matrix: product(TO_SRGB, columns) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function xyzAt(view: DataView, at: number): { x: number; y: number; z: number } {
  return { x: fixedAt(view, at + 8), y: fixedAt(view, at + 12), z: fixedAt(view, at + 16) };
}

function fixedAt(view: DataView, at: number): number {
  return view.getInt32(at) / 65_536;
}

function curveAt(view: DataView, at: number): Curve {
  const type = view.getUint32(at);
  const light = type === 0x63757276 ? tableAt(view, at) : parametricAt(view, at);
  return Float64Array.from({ length: 256 }, (_, value) => light(value / 255));
}

/** `curv`: nothing, a power, or samples. */
function tableAt(view: DataView, at: number): (value: number) => number {
  const count = view.getUint32(at + 8);
  if (count === 0) return (value) => value;
  if (count === 1) {
    const power = view.getUint16(at + 12) / 256;
    return (value) => value ** power;
  }
  return (value) => {
    const position = value * (count - 1);
    const low = Math.floor(position);
    const sample = (n: number) => view.getUint16(at + 12 + 2 * Math.min(n, count - 1)) / 65_535;
    return sample(low) + (sample(low + 1) - sample(low)) * (position - low);
  };
}

/** `para`: a power with a straight part. */
function parametricAt(view: DataView, at: number): (value: number) => number {
  const kind = view.getUint16(at + 8);
  const count = [1, 3, 4, 5, 7][kind];
  if (count === undefined) throw new RangeError("An unknown kind of curve");
  const [g = 1, a = 1, b = 0, c = 0, d = -Infinity, e = 0, f = 0] = Array.from(
    { length: count },
    (_, n) => fixedAt(view, at + 12 + 4 * n),
  );
  switch (kind) {
    case 0:
      return (value) => value ** g;
    case 1:
      return (value) => value >= -b / a ? (a * value + b) ** g : 0;
    case 2:
      return (value) => value >= -b / a ? (a * value + b) ** g + c : c;
    default:
      return (value) => value >= d ? (a * value + b) ** g + e : c * value + f;
  }
}

function product([a, b, c, d, e, f, g, h, i]: Matrix, other: Matrix): Matrix {
  const [r, s, t, u, v, w, x, y, z] = other;
  return [
    ...[a * r + b * u + c * x, a * s + b * v + c * y, a * t + b * w + c * z] as const,
    ...[d * r + e * u + f * x, d * s + e * v + f * y, d * t + e * w + f * z] as const,
    ...[g * r + h * u + i * x, g * s + h * v + i * y, g * t + h * w + i * z] as const,
  ];
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const latin1 = new TextDecoder("latin1");

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return latin1.decode(bytes.subarray(at, at + length));
}
