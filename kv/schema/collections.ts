/**
 * Collections: defining, changing and removing them. Every write of the schema checks and touches the
 * schema's version key, so that schema writes go one after the other and every document write is decided by
 * the schema that it is committed under.
 *
 * @module
 */
import { sameJson } from "../model/values/same_json.ts";
import { saveBlock } from "./blocks.ts";
import type { Content } from "../documents/content.ts";
import { schemaOf } from "../documents/write.ts";
import type { Head } from "../versioning/entities.ts";
import { livingCount, refuseOthers } from "../documents/singleton.ts";
import { saveField } from "./field_rules.ts";
import { freeKey, newField } from "./fields.ts";
import { fieldLanguageDetails, languageKeyDetails, refuseLanguagePath } from "./languages.ts";
import { refuseUnknownTargets } from "./target_collections.ts";
import { indexVersionKey } from "../index/index_keys.ts";
import { COLLECTIONS_MAX } from "../limits/content.ts";
import { type Collection, getCollection, type Schema } from "../model/entities/collection.ts";
import type { CollectionInput, CollectionPatch } from "../model/input/collection_input.ts";
import type { Actor } from "../model/entities/entity.ts";
import { renameScopes } from "../people/tokens.ts";
import { retargetedAll, retargetedField } from "../model/fields/reference_target.ts";
import { Refusal } from "../refusals.ts";
import { requestSiteRendering } from "../pages/rendering_requests.ts";
import type { SaveOptions, Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** How a collection or field is defined. */
export interface DefineOptions<T> extends SaveOptions {
  /** The id of a new collection. */
  id?: string;
  /** Adds to the commit. */
  also?: (transaction: Transaction, defined: T) => void;
}

/** Defines a collection together with its fields. */
export async function createCollection(
  content: Content,
  actor: Actor,
  input: CollectionInput,
  { id: givenId, also, ...options }: DefineOptions<Collection> = {},
): Promise<Collection> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    if (schema.collections.length >= COLLECTIONS_MAX) {
      throw new Refusal("CONFLICT", { about: `a site has at most ${COLLECTIONS_MAX} collections` });
    }
    refuseTakenSlug(schema.bySlug.has(input.slug));
    refuseLanguagePath(schema, input.slug);
    refuseLanguageKeys(schema, input);
    const id = givenId ?? transaction.newId();
    const at = transaction.at;
    const { fields, ...framing } = input;
    const pathOf = (index: number) => `fields.${index}.`;
    refuseUnknownTargets(schema, { fields, pathOf, created: input.slug });
    const collection: Collection = {
      id,
      ...markedCollection(framing),
      createdAt: at,
      updatedAt: at,
      fields: [],
    };
    const head = givenId === undefined ? null : await transaction.head("collection", id);
    saveCollection(transaction, collection, head, options);
    for (const field of fields) {
      // A collection that never was has no former fields.
      const isNew = head === null || head.row === null;
      const key = isNew ? field.name : await freeKey(transaction, id, field.name);
      collection.fields.push(newField(transaction, collection, field, key, options));
    }
    also?.(transaction, collection);
    requestSiteRendering(transaction.operation, content.context);
    return collection;
  });
}

/** Properties that are omitted from a collection unless they are set. */
type Omissible =
  | "singleton"
  | "icon"
  | "singular"
  | "group"
  | "position"
  | "pageless"
  | "unlisted"
  | "undated"
  | "localized"
  | "languages"
  | "labels";

/** Changes what a collection is called, whether it is exposed, and whether it holds one document only; references follow a new slug. */
export async function patchCollection(
  content: Content,
  actor: Actor,
  slug: string,
  patch: CollectionPatch,
): Promise<Collection> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const collection = getCollection(schema, slug);
    refuseLanguageKeys(schema, { ...patch, fields: [] });
    const next = patched(collection, patch);
    if (next.singleton && !collection.singleton) {
      await refuseOthers(transaction, content, next, 1);
    }
    if (next.slug !== slug) {
      refuseTakenSlug(schema.bySlug.has(next.slug));
      refuseLanguagePath(schema, next.slug);
      await retargetReferences(transaction, schema, slug, next.slug);
    }
    if (sameJson(next, collection)) return collection;
    const head = await transaction.living("collection", collection.id);
    next.updatedAt = Math.max(transaction.at, head.row.at);
    if (!isOnlyArranged(collection, next)) {
      requestSiteRendering(transaction.operation, content.context);
    }
    saveCollection(transaction, next, head);
    return next;
  });
}

/** Whether two states of a collection differ only in ways that no page of the public site shows. */
function isOnlyArranged(before: Collection, after: Collection): boolean {
  return sameJson(pageFacts(before), pageFacts(after));
}

function pageFacts(
  { singular: _one, group: _group, position: _position, updatedAt: _at, ...rest }: Collection,
) {
  return rest;
}

function patched(collection: Collection, patch: CollectionPatch): Collection {
  return markedCollection({ ...collection, ...patch });
}

/** Marks that say no, and properties without a value, are left out. */
export function markedCollection<T extends Pick<CollectionPatch, Omissible>>(
  given: T,
): Omit<T, Omissible> & Pick<Collection, Omissible> {
  const {
    singleton,
    icon,
    singular,
    group,
    position,
    pageless,
    unlisted,
    undated,
    localized,
    languages,
    labels,
    ...rest
  } = given;
  return {
    ...rest,
    ...(singleton && { singleton }),
    ...(icon && { icon }),
    ...(singular && { singular }),
    ...(group && { group }),
    ...(typeof position === "number" && { position }),
    ...(pageless && { pageless }),
    ...(unlisted && { unlisted }),
    ...(undated && { undated }),
    ...(localized && { localized }),
    ...(languages && { languages }),
    ...(labels && Object.keys(labels).length > 0 && { labels }),
  };
}

/** Lets definitions and scopes that name a collection by its slug name the new one, in the same commit. */
export async function retargetReferences(
  transaction: Transaction,
  schema: Schema,
  from: string,
  to: string,
): Promise<void> {
  for (const field of schema.collections.flatMap(({ fields }) => fields)) {
    const next = retargetedField(field, from, to);
    if (next !== field) await saveField(transaction, next);
  }
  await renameScopes(transaction, from, to);
  for (const block of schema.blocks.values()) {
    const fields = retargetedAll(block.fields, from, to);
    if (fields !== block.fields) await saveBlock(transaction, { ...block, fields });
  }
}

/** Removes a collection and its fields; refused while it holds documents that are not trashed. */
export async function removeCollection(
  content: Content,
  actor: Actor,
  slug: string,
): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const collection = getCollection(schema, slug);
    await stageCollectionRemoval(transaction, content, collection);
    requestSiteRendering(transaction.operation, content.context);
  });
}

/** Adds the removal of a collection and its fields to a commit; see {@linkcode removeCollection}. */
export async function stageCollectionRemoval(
  transaction: Transaction,
  content: Content,
  collection: Collection,
  options: SaveOptions = {},
): Promise<void> {
  // Every write of a document touches this key: a concurrent document makes this fail.
  await transaction.get(indexVersionKey(collection.id));
  if (await livingCount(content, collection) > 0) {
    throw new Refusal("CONFLICT", { about: "the collection still holds documents" });
  }
  const head = await transaction.head("collection", collection.id);
  transaction.save("collection", collection.id, head, null, options);
  for (const field of collection.fields) {
    const fieldHead = await transaction.head("field_definition", field.id);
    transaction.save("field_definition", field.id, fieldHead, null, options);
  }
}

/** Refuses a definition whose keys about languages do not go with the site's. */
function refuseLanguageKeys(
  schema: Schema,
  { fields, ...framing }: CollectionPatch & Pick<CollectionInput, "fields">,
): void {
  const details = [
    ...languageKeyDetails(schema, framing),
    ...fields.flatMap((field, position) =>
      fieldLanguageDetails(schema, framing.localized === true, field, `fields.${position}.`)
    ),
  ];
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}

function refuseTakenSlug(taken: boolean): void {
  if (taken) throw new Refusal("CONFLICT", { about: "another collection already has this slug" });
}

function saveCollection(
  transaction: Transaction,
  collection: Collection,
  head: Head<"collection"> | null,
  options: SaveOptions = {},
): void {
  const { fields: _fields, ...state } = collection;
  transaction.save("collection", collection.id, head, state, options);
}
