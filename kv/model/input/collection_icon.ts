/**
 * The icons of collections, by name; the admin application draws them.
 *
 * @module
 */

/** The icons that a collection chooses from. */
export const COLLECTION_ICONS = [
  "document",
  "page",
  "news",
  "book",
  "quote",
  "comment",
  "question",
  "tag",
  "list",
  "person",
  "users",
  "event",
  "ticket",
  "place",
  "map",
  "travel",
  "building",
  "museum",
  "shop",
  "product",
  "gift",
  "clothes",
  "recipe",
  "food",
  "leaf",
  "image",
  "camera",
  "video",
  "music",
  "microphone",
  "job_offer",
  "study",
  "chart",
  "trophy",
  "idea",
  "announcement",
  "heart",
  "star",
  "flag",
  "rocket",
  "tool",
  "globe",
  "link",
  "mail",
] as const;

/** One of {@linkcode COLLECTION_ICONS}. */
export type CollectionIcon = (typeof COLLECTION_ICONS)[number];
