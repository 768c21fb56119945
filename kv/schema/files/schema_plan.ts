/**
 * What files change in a schema: every operation, with what it would lose.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import type { BlockDefinition, Collection, Schema } from "../../model/entities/collection.ts";
import type { FieldDefinition } from "../../model/fields/field_definition.ts";
import type { FieldInput } from "../../model/fields/field_input.ts";
import type { CollectionInput } from "../../model/input/collection_input.ts";
import { sameJson } from "../../model/values/same_json.ts";
import { markedCollection } from "../collections.ts";
import { fieldImpact } from "../impact.ts";
import { previewMigration } from "../migrate_field.ts";
import {
  attributesOf,
  type BlockFile,
  type CollectionFile,
  type FileDefinitions,
} from "./schema_files.ts";

/** A field of a file, with its place. */
export interface FieldFile {
  id: string | undefined;
  input: FieldInput;
  position: number;
}

/** An operation on the schema. */
export type SchemaChange =
  | { kind: "definedCollection"; before: Collection | null; file: CollectionFile }
  | { kind: "definedField"; before: FieldDefinition | null; file: FieldFile; of: CollectionFile }
  | { kind: "conversion"; before: FieldDefinition; file: FieldFile; of: CollectionFile }
  | { kind: "definedBlock"; before: BlockDefinition | null; file: BlockFile }
  | { kind: "collectionRemoval"; before: Collection }
  | { kind: "fieldRemoval"; before: FieldDefinition; collection: Collection }
  | { kind: "blockRemoval"; before: BlockDefinition };

/** The changes that make a schema what the files define. */
export function planSchema(schema: Schema, definitions: FileDefinitions): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const blocks = new Map([...schema.blocks.values()].map((block) => [block.id, block]));
  const claimedBlocks = idsOf(definitions.blocks);
  for (const file of definitions.blocks) {
    const named = schema.blocks.get(file.input.name);
    const before = definedBy(file.id, { byId: blocks, named, claimed: claimedBlocks });
    if (before !== null) blocks.delete(before.id);
    if (before === null || isBlockChanged(before, file)) {
      changes.push({ kind: "definedBlock", before, file });
    }
  }
  const collections = new Map(schema.byId);
  const claimed = idsOf(definitions.collections);
  for (const file of definitions.collections) {
    const named = schema.bySlug.get(file.input.slug);
    const before = definedBy(file.id, { byId: collections, named, claimed });
    if (before !== null) collections.delete(before.id);
    if (before === null || isCollectionChanged(before, file)) {
      changes.push({ kind: "definedCollection", before, file });
    }
    if (before !== null) changes.push(...fieldChanges(before, file));
  }
  for (const before of collections.values()) changes.push({ kind: "collectionRemoval", before });
  for (const before of blocks.values()) changes.push({ kind: "blockRemoval", before });
  return changes;
}

function idsOf(files: readonly { id: string | undefined }[]): ReadonlySet<string | undefined> {
  return new Set(files.map(({ id }) => id));
}

/** What a file may define. */
interface Candidates<T> {
  byId: ReadonlyMap<string, T>;
  /** The definition with the file's name. */
  named: T | undefined;
  /** The ids that files name: a definition that one of them renames is not found by its former name. */
  claimed: ReadonlySet<string | undefined>;
}

/** The present definition of a file: by its id, and without one by its name; null for a new one. */
function definedBy<T extends { id: string }>(
  id: string | undefined,
  { byId, named, claimed }: Candidates<T>,
): T | null {
  if (id !== undefined) return byId.get(id) ?? null;
  return named === undefined || claimed.has(named.id) ? null : named;
}

/** The fields of a collection's file. */
export function fieldsOf({ input: { fields }, fieldIds }: CollectionFile): FieldFile[] {
  return fields.map((input, position) => ({ id: fieldIds[position], input, position }));
}

function fieldChanges(before: Collection, of: CollectionFile): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const left = new Map(before.fields.map((field) => [field.id, field]));
  const names = new Map(before.fields.map((field) => [field.name, field]));
  const claimed = new Set(of.fieldIds);
  for (const file of fieldsOf(of)) {
    const { input } = file;
    const known = definedBy(file.id, { byId: left, named: names.get(input.name), claimed });
    if (known !== null) left.delete(known.id);
    if (known === null) changes.push({ kind: "definedField", before: null, file, of });
    else if (known.type !== input.type || (input.unique && !known.unique)) {
      changes.push({ kind: "conversion", before: known, file, of });
    } else if (isFieldChanged(known, file, before.fields.indexOf(known))) {
      changes.push({ kind: "definedField", before: known, file, of });
    }
  }
  // A new place counts among the others', whose positions may have gaps.
  const isMoved = changes.some((change) =>
    change.kind === "definedField" &&
    (change.before === null || before.fields.indexOf(change.before) !== change.file.position)
  );
  if (isMoved) changes.push(...misplaced(before, of, changes));
  const removals = [...left.values()].map((field): SchemaChange => ({
    kind: "fieldRemoval",
    before: field,
    collection: before,
  }));
  return [...changes, ...removals];
}

/** The fields that only change their position. */
function misplaced(
  { fields }: Collection,
  of: CollectionFile,
  changes: readonly SchemaChange[],
): SchemaChange[] {
  const changed = new Set(changes.map(({ before }) => before?.id));
  return fieldsOf(of).flatMap((file): SchemaChange[] => {
    const { id, input, position } = file;
    const known = fields.find((field) =>
      id === undefined ? field.name === input.name : field.id === id
    );
    if (known === undefined || changed.has(known.id) || known.position === position) return [];
    return [{ kind: "definedField", before: known, file, of }];
  });
}

/** The framing of a collection, without what is not set. */
export function framingOf({ fields: _, ...framing }: CollectionInput) {
  return markedCollection(framing);
}

function presentFraming({ id: _id, createdAt: _at, updatedAt: _last, ...rest }: Collection) {
  return framingOf(rest);
}

function isCollectionChanged(before: Collection, { input }: CollectionFile): boolean {
  return !sameJson(presentFraming(before), framingOf(input));
}

function isFieldChanged(before: FieldDefinition, { input, position }: FieldFile, at: number) {
  return at !== position || !sameJson(attributesOf(before), attributesOf(input));
}

function isBlockChanged({ name, label, fields }: BlockDefinition, { input }: BlockFile): boolean {
  return !sameJson({ name, label, fields }, input);
}

/** An operation as people read it. */
export interface PlannedOperation {
  /** `rename field posts.body → text` */
  line: string;
  /** Whether something is removed. */
  isRemoval: boolean;
  /** Documents whose values would be lost. */
  lost: number;
}

/** The operations of a plan. */
export async function operationsOf(
  content: Content,
  changes: readonly SchemaChange[],
): Promise<PlannedOperation[]> {
  const operations: PlannedOperation[] = [];
  for (const change of changes) operations.push(...await describe(content, change));
  return operations;
}

async function describe(content: Content, change: SchemaChange): Promise<PlannedOperation[]> {
  const plain = (line: string) => [{ line, isRemoval: false, lost: 0 }];
  const removal = (line: string) => [{ line, isRemoval: true, lost: 0 }];
  switch (change.kind) {
    case "definedCollection": {
      const { before, file: { input } } = change;
      if (before === null) return plain(`create collection ${input.slug}`);
      const renamed = before.slug === input.slug
        ? []
        : plain(`rename collection ${before.slug} → ${input.slug}`);
      const keys = changedKeys(presentFraming(before), framingOf(input)).filter((key) =>
        key !== "slug"
      );
      return [
        ...renamed,
        ...(keys.length === 0 ? [] : plain(`change collection ${input.slug}: ${keys.join(", ")}`)),
      ];
    }
    case "definedField": {
      const { before, file: { input }, of: { input: { slug } } } = change;
      if (before === null) return plain(`create field ${slug}.${input.name}`);
      const renamed = before.name === input.name
        ? []
        : plain(`rename field ${slug}.${before.name} → ${input.name}`);
      const keys = changedKeys(attributesOf(before), attributesOf(input))
        .filter((key) => key !== "name");
      if (keys.length === 0 && renamed.length > 0) return renamed;
      const what = keys.length === 0 ? "position" : keys.join(", ");
      return [...renamed, ...plain(`change field ${slug}.${input.name}: ${what}`)];
    }
    case "conversion":
      return [await describeConversion(content, change)];
    case "definedBlock": {
      const { before, file: { input } } = change;
      if (before === null) return plain(`create block ${input.name}`);
      return before.name === input.name
        ? plain(`change block ${input.name}`)
        : plain(`rename block ${before.name} → ${input.name}`);
    }
    case "collectionRemoval":
      return removal(`remove collection ${change.before.slug}`);
    case "fieldRemoval": {
      const { before: { name }, collection: { slug } } = change;
      const { documents } = await fieldImpact(content, slug, name);
      return removal(`remove field ${slug}.${name}: ${counted(documents)}`);
    }
    case "blockRemoval":
      return removal(`remove block ${change.before.name}`);
  }
}

async function describeConversion(
  content: Content,
  { before, file: { input }, of: { input: { slug } } }: SchemaChange & { kind: "conversion" },
): Promise<PlannedOperation> {
  const path = `${slug}.${before.name}`;
  if (before.type === input.type) {
    return { line: `change field ${path}: unique`, isRemoval: false, lost: 0 };
  }
  const { byId } = await content.schema.current();
  const now = byId.get(before.collectionId)?.slug ?? slug;
  const body = { type: input.type, options: input.options };
  const { documents, failed } = await previewMigration(content, now, before.name, body);
  const line = `change type ${path} ${before.type} → ${input.type}: ${counted(documents)}, ` +
    `${failed.toLocaleString("en")} would be lost`;
  return { line, isRemoval: false, lost: failed };
}

function counted(documents: number): string {
  return `${documents.toLocaleString("en")} ${documents === 1 ? "document" : "documents"}`;
}

function changedKeys(before: object, after: object): string[] {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Map([...old, ...next]).keys()].filter((key) =>
    !sameJson(old.get(key), next.get(key))
  );
}
