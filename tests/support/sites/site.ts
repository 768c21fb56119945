/**
 * A small site to render: a schema, documents with good and with hostile content, and the facts around.
 *
 * @module
 */
import type { BlockDefinition, Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type {
  FieldDefinition,
  FieldTypeName,
  NestedField,
} from "../../../kv/model/fields/field_definition.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { DayFormat } from "../../../jobs/render/views/date_view.ts";
import { Theme } from "../../../jobs/render/theme/theme.ts";
import type { Lookup, Rendering } from "../../../jobs/render/views/view.ts";

/** Facts of the site. */
export const SITE = {
  title: "The Lantern",
  description: "Notes on light, weather and old machines.",
  url: "https://lantern.example",
  language: "en",
  timezone: "UTC",
  imageTransforms: false,
};

/** A lookup that finds nothing. */
export const NOTHING: Lookup = { medium: () => null, document: () => null };

/** A nested field. */
export function nested(
  name: string,
  type: FieldTypeName,
  options: NestedField["options"] = {},
): NestedField {
  const label = name[0]!.toUpperCase() + name.slice(1);
  return { name, label, type, required: false, help: "", options };
}

/** A field of a collection; documents keep its value under its name. */
export function field(
  name: string,
  type: FieldTypeName,
  options: NestedField["options"] = {},
): FieldDefinition {
  const flags = { unique: false, indexed: false, sortable: false, position: 0 };
  const facts = { id: name, collectionId: "posts", key: name, createdAt: 0, updatedAt: 0 };
  return { ...nested(name, type, options), ...flags, ...facts } as FieldDefinition;
}

/** A collection with these fields. */
export function collection(slug: string, fields: FieldDefinition[]): Collection {
  const name = slug[0]!.toUpperCase() + slug.slice(1);
  return {
    id: slug,
    slug,
    name,
    description: "",
    exposed: true,
    createdAt: 0,
    updatedAt: 0,
    fields,
  };
}

/** A schema of these collections and blocks. */
export function schema(collections: Collection[], blocks: BlockDefinition[] = []): Schema {
  return {
    stamp: "1",
    collections,
    bySlug: new Map(collections.map((one) => [one.slug, one])),
    byId: new Map(collections.map((one) => [one.id, one])),
    blocks: new Map(blocks.map((block) => [block.name, block])),
  };
}

/** A block definition. */
export function blockDefinition(name: string, fields: NestedField[]): BlockDefinition {
  return { id: name, name, label: name, fields, createdAt: 0, updatedAt: 0 };
}

/** A published document of `posts`. */
export function published(
  slug: string,
  values: Record<string, Json> = {},
  facts: Partial<DocumentState> = {},
): PublishedDocument {
  return {
    id: slug.toUpperCase(),
    collectionId: "posts",
    slug,
    title: slug,
    status: "published",
    createdAt: 1_780_000_000,
    updatedAt: 1_780_000_100,
    publishedAt: 1_780_000_000,
    publishAt: null,
    data: values,
    blocks: [],
    ...facts,
  } as PublishedDocument;
}

/** What everything is rendered from. */
export function rendering(collections: Collection[], blocks: BlockDefinition[] = []): Rendering {
  return {
    site: SITE,
    schema: schema(collections, blocks),
    theme: new Theme(),
    days: new DayFormat(SITE),
  };
}

/** A paragraph of Portable Text. */
export function paragraph(text: string, facts: Record<string, Json> = {}): Json {
  return {
    _type: "block",
    _key: text.slice(0, 8),
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", text, marks: [] }],
    ...facts,
  };
}

/** A page's body as text. */
export function bodyText(page: { body: Uint8Array }): string {
  return new TextDecoder().decode(page.body);
}
