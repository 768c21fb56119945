/**
 * The schema as the store has it, cached by its version key's versionstamp: every request reads the version key
 * anyway, so a new collection is live for the next request in every process.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { KnownHeads } from "../versioning/known_heads.ts";
import { GroupCache } from "../versioning/group_cache.ts";
import { importLockKey, schemaKey } from "../keys.ts";
import {
  type BlockDefinition,
  type Collection,
  LANGUAGES,
  type Schema,
} from "../model/entities/collection.ts";
import { AUDIT_EVENT, type WebhookState } from "../model/entities/webhook.ts";
import { readSchemaSettings } from "../versioning/schema_settings.ts";
import type { Check, Entry } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";

/** The schema as it was read, with the heads that a write of it needs. */
interface SchemaSnapshot {
  schema: Schema;
  webhooks: readonly WebhookState[];
  heads: KnownHeads;
  era: string | null;
}

/** Reads the schema and keeps the newest. */
export class SchemaSource {
  readonly #cache: GroupCache<SchemaSnapshot>;

  constructor(context: Context) {
    this.#cache = new GroupCache<SchemaSnapshot>(context, schemaKey, async (stamp) => {
      const heads = new KnownHeads();
      const [schema, webhooks, { versionstamp: era }] = await Promise.all([
        readSchema(context, heads, stamp),
        heads.read(context, "webhook"),
        context.store.get(importLockKey),
      ]);
      return { schema, webhooks: [...webhooks.values()], heads, era };
    });
  }

  /**
   * The schema at `version`, an entry of {@linkcode schemaKey} read by this request, or a newer one; `onProvisional` sees
   * what has been read while it is not known yet whether that has changed.
   */
  async at(version: Entry, onProvisional?: (schema: Schema) => void): Promise<Schema> {
    const seen = onProvisional && (({ schema }: { schema: Schema }) => onProvisional(schema));
    return (await this.#cache.at(version, seen)).schema;
  }

  /** The schema that a transaction decides by; its commit fails if the schema has changed. */
  async of(transaction: Transaction): Promise<Schema> {
    return (await this.#cache.of(transaction)).schema;
  }

  /** The webhooks now, oldest first: they change with the schema's version key. */
  async webhooks(): Promise<readonly WebhookState[]> {
    return (await this.#cache.current()).webhooks;
  }

  /** The webhooks at `version`, as {@linkcode at} has it. */
  async webhooksAt(version: Entry): Promise<readonly WebhookState[]> {
    return (await this.#cache.at(version)).webhooks;
  }

  /** The newest version this process has seen, if no enabled webhook receives audit events as of it. */
  get unheardAuditAt(): Check | null {
    const { known } = this.#cache;
    if (known === null || known === undefined) return null;
    const hears = ({ enabled, events }: WebhookState) => enabled && events.includes(AUDIT_EVENT);
    if (known.webhooks.some(hears)) return null;
    return { key: schemaKey, versionstamp: known.schema.stamp };
  }

  /** Changes when an import has replaced the site: what was cached by version numbers is void then. */
  get era(): string | null {
    return this.#cache.known?.era ?? null;
  }

  /** The schema now; `onProvisional` as above. */
  async current(onProvisional?: (schema: Schema) => void): Promise<Schema> {
    const seen = onProvisional && (({ schema }: { schema: Schema }) => onProvisional(schema));
    return (await this.#cache.current(seen)).schema;
  }

  /** The newest schema this process has seen, if any: to guess by what a request will read. */
  get known(): Schema | null {
    return this.#cache.known?.schema ?? null;
  }

  /** The newest schema this process has seen, without a read: what its own write was decided by, or newer. */
  async latest(): Promise<Schema> {
    return this.known ?? await this.current();
  }
}

async function readSchema(
  context: Context,
  heads: KnownHeads,
  stamp: string | null,
): Promise<Schema> {
  const bySlug = new Map<string, Collection>();
  const byId = new Map<string, Collection>();
  const blocks = new Map<string, BlockDefinition>();
  const [collectionsRead, fieldsRead, blocksRead, { slugs, languages }] = await Promise.all([
    heads.read(context, "collection"),
    heads.read(context, "field_definition"),
    heads.read(context, "block_definition"),
    readSchemaSettings(context),
  ]);
  for (const state of collectionsRead.values()) {
    byId.set(state.id, { ...state, fields: [], ...(languages && { [LANGUAGES]: languages }) });
  }
  for (const state of fieldsRead.values()) byId.get(state.collectionId)?.fields.push(state);
  for (const state of blocksRead.values()) blocks.set(state.name, state);
  const collections = [...byId.values()].sort((a, b) => a.slug < b.slug ? -1 : 1);
  for (const collection of collections) {
    collection.fields.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
    bySlug.set(collection.slug, collection);
  }
  return { stamp, collections, bySlug, byId, blocks, slugs, ...(languages && { languages }) };
}
