/**
 * The schema of the example site, a magazine: a field of every type somewhere.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";

/** A definition as a body of the admin API. */
type Definition = { [key: string]: Json };

const text = (name: string, label: string, more: Definition = {}): Definition => ({
  name,
  label,
  type: "text",
  ...more,
});
const image = (name: string, label: string): Definition => ({ name, label, type: "media" });
const address = (name: string, label: string): Definition => ({ name, label, type: "url" });

/** Sections of the magazine. */
export const SECTIONS = ["Light", "Weather", "Machines", "Places"];
/** Tags of articles. */
export const TAGS = ["essay", "interview", "how-to", "history", "night", "coast", "repair"];

/** Kinds of blocks. */
export const BLOCKS: Definition[] = [
  {
    name: "quote",
    label: "Quote",
    fields: [
      text("words", "Words", { required: true, options: { multiline: true } }),
      text("speaker", "Speaker"),
    ],
  },
  {
    name: "picture",
    label: "Picture",
    fields: [image("image", "Image"), text("caption", "Caption")],
  },
  {
    name: "notice",
    label: "Notice",
    fields: [
      { name: "kind", label: "Kind", type: "select", options: { choices: ["hint", "warning"] } },
      { name: "body", label: "Body", type: "rich_text" },
    ],
  },
];

/** The group of what leads on from an article. */
const READING = "Further reading";

/** The same field, in the column beside the form. */
function beside(definition: Definition): Definition {
  const options = definition.options as Definition | undefined;
  return { ...definition, options: { ...options, side: true } };
}

const AUTHORS: Definition[] = [
  text("role", "Role"),
  { name: "bio", label: "Biography", type: "rich_text" },
  beside(image("portrait", "Portrait")),
  beside({ name: "contact", label: "Contact", type: "email", indexed: true }),
  beside(address("website", "Website")),
];

const ARTICLES: Definition[] = [
  text("standfirst", "Standfirst", { required: true, options: { maxLength: 400 } }),
  { name: "body", label: "Body", type: "rich_text" },
  beside({
    name: "section",
    label: "Section",
    type: "select",
    required: true,
    indexed: true,
    sortable: true,
    options: { choices: SECTIONS },
  }),
  beside({
    name: "tags",
    label: "Tags",
    type: "multi_select",
    indexed: true,
    options: { choices: TAGS },
  }),
  beside({
    name: "author",
    label: "Author",
    type: "reference",
    indexed: true,
    options: { collection: "authors" },
  }),
  {
    name: "related",
    label: "Related article",
    type: "reference",
    options: { collection: "articles", group: READING },
  },
  beside(image("cover", "Cover")),
  beside({
    name: "minutes",
    label: "Minutes to read",
    type: "number",
    indexed: true,
    sortable: true,
    // Pages tell it by themselves.
    options: { min: 1, max: 120, integer: true, role: "hidden" },
  }),
  beside({
    name: "featured",
    label: "Featured",
    type: "boolean",
    indexed: true,
    options: { default: false },
  }),
  {
    name: "sources",
    label: "Sources",
    type: "repeater",
    options: { fields: [text("name", "Name"), address("link", "Link")], group: READING },
  },
  {
    name: "seo",
    label: "Search engines",
    type: "group",
    options: { fields: [text("heading", "Heading"), text("summary", "Summary")] },
  },
  {
    name: "extras",
    label: "Extras",
    type: "block",
    options: { allowed: ["quote", "picture", "notice"] },
  },
  { name: "facts", label: "Facts", type: "json" },
];

const EVENTS: Definition[] = [
  {
    name: "startsAt",
    label: "Starts",
    type: "datetime",
    required: true,
    indexed: true,
    sortable: true,
  },
  beside({ name: "price", label: "Price", type: "number", sortable: true, options: { min: 0 } }),
  beside({ name: "outdoors", label: "Outdoors", type: "boolean", indexed: true }),
  beside(image("poster", "Poster")),
  address("tickets", "Tickets"),
  { name: "contact", label: "Contact", type: "email" },
  {
    name: "venue",
    label: "Venue",
    type: "group",
    options: { fields: [text("name", "Name"), text("street", "Street")] },
  },
  {
    name: "programme",
    label: "Programme",
    type: "repeater",
    options: {
      fields: [text("time", "Time"), text("what", "What")],
    },
  },
  { name: "about", label: "About", type: "rich_text" },
];

const NOTES: Definition[] = [
  { name: "body", label: "Body", type: "rich_text", required: true },
  text("code", "Code", { unique: true, indexed: true, options: { pattern: "^N-[0-9]{3}$" } }),
];

/** The collections, in the order in which they are made. */
export const COLLECTIONS: Definition[] = [
  {
    slug: "authors",
    name: "Authors",
    description: "Who writes",
    // Their names beside what they have written lead to them.
    unlisted: true,
    fields: AUTHORS,
  },
  { slug: "articles", name: "Articles", description: "Long and short reads", fields: ARTICLES },
  { slug: "events", name: "Events", description: "Where readers meet", fields: EVENTS },
  { slug: "notes", name: "Notes", description: "Short notes", fields: NOTES },
];
