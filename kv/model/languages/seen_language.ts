/**
 * What a view of a document in a language tells besides the document: it travels with the view's state, and is
 * never stored.
 *
 * @module
 */
import type { Collection } from "../entities/collection.ts";
import type { Json } from "../entities/entity.ts";

/** The property of a view. A symbol, so that it is in no JSON. */
export const SEEN: unique symbol = Symbol("seen language");

/** Keys of a document on the wire that tell of languages. */
export const LANGUAGE_KEYS = ["_language", "_fallback", "_languages", "_translations"] as const;

/** Adds the keys of {@linkcode LANGUAGE_KEYS} that a request asked for. */
export type Seen = (wire: Record<string, Json>, collection: Collection) => void;
