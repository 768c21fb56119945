/**
 * A push of files: checked as a whole, kept with what was there before, carried out by a job, and undone.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import { addJob } from "../../jobs/jobs.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { schemaPushPath } from "../../objects/paths.ts";
import { Refusal } from "../../refusals.ts";
import { Operation } from "../../store/operation.ts";
import {
  type FileDefinitions,
  parseSchemaFiles,
  type SchemaFiles,
  schemaFiles,
  schemaTag,
  tagOf,
  withNewIds,
} from "./schema_files.ts";
import { parseMigrations, pendingMigrations } from "./value_steps.ts";
import { newCollections } from "./fields_ahead.ts";
import { tryDefinitions } from "./schema_apply.ts";
import { refuseConflicts, schemaMoved } from "./schema_conflicts.ts";
import {
  operationsOf,
  type PlannedOperation,
  planSchema,
  type SchemaChange,
} from "./schema_plan.ts";

/** A push as it is kept. */
export interface SchemaPush {
  /** The files that are pushed. */
  files: SchemaFiles;
  /** The schema before. */
  before: SchemaFiles;
  /** The tag of the schema after; null until the job has ended. */
  after: string | null;
}

/** What a push may do. */
export interface PushOptions {
  /** The tag of the schema that the caller has seen; null for none. */
  etag: string | null;
  /** Whether values may be lost. */
  allowLoss: boolean;
  /** Whether definitions may be removed. */
  allowRemovals: boolean;
}

/** The operations of files on the present schema, and its tag. */
export async function diffSchema(
  content: Content,
  files: SchemaFiles,
): Promise<{ etag: string; operations: PlannedOperation[] }> {
  const definitions = parseSchemaFiles(files);
  const schema = await content.schema.current();
  const operations = await describeAll(content, planSchema(schema, definitions), {
    files,
    definitions,
  });
  return { etag: schemaTag(schema), operations };
}

/** The operations of changes and of the steps that are still to be run. */
async function describeAll(
  content: Content,
  changes: readonly SchemaChange[],
  { files, definitions }: { files: SchemaFiles; definitions: FileDefinitions },
): Promise<PlannedOperation[]> {
  const pending = await pendingMigrations(content, parseMigrations(files, definitions));
  const steps = pending.map(({ path, steps: { length } }) => ({
    line: `run ${path}: ${length} ${length === 1 ? "step" : "steps"}`,
    isRemoval: false,
    lost: 0,
  }));
  return [...await operationsOf(content, changes), ...steps];
}

/** Checks a push; refuses it if the schema has moved on, or if it loses more than it may. */
export async function checkPush(
  content: Content,
  actor: Actor,
  files: SchemaFiles,
  { etag, allowLoss, allowRemovals }: PushOptions,
): Promise<{ etag: string; operations: PlannedOperation[] }> {
  const schema = await content.schema.current();
  const present = schemaTag(schema);
  const definitions = parseSchemaFiles(files);
  const changes = planSchema(schema, definitions);
  const isEmpty = schema.collections.length === 0 && schema.blocks.size === 0;
  if (!isEmpty && etag !== present) {
    throw schemaMoved();
  }
  refuseConflicts(schema, definitions, changes);
  const operations = await describeAll(content, changes, { files, definitions });
  const refused = operations.filter(({ isRemoval, lost }) =>
    (isRemoval && !allowRemovals) || (lost > 0 && !allowLoss)
  );
  if (refused.length > 0) {
    const details = refused.map(({ line, isRemoval }) => ({
      field: isRemoval ? "delete" : "allowLoss",
      code: "INVALID_CHOICE" as const,
      message: line,
    }));
    throw new Refusal("VALIDATION_FAILED", { details });
  }
  await tryDefinitions(content, actor, changes);
  return { etag: present, operations };
}

/**
 * Keeps a push that was checked against the schema with a tag, and starts its job.
 *
 * @throws {Refusal} CONFLICT when the schema has another tag by now.
 */
export async function beginPush(
  { context, schema }: Content,
  { userId, via }: Actor,
  files: SchemaFiles,
  etag: string,
): Promise<{ id: string; jobId: string }> {
  const present = await schema.current();
  const before = schemaFiles(present);
  if (tagOf(before) !== etag) throw schemaMoved();
  const newId = () => context.newId(context.now());
  const created = newCollections(planSchema(present, parseSchemaFiles(files)));
  const paths = new Set(created.map(({ path }) => path));
  const id = newId();
  await savePush(context, id, { files: withNewIds(files, paths, newId), before, after: null });
  const payload = { pushId: id, userId, via: via ?? null };
  const operation = new Operation();
  const jobId = addJob(operation, context, { type: "SCHEMA", payload, class: "interactive" });
  await context.store.commit(operation);
  return { id, jobId };
}

/** The push that undoes another; refused unless the schema is what that one has made of it. */
export async function beginRevert(
  content: Content,
  actor: Actor,
  id: string,
): Promise<{ id: string; jobId: string }> {
  const push = await findPush(content.context, id);
  if (push === null) throw new Refusal("NOT_FOUND");
  if (push.after === null) {
    throw new Refusal("CONFLICT", { about: "the push has not been carried out" });
  }
  return await beginPush(content, actor, push.before, push.after);
}

/** A push; null if it is not kept. */
export async function findPush(
  { objects }: Content["context"],
  id: string,
): Promise<SchemaPush | null> {
  const bytes = await objects.get(schemaPushPath(id));
  return bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes)) as SchemaPush;
}

/** Keeps a push. */
export async function savePush(
  { objects }: Content["context"],
  id: string,
  push: SchemaPush,
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(push));
  await objects.put(schemaPushPath(id), bytes, { contentType: "application/json" });
}
