/**
 * The schema as the store has it, cached by its guard's versionstamp: every request reads the guard
 * anyway, so a new collection is live for the next request in every process.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { liveEntities } from "../entities.ts";
import { importLockKey, schemaKey } from "../keys.ts";
import type { BlockDefinition, Collection, Schema } from "../model/collection.ts";
import type { FieldDefinition } from "../model/field_definition.ts";
import { Refusal } from "../refusals.ts";
import type { Entry } from "../store/operation.ts";

/** Reads the schema and keeps the newest picture of it. */
export class SchemaSource {
  readonly #context: Context;
  #current: Schema | null = null;
  #loading: Promise<Schema> | null = null;
  #era: string | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The schema at `guard`, an entry of {@linkcode schemaKey} read by this request, or a newer one. */
  async at(guard: Entry): Promise<Schema> {
    for (;;) {
      const current = this.#current;
      if (current !== null && (current.stamp ?? "") >= (guard.versionstamp ?? "")) return current;
      // A load that is under way may have begun before this request: then the loop goes round again.
      this.#loading ??= this.#load().finally(() => this.#loading = null);
      await this.#loading;
    }
  }

  /** Changes when an import has replaced the site: what was cached by version numbers is void then. */
  get era(): string | null {
    return this.#era;
  }

  /** The schema now. */
  async current(): Promise<Schema> {
    return await this.at(await this.#context.store.get(schemaKey));
  }

  /** The newest schema this process has seen, if any: to guess by what a request will read. */
  get known(): Schema | null {
    return this.#current;
  }

  /** The newest schema this process has seen, without a read: what its own write was decided by, or newer. */
  async latest(): Promise<Schema> {
    return this.#current ?? await this.current();
  }

  async #load(): Promise<Schema> {
    for (;;) {
      const [before, lock] = await this.#context.store.getMany([schemaKey, importLockKey]);
      const schema = await readSchema(this.#context, before!.versionstamp);
      const after = await this.#context.store.get(schemaKey);
      if (after.versionstamp !== before!.versionstamp) continue;
      // A late load of an earlier era only empties the caches once more.
      this.#era = lock!.versionstamp;
      return this.#keep(schema);
    }
  }

  /** A slow load must not put an older picture in the place of a newer one. */
  #keep(schema: Schema): Schema {
    const newest = this.#current?.stamp ?? "";
    if (this.#current === null || newest < (schema.stamp ?? "")) this.#current = schema;
    return this.#current!;
  }
}

async function readSchema(context: Context, stamp: string | null): Promise<Schema> {
  const bySlug = new Map<string, Collection>();
  const byId = new Map<string, Collection>();
  const blocks = new Map<string, BlockDefinition>();
  for await (const { state } of liveEntities(context, "collection")) {
    const collection = { ...state, fields: [] } as unknown as Collection;
    byId.set(collection.id, collection);
  }
  for await (const { state } of liveEntities(context, "field_definition")) {
    const field = state as unknown as FieldDefinition;
    byId.get(field.collectionId)?.fields.push(field);
  }
  for await (const { state } of liveEntities(context, "block_definition")) {
    const block = state as unknown as BlockDefinition;
    blocks.set(block.name, block);
  }
  const collections = [...byId.values()].sort((a, b) => a.slug < b.slug ? -1 : 1);
  for (const collection of collections) {
    collection.fields.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
    bySlug.set(collection.slug, collection);
  }
  return { stamp, collections, bySlug, byId, blocks };
}

/** The collection with this slug. */
export function getCollection(schema: Schema, slug: string): Collection {
  const collection = schema.bySlug.get(slug);
  if (collection === undefined) throw new Refusal("COLLECTION_NOT_FOUND");
  return collection;
}
