/**
 * Slugs of collections in the options of reference fields.
 *
 * @module
 */
import { z } from "zod";
import { SLUG_CHARS_MAX, TARGET_COLLECTIONS_MAX } from "../../limits/content.ts";
import { distinct } from "../values/choices.ts";
import { SLUG } from "../values/slug.ts";

/** The slug of a target collection. */
export const COLLECTION_SLUG = z.string().max(SLUG_CHARS_MAX).regex(SLUG);

/** The `collections` option: the slugs of the collections that references may lead to. */
export const collectionSlugs = distinct(
  z.array(COLLECTION_SLUG).min(1).max(TARGET_COLLECTIONS_MAX),
);
