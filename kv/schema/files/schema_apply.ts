/**
 * Applies files to the schema: everything but conversions of values in one commit, so that readers see the old
 * schema or the new one; conversions after it, one by one.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import { refuseOthers } from "../../documents/singleton.ts";
import { schemaOf } from "../../documents/write.ts";
import { fieldKeyKey } from "../../keys.ts";
import type { Schema } from "../../model/entities/collection.ts";
import type { Actor, Json } from "../../model/entities/entity.ts";
import type { FieldDefinition } from "../../model/fields/field_definition.ts";
import { requestSiteRendering } from "../../pages/rendering_requests.ts";
import { renameScopes } from "../../people/tokens.ts";
import { requestSearchRebuild } from "../../search/delta/search_requests.ts";
import type { Head } from "../../versioning/entities.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import { stageCollectionRemoval } from "../collections.ts";
import { freeKey, patchField } from "../fields.ts";
import { becomesSingleton, refuseConflicts } from "./schema_conflicts.ts";
import {
  attributesOf,
  type FileDefinitions,
  parseSchemaFiles,
  type SchemaFiles,
} from "./schema_files.ts";
import { type FieldFile, framingOf, planSchema, type SchemaChange } from "./schema_plan.ts";

/** Applies all changes that convert no values; returns how many there were. */
export async function applyDefinitions(
  content: Content,
  actor: Actor,
  files: SchemaFiles,
): Promise<number> {
  const definitions = parseSchemaFiles(files);
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const planned = planSchema(schema, definitions);
    refuseConflicts(schema, definitions, planned);
    const changes = planned.filter(({ kind }) => kind !== "conversion");
    for (const change of changes) await stage(transaction, content, schema, change);
    if (changes.length > 0) {
      requestSiteRendering(transaction.operation, content.context);
      requestSearchRebuild(transaction.operation, content.context);
    }
    return changes.length;
  });
}

/** The next conversion of values that files ask for: the job that carries it out; null if none is left. */
export async function beginConversion(
  content: Content,
  actor: Actor,
  files: SchemaFiles,
): Promise<{ jobId: string } | "done" | null> {
  const schema = await content.schema.current();
  const change = nextConversion(schema, parseSchemaFiles(files));
  if (change === null) return null;
  const { before, file: { input } } = change;
  const slug = schema.byId.get(before.collectionId)?.slug ?? "";
  const body = attributesOf(input) as unknown as Record<string, Json>;
  const patched = await patchField(content, actor, slug, before.name, body);
  if ("jobId" in patched) return patched;
  return "building" in patched ? { jobId: patched.building.jobId } : "done";
}

function nextConversion(schema: Schema, definitions: FileDefinitions) {
  const changes = planSchema(schema, definitions);
  return changes.find((change) => change.kind === "conversion") ?? null;
}

async function stage(
  transaction: Transaction,
  content: Content,
  schema: Schema,
  change: SchemaChange,
): Promise<void> {
  switch (change.kind) {
    case "definedCollection":
      if (becomesSingleton(change)) await refuseOthers(transaction, content, change.before, 1);
      return await stageCollection(transaction, change);
    case "definedField": {
      const id = idOfCollection(schema, change);
      return await stageField(transaction, id, change.before, change.file);
    }
    case "definedBlock": {
      const { before, file } = change;
      const id = before?.id ?? file.id ?? transaction.newId();
      const head = await transaction.head("block_definition", id);
      const times = timesOf(transaction, head, before);
      transaction.save("block_definition", id, head, { ...before, id, ...file.input, ...times });
      return;
    }
    case "collectionRemoval":
      return await stageCollectionRemoval(transaction, content, change.before);
    case "fieldRemoval":
    case "blockRemoval": {
      const type = change.kind === "fieldRemoval" ? "field_definition" : "block_definition";
      const head = await transaction.head(type, change.before.id);
      transaction.save(type, change.before.id, head, null);
      return;
    }
    case "conversion":
      throw new TypeError("Conversions are not part of a commit");
  }
}

/** The times of a definition that is saved now; the change is never before its last version. */
function timesOf(
  { at: now }: Transaction,
  { row }: Head,
  before: { createdAt: number } | null,
): { createdAt: number; updatedAt: number } {
  const at = Math.max(now, row?.at ?? 0);
  return { createdAt: before?.createdAt ?? at, updatedAt: at };
}

function idOfCollection(
  { bySlug }: Schema,
  { before, of }: SchemaChange & { kind: "definedField" },
) {
  return before?.collectionId ?? of.id ?? bySlug.get(of.input.slug)?.id ?? "";
}

async function stageCollection(
  transaction: Transaction,
  { before, file }: SchemaChange & { kind: "definedCollection" },
): Promise<void> {
  const id = before?.id ?? file.id ?? transaction.newId();
  const head = await transaction.head("collection", id);
  const times = timesOf(transaction, head, before);
  transaction.save("collection", id, head, { id, ...framingOf(file.input), ...times });
  if (before !== null) {
    if (before.slug !== file.input.slug) {
      await renameScopes(transaction, before.slug, file.input.slug);
    }
    return;
  }
  for (const [position, input] of file.input.fields.entries()) {
    await stageField(transaction, id, null, { id: file.fieldIds[position], input, position });
  }
}

async function stageField(
  transaction: Transaction,
  collectionId: string,
  before: FieldDefinition | null,
  { id: given, input, position }: FieldFile,
): Promise<void> {
  const id = before?.id ?? given ?? transaction.newId();
  const head = await transaction.head("field_definition", id);
  const key = before?.key ?? await freeKey(transaction, collectionId, input.name);
  const { localized: _localized, labels: _labels, ...kept } = before ?? {};
  transaction.save("field_definition", id, head, {
    ...kept,
    id,
    collectionId,
    key,
    ...attributesOf(input),
    position,
    ...timesOf(transaction, head, before),
  });
  if (before === null) transaction.operation.set(fieldKeyKey(collectionId, key), id);
}
