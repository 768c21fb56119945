/**
 * Files of a transfer, and the rows that are read from them.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { JsonObject } from "../../../kv/model/values/json_object.ts";

/** A file: one that was uploaded, or one out of an archive. */
export interface SourceFile {
  /** Its path in the archive, or its name. */
  path: string;
  bytes: number;
  /** The object that holds it. */
  object: string;
}

/** A file that can be read. */
export interface ReadableFile extends SourceFile {
  open(): Promise<ReadableStream<Uint8Array>>;
}

/** What is wrong with a row, or worth knowing about it. */
export interface Problem {
  path: string;
  code: string;
  message: string;
  value?: Json;
}

/** A row of a source. */
export interface SourceRow {
  /** Its kind, such as a table, a type of posts or a folder. */
  source: string;
  /** What identifies it in its source; null to be found out. */
  id: string | null;
  data: JsonObject;
  /** Why it cannot be read. */
  problem?: Problem;
  /** Set if it is one language of a document that other rows of its kind have in others. */
  translation?: { group: string; language: string };
}

/** An upload, or a file, that cannot be transferred. The message is for its sender. */
export class BadSource extends Error {
  override name = "BadSource";
}
