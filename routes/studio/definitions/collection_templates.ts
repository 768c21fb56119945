/**
 * Templates of new collections: common fields for each kind of content, which can be changed like any others.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";

/** The template of a collection. */
export interface CollectionTemplate {
  /** Its slug, which also chooses its icon. */
  slug: string;
  /** The singular name of its documents. */
  label: string;
  name: string;
  /** Whether publication dates are hidden. */
  undated?: true;
  fields: { [key: string]: Json; label: string }[];
}

/** Shown in the sidebar if the window is wide enough. */
const SIDE = { side: true };
const COVER = { name: "cover", label: "Cover", type: "media", options: SIDE };
const BODY = { name: "body", label: "Body", type: "rich_text" };
const LINE = { type: "text", options: { maxLength: 200 } };
const PARAGRAPH = { type: "text", options: { multiline: true, maxLength: 400 } };

/** The templates, in the order in which they are offered. */
export const COLLECTION_TEMPLATES: readonly CollectionTemplate[] = [
  {
    slug: "articles",
    label: "Article",
    name: "Articles",
    fields: [
      COVER,
      { name: "standfirst", label: "Standfirst", ...PARAGRAPH },
      BODY,
      { name: "featured", label: "Featured", type: "boolean", indexed: true, options: SIDE },
    ],
  },
  {
    slug: "pages",
    label: "Page",
    name: "Pages",
    undated: true,
    fields: [COVER, { name: "standfirst", label: "Introduction", ...PARAGRAPH }, BODY],
  },
  {
    slug: "events",
    label: "Event",
    name: "Events",
    fields: [
      COVER,
      { name: "starts", label: "Starts", type: "datetime", required: true, sortable: true },
      { name: "ends", label: "Ends", type: "datetime", sortable: true },
      { name: "place", label: "Place", ...LINE, indexed: true },
      { name: "link", label: "Tickets", type: "url" },
      BODY,
    ],
  },
  {
    slug: "products",
    label: "Product",
    name: "Products",
    undated: true,
    fields: [
      COVER,
      { name: "number", label: "Article number", ...LINE, unique: true, indexed: true },
      {
        name: "price",
        label: "Price",
        type: "number",
        options: { min: 0 },
        indexed: true,
        sortable: true,
      },
      { name: "available", label: "Available", type: "boolean", indexed: true, options: SIDE },
      BODY,
    ],
  },
  {
    slug: "authors",
    label: "Author",
    name: "Authors",
    undated: true,
    fields: [
      { name: "portrait", label: "Portrait", type: "media", options: SIDE },
      { name: "role", label: "Role", ...LINE },
      { name: "bio", label: "About", ...PARAGRAPH },
      { name: "email", label: "Email", type: "email" },
    ],
  },
];
