/**
 * Bytes outside the database: spilled states, media, backups. Keys are slash-separated paths from
 * `paths.ts`; a put is atomic (a reader sees all of the old bytes or all of the new).
 *
 * @module
 */
import { ObjectStoreUnavailable } from "../unavailable.ts";

/** The metadata of an object, available without reading it. */
export interface ObjectInfo {
  key: string;
  bytes: number;
  /** Epoch milliseconds of the last put. */
  modifiedAt: number;
}

/** A byte range of an object: `end` is exclusive and defaults to the object's end. */
export interface ObjectRange {
  start: number;
  end?: number;
}

/** Thrown when bytes that a row names are not there, or are others: the folder or bucket is another one. */
export class ObjectMissing extends ObjectStoreUnavailable {
  override name = "ObjectMissing";
}

/** Storage for bytes: files, memory or S3. */
export interface ObjectStore {
  /** Stores bytes under `key`, replacing what was there. */
  put(key: string, body: Uint8Array, options?: { contentType?: string }): Promise<void>;
  /** Stores a stream of unknown length under `key`; nothing is there when the stream fails. */
  putStream(
    key: string,
    body: ReadableStream<Uint8Array>,
    options?: { contentType?: string },
  ): Promise<{ bytes: number }>;
  /** All bytes, or null when there is no such object. */
  get(key: string): Promise<Uint8Array | null>;
  /** The bytes as a stream, or null when there is no such object. */
  getStream(key: string, range?: ObjectRange): Promise<ReadableStream<Uint8Array> | null>;
  /** Size and time, or null when there is no such object. */
  head(key: string): Promise<ObjectInfo | null>;
  /** Removes an object; does not throw when there is none. */
  delete(key: string): Promise<void>;
  /** Every object below a prefix, in key order; only those behind the key `after`, when it is given. */
  list(prefix: string, after?: string): AsyncIterable<ObjectInfo>;
}
