/**
 * The tags of documents: the values of choice and reference fields with the role `tags` or `author`. If lists can be
 * filtered by such a field, each of its values has pages of its own on the public site.
 *
 * @module
 */
import type { Collection } from "../entities/collection.ts";
import type { DocumentState } from "../entities/document.ts";
import type { FieldDefinition } from "./field_definition.ts";
import { isForMachines } from "./field_role.ts";
import { onlyTarget } from "./reference_target.ts";
import { fieldType } from "./types/registry.ts";
import { isAuthorField } from "./author_field.ts";
import { perObject } from "../primitives/per_object.ts";
import { isUlid } from "../values/ulid.ts";
import { sha256 } from "../values/sha256.ts";
import { slugify } from "../values/slug.ts";

/** Characters of the hash that identifies a choice. */
const HASH_CHARS = 16;
/** Characters of the hash that distinguishes choices with the same slug. */
const SHORT_HASH_CHARS = 6;
/** Reserved: pages of a collection have paths such as `/posts/page/2`. */
const TAKEN_NAME = "page";

/** A value that documents of a collection are tagged with: a choice, or the id of a document. */
export interface Tag {
  field: FieldDefinition;
  value: string;
}

/**
 * A tag by its id, and what the document does there: it leaves (0), comes to a new place among those of the tag (1), or
 * stays at its place (2).
 */
export type ChangedTag = [tagId: string, change: number];

/** The fields of a collection whose values have pages. */
export function tagFields({ fields }: Pick<Collection, "fields">): FieldDefinition[] {
  return fields.filter((field) => field.indexed && field.name !== TAKEN_NAME && holdsTags(field));
}

/** The tags of a document, in the order of its fields. */
export function tagsOf(
  collection: Pick<Collection, "fields">,
  { data }: Pick<DocumentState, "data">,
): Tag[] {
  return tagFields(collection).flatMap((field) => {
    const value = Object.hasOwn(data, field.key) ? data[field.key] : null;
    const values = Array.isArray(value) ? value : [value];
    return values.filter((one) => isTag(field, one)).map((one) => ({ field, value: one }));
  });
}

/** Whether a value is a tag: documents keep the value of a removed choice, which is none. */
function isTag(field: FieldDefinition, value: unknown): value is string {
  if (typeof value !== "string") return false;
  return areDocuments(field) || field.options.choices?.includes(value) === true;
}

/** A short ID of a tag within its collection. */
export function tagId({ field, value }: Tag): string {
  return `${field.key}-${areDocuments(field) ? value : hashOf(value)}`;
}

/** Whether the tag of an id is a document. */
export function isDocumentTag(id: string): boolean {
  return isUlid(id.slice(id.lastIndexOf("-") + 1));
}

/** The tag of an id; null when its field or choice is no more. */
export function findTag(collection: Pick<Collection, "fields">, id: string): Tag | null {
  const field = tagFields(collection).find(({ key }) => id.startsWith(`${key}-`));
  if (field === undefined) return null;
  const rest = id.slice(field.key.length + 1);
  if (areDocuments(field)) return { field, value: rest };
  const value = field.options.choices?.find((choice) => hashOf(choice) === rest);
  return value === undefined ? null : { field, value };
}

/** The tags whose pages change with a document; both states are published ones. */
export function changedTags(
  collection: Pick<Collection, "fields">,
  before: DocumentState | null,
  after: DocumentState | null,
): ChangedTag[] {
  const tagIds = (state: DocumentState | null) =>
    new Set(state === null ? [] : tagsOf(collection, state).map(tagId));
  const [was, is] = [tagIds(before), tagIds(after)];
  const hasMoved = before?.publishedAt !== after?.publishedAt;
  return [...was.union(is)].map((id) => {
    if (!is.has(id)) return [id, 0];
    return [id, hasMoved || !was.has(id) ? 1 : 2];
  });
}

/** The last part of the path of a choice: its slug, with a hash of its text if the slug is ambiguous. */
export function choiceSlug(field: FieldDefinition, choice: string): string {
  return slugsOf(field).get(choice) ?? `${slugify(choice)}-${shortHash(choice)}`;
}

/** The choice of a field with this last part of the path. */
export function choiceAt(field: FieldDefinition, slug: string): string | undefined {
  for (const [choice, own] of slugsOf(field)) if (own === slug) return choice;
  return undefined;
}

const slugsOf = perObject((field: FieldDefinition): ReadonlyMap<string, string> => {
  const alike = Map.groupBy(field.options.choices ?? [], (choice) => slugify(choice));
  const slugs = new Map<string, string>();
  for (const [slug, choices] of alike) {
    for (const choice of choices) {
      slugs.set(choice, choices.length === 1 ? slug : `${slug}-${shortHash(choice)}`);
    }
  }
  return slugs;
});

/** Whether the tags of a field are documents, and not choices. */
export function areDocuments({ type }: FieldDefinition): boolean {
  return fieldType(type).referenceTo === "document";
}

function holdsTags(field: FieldDefinition): boolean {
  const { type, options } = field;
  // Slugs are unique within a collection only.
  if (areDocuments(field) && onlyTarget(options) === undefined) return false;
  if (isAuthorField(field)) return true;
  const [usualRole] = isForMachines(field) ? [] : fieldType(type).roles;
  return (options.role ?? usualRole) === "tags";
}

const hashes = new Map<string, string>();
const HASHES_KEPT = 10_000;

/** Cached by text, for a limited number of texts. */
function hashOf(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  if (hashes.size >= HASHES_KEPT) hashes.clear();
  const hash = sha256(text).slice(0, HASH_CHARS);
  hashes.set(text, hash);
  return hash;
}

function shortHash(text: string): string {
  return hashOf(text).slice(0, SHORT_HASH_CHARS);
}
