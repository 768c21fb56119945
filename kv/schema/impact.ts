/**
 * The impact of removing or renaming a part of the schema: documents, how many of them are public, tokens with
 * scopes on it, and other definitions that refer to it.
 *
 * @module
 */
import { targetSlugs } from "../model/fields/reference_target.ts";
import type { Content } from "../documents/content.ts";
import { getBlock } from "./blocks.ts";
import { getField } from "./fields.ts";
import { documentsOf } from "./migrate_field.ts";
import {
  type BlockDefinition,
  type Collection,
  getCollection,
  type Schema,
} from "../model/entities/collection.ts";
import { seconds } from "../context.ts";
import { IMPACT_EXAMPLES_MAX } from "../limits/content.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Json } from "../model/entities/entity.ts";
import type { NestedField } from "../model/fields/field_definition.ts";
import { listTokens } from "../people/tokens.ts";

/** The impact of a change. */
export interface Impact {
  /** Documents outside the trash that hold something of it. */
  documents: number;
  /** How many of them are public. */
  published: number;
  examples: { id: string; title: string; status: string }[];
  /** Names of tokens, still valid, that were given for the collection by name. */
  tokens: string[];
  /** Definitions that name it: `posts.parts`, `quote.source`. */
  definitions: string[];
}

/** The impact of removing a field. */
export async function fieldImpact(content: Content, slug: string, name: string): Promise<Impact> {
  const schema = await content.schema.current();
  const collection = getCollection(schema, slug);
  const { key } = getField(collection, name);
  const impact = await emptyImpact(content, collection);
  for await (const state of documentsOf(content, collection)) {
    if ((state.data[key] ?? null) !== null) count(impact, state);
  }
  return impact;
}

/** The impact of removing a collection: its tokens, and the fields that refer to it. */
export async function collectionImpact(content: Content, slug: string): Promise<Impact> {
  const schema = await content.schema.current();
  const collection = getCollection(schema, slug);
  const impact = await emptyImpact(content, collection);
  for await (const state of documentsOf(content, collection)) count(impact, state);
  impact.definitions = definitionsThat(
    schema,
    ({ options }) => targetSlugs(options).includes(slug),
  );
  return impact;
}

/** The impact of removing or renaming a block type, in every collection. */
export async function blockImpact(content: Content, name: string): Promise<Impact> {
  const schema = await content.schema.current();
  getBlock(schema, name);
  const impact = await emptyImpact(content, null);
  for (const collection of schema.collections) {
    for await (const state of documentsOf(content, collection)) {
      if (holdsBlock(state.blocks, name) || holdsBlock(state.data, name)) count(impact, state);
    }
  }
  impact.definitions = definitionsThat(
    schema,
    ({ options }) => options.allowed?.includes(name) === true,
  );
  return impact;
}

async function emptyImpact(content: Content, collection: Collection | null): Promise<Impact> {
  const tokens = collection === null ? [] : await tokensFor(content, collection.slug);
  return { documents: 0, published: 0, examples: [], tokens, definitions: [] };
}

async function tokensFor({ context }: Content, slug: string): Promise<string[]> {
  const now = seconds(context);
  return (await listTokens(context))
    .filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt ?? now + 1) > now)
    .filter(({ scopes }) => scopes.some((scope) => scope.startsWith(`${slug}:`)))
    .map(({ name }) => name);
}

function count(impact: Impact, { id, title, status }: DocumentState): void {
  if (status === "trashed") return;
  impact.documents += 1;
  if (status === "published") impact.published += 1;
  if (impact.examples.length < IMPACT_EXAMPLES_MAX) impact.examples.push({ id, title, status });
}

/** Whether a value holds a block of a kind: in a list of blocks, or in rich text. */
function holdsBlock(root: Json, name: string): boolean {
  const waiting: Json[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) {
      if (value._type === name) return true;
      if (value.type === name && Object.hasOwn(value, "data")) return true;
    }
    for (const part of Object.values(value)) waiting.push(part);
  }
  return false;
}

/** The definitions of fields, wherever they are, of which something holds. */
function definitionsThat(schema: Schema, holds: (field: NestedField) => boolean): string[] {
  const owners: [string, Pick<Collection | BlockDefinition, "fields">][] = [
    ...schema.collections.map((one): [string, Collection] => [one.slug, one]),
    ...[...schema.blocks].map(([name, one]): [string, BlockDefinition] => [name, one]),
  ];
  return owners.flatMap(([owner, { fields }]) => pathsThat(fields, holds, owner));
}

function pathsThat(
  fields: readonly NestedField[],
  holds: (field: NestedField) => boolean,
  path: string,
): string[] {
  return fields.flatMap((field) => {
    const own = `${path}.${field.name}`;
    return [
      ...(holds(field) ? [own] : []),
      ...pathsThat(field.options.fields ?? [], holds, own),
    ];
  });
}
