/**
 * The description as bytes, as they are and compressed, kept while the schema stays the same.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { DESCRIBED_ORIGINS_MAX } from "../../input/limits.ts";

/** Bytes to answer with, and their strong entity tag. */
export interface Rendered {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
}

/** The text in every encoding, each with its own ETag. */
export interface Encodings {
  plain: Rendered;
  /** Compressed when first asked for. */
  zipped(): Rendered;
}

/** Calls `render` once per schema and origin. */
export function cachedBySchema(
  render: (schema: Schema, origin: string) => string,
): (schema: Schema, origin: string) => Encodings {
  let present: Schema | null = null;
  const cache = new Map<string, Encodings>();
  return function rendered(schema, origin) {
    if (schema !== present && (present === null || schema.stamp !== present.stamp)) cache.clear();
    present = schema;
    const found = cache.get(origin);
    if (found !== undefined) return found;
    const fresh = encodingsOf(new TextEncoder().encode(render(schema, origin)));
    if (cache.size >= DESCRIBED_ORIGINS_MAX) cache.delete(cache.keys().next().value!);
    cache.set(origin, fresh);
    return fresh;
  };
}

function encodingsOf(body: Uint8Array<ArrayBuffer>): Encodings {
  const tag = sha256(body).slice(0, 32);
  let zipped: Rendered | null = null;
  return {
    plain: { body, etag: `"${tag}"` },
    zipped: () => zipped ??= { body: new Uint8Array(gzipSync(body)), etag: `"${tag}-gzip"` },
  };
}
