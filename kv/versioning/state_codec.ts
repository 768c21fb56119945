/**
 * States as bytes. In rows a state is JSON, deflated if that saves enough; the first byte tells the form. In the
 * object store and in backups a state is always JSON.
 *
 * A deflated state is the byte {@linkcode DEFLATED}, the length of its JSON (32 bits, little-endian) and raw deflate
 * data (RFC 1951). JSON never starts with that byte.
 *
 * @module
 */
import { deflateRawSync, inflateRawSync, type ZlibOptions } from "node:zlib";
import {
  DEFLATE_BUFFER_BYTES_MAX,
  DEFLATE_BUFFER_BYTES_MIN,
  DEFLATE_WINDOW_BITS_MAX,
  DEFLATE_WINDOW_BITS_MIN,
  DEFLATED_STATE_BYTES_MIN,
} from "../tuning.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";

/** The first byte of a deflated state. */
const DEFLATED = 1;
const HEADER_BYTES = 5;
/** Higher levels take up to three times as long and save a twentieth. */
const LEVEL = 4;
/** The difference between the size of the window and that of the hash table with the same number of entries. */
const MEMORY_LEVEL_BELOW = 7;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A state as JSON. */
export function encodeState(state: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(state));
}

/** Decodes a state from JSON or from the form that rows hold. */
export function decodeState<T extends EntityType>(bytes: Uint8Array): StateOf<T> {
  return JSON.parse(decoder.decode(unpackState(bytes)));
}

/** The form of a state's JSON that rows hold; bytes that have it already are returned as they are. */
export function packState(json: Uint8Array): Uint8Array {
  if (json.byteLength < DEFLATED_STATE_BYTES_MIN || isDeflated(json)) return json;
  const deflated = deflateRawSync(json, deflateOptions(json.byteLength));
  if (deflated.byteLength + HEADER_BYTES >= json.byteLength) return json;
  const packed = new Uint8Array(HEADER_BYTES + deflated.byteLength);
  packed[0] = DEFLATED;
  viewOf(packed).setUint32(1, json.byteLength, true);
  packed.set(deflated, HEADER_BYTES);
  return packed;
}

/** The JSON of a state in either form. */
export function unpackState(bytes: Uint8Array): Uint8Array {
  if (!isDeflated(bytes)) return bytes;
  // With room for one byte more, the end of the data is found without a second buffer.
  const chunkSize = bufferBytes(unpackedBytes(bytes) + 1);
  return inflateRawSync(bytes.subarray(HEADER_BYTES), { chunkSize });
}

/** A window and buffers no larger than the data: most states are small, and zlib clears its tables for each. */
function deflateOptions(bytes: number): ZlibOptions {
  const bits = 32 - Math.clz32(bytes - 1);
  const windowBits = Math.min(DEFLATE_WINDOW_BITS_MAX, Math.max(DEFLATE_WINDOW_BITS_MIN, bits));
  const memLevel = windowBits - MEMORY_LEVEL_BELOW;
  return { level: LEVEL, windowBits, memLevel, chunkSize: bufferBytes(bytes) };
}

function bufferBytes(bytes: number): number {
  return Math.min(DEFLATE_BUFFER_BYTES_MAX, Math.max(DEFLATE_BUFFER_BYTES_MIN, bytes));
}

/** The length of a state's JSON, bytes. */
export function unpackedBytes(bytes: Uint8Array): number {
  return isDeflated(bytes) ? viewOf(bytes).getUint32(1, true) : bytes.byteLength;
}

function isDeflated(bytes: Uint8Array): boolean {
  return bytes[0] === DEFLATED;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
