/**
 * The description as bytes, kept while the schema stays the same.
 *
 * @module
 */
import type { Schema } from "../../../kv/model/collection.ts";
import { sha256 } from "../../../kv/sha256.ts";

/** Bytes to answer with, and their strong entity tag. */
export interface Rendered {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
}

/** Origins that are kept at the same time; the Host header is the caller's to choose. */
const ORIGINS_MAX = 4;

/** Calls `render` once per schema and origin. */
export function keptBySchema(
  render: (schema: Schema, origin: string) => string,
): (schema: Schema, origin: string) => Rendered {
  let present: Schema | null = null;
  const kept = new Map<string, Rendered>();
  return function rendered(schema, origin) {
    if (schema !== present && (present === null || schema.stamp !== present.stamp)) kept.clear();
    present = schema;
    const found = kept.get(origin);
    if (found !== undefined) return found;
    const body = new TextEncoder().encode(render(schema, origin));
    const fresh = { body, etag: `"${sha256(body).slice(0, 32)}"` };
    if (kept.size >= ORIGINS_MAX) kept.delete(kept.keys().next().value!);
    kept.set(origin, fresh);
    return fresh;
  };
}
