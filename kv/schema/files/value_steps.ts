/**
 * Steps that change the values of documents, in files of `migrations/`: each file runs once, in order of names,
 * after the definitions have changed.
 *
 * @module
 */
import { z } from "zod";
import type { Content } from "../../documents/content.ts";
import { documentHead } from "../../documents/documents.ts";
import { schemaOf, stageDocument } from "../../documents/write.ts";
import { schemaMigrationKey } from "../../keys.ts";
import { MIGRATION_STEPS_MAX } from "../../limits/content.ts";
import type { Collection, Schema } from "../../model/entities/collection.ts";
import type { Actor, Json } from "../../model/entities/entity.ts";
import type { NestedField } from "../../model/fields/field_definition.ts";
import type { CheckScope } from "../../model/fields/field_type.ts";
import { isGroup } from "../../model/fields/indexed_fields.ts";
import { fieldType } from "../../model/fields/types/registry.ts";
import { below, zodDetails } from "../../model/input/zod_details.ts";
import { ownValue } from "../../model/primitives/own_value.ts";
import { isJsonObject, type JsonObject } from "../../model/values/json_object.ts";
import { sameJson } from "../../model/values/same_json.ts";
import { sha256 } from "../../model/values/sha256.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import { gone } from "../migrate_field.ts";
import type { FileDefinitions, SchemaFiles } from "./schema_files.ts";

const Step = z.discriminatedUnion("op", [
  z.strictObject({
    op: z.literal("map"),
    field: z.string(),
    values: z.record(z.string(), z.json()),
  }),
  z.strictObject({ op: z.literal("default"), field: z.string(), value: z.json() }),
]);

/** A step: values that become others, or a value for documents without one. */
export type ValueStep = z.infer<typeof Step>;

/** A file of steps. */
export interface MigrationFile {
  path: string;
  hash: string;
  steps: ValueStep[];
}

const MIGRATION_FILE = /^migrations\/[^/]+\.json$/;

/** The files of steps, in order of names; what is wrong with them is refused together. */
export function parseMigrations(files: SchemaFiles, definitions: FileDefinitions): MigrationFile[] {
  const details: Detail[] = [];
  const found: MigrationFile[] = [];
  for (const [path, body] of Object.entries(files)) {
    if (!MIGRATION_FILE.test(path)) continue;
    const parsed = z.array(Step).max(MIGRATION_STEPS_MAX).safeParse(body);
    if (!parsed.success) {
      details.push(...zodDetails(parsed.error, path, body));
      continue;
    }
    details.push(
      ...parsed.data.flatMap((step, at) =>
        stepDetails(step, definitions).map((detail) => below(`${path}.${at}`, detail))
      ),
    );
    found.push({ path, hash: sha256(JSON.stringify(body)), steps: parsed.data });
  }
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return found.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** A step is of a field that the files define, and gives it values that it takes. */
function stepDetails(step: ValueStep, { collections }: FileDefinitions): Detail[] {
  const [slug = "", ...path] = step.field.split(".");
  const of = collections.find(({ input }) => input.slug === slug);
  const field = of && fieldAt(of.input.fields, path);
  if (field === undefined) {
    return [{ field: "field", code: "INVALID_REFERENCE", message: "No such field" }];
  }
  const values = step.op === "map" ? Object.values(step.values) : [step.value];
  const scope: CheckScope = {
    path: step.op === "map" ? "values" : "value",
    complete: false,
    blocks: new Map(),
    details: [],
    references: [],
  };
  for (const value of values) {
    const isItem = step.op === "map" && fieldType(field.type).kind === "array";
    if (value !== null) fieldType(field.type).check(isItem ? [value] : value, field, scope);
  }
  return scope.details;
}

/** The field of a path through groups. */
function fieldAt(
  fields: readonly NestedField[],
  [name, ...rest]: string[],
): NestedField | undefined {
  const field = fields.find((one) => one.name === name);
  if (field === undefined || rest.length === 0) return field;
  return isGroup(field) ? fieldAt(field.options.fields ?? [], rest) : undefined;
}

/** The files that have not run yet; one that has changed since it ran is refused. */
export async function pendingMigrations(
  { context: { store } }: Pick<Content, "context">,
  files: readonly MigrationFile[],
): Promise<MigrationFile[]> {
  if (files.length === 0) return [];
  const entries = await store.getMany(files.map(({ path }) => schemaMigrationKey(path)));
  const changed = files.filter(({ hash }, at) => {
    const ran = entries[at]?.value;
    return typeof ran === "string" && ran !== hash;
  });
  if (changed.length > 0) {
    const details = changed.map(({ path }): Detail => ({
      field: path,
      code: "INVALID_CHOICE",
      message: "Has changed since it ran",
    }));
    throw new Refusal("VALIDATION_FAILED", { details });
  }
  return files.filter((_, at) => entries[at]?.value === null);
}

/** The collection of a step; undefined when it is no more. */
export function collectionOfStep(schema: Schema, { field }: ValueStep): Collection | undefined {
  return schema.bySlug.get(field.split(".", 1)[0] ?? "");
}

/** Carries a step out on a document; one that it does not change keeps its version. */
export async function applyValueStep(
  content: Content,
  actor: Actor,
  step: ValueStep,
  documentId: string,
): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(
      transaction,
      content,
      schema,
      documentId,
    ).catch(gone);
    if (head === null) return;
    const [, name = "", ...path] = step.field.split(".");
    const field = collection.fields.find((one) => one.name === name);
    if (field === undefined) return;
    const before = ownValue(state.data, field.key) ?? null;
    const after = changedAt(before, path, step);
    if (sameJson(before, after)) return;
    const next = { ...state, data: { ...state.data, [field.key]: after } };
    next.updatedAt = Math.max(transaction.at, head.row.at);
    const options = { summary: "Migrated by a step of the schema" };
    await stageDocument(transaction, content, { collection, head, after: next, options });
  });
}

function changedAt(value: Json, [name, ...rest]: string[], step: ValueStep): Json {
  if (name === undefined) return changed(value, step);
  if (value !== null && !isJsonObject(value)) return value;
  const object: JsonObject = value ?? {};
  const before = ownValue(object, name) ?? null;
  const after = changedAt(before, rest, step);
  return sameJson(before, after) ? value : { ...object, [name]: after };
}

function changed(value: Json, step: ValueStep): Json {
  if (step.op === "default") return value ?? step.value;
  if (Array.isArray(value)) return [...new Set(value.map((one) => changed(one, step)))];
  if (value === null || typeof value === "object") return value;
  return ownValue(step.values, String(value)) ??
    (Object.hasOwn(step.values, String(value)) ? null : value);
}
