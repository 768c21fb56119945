/**
 * Applies files to the schema: everything but conversions of values in one commit, so that readers see the old
 * schema or the new one; conversions after it, one by one.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import { refuseOthers } from "../../documents/singleton.ts";
import { schemaOf } from "../../documents/write.ts";
import type { Schema } from "../../model/entities/collection.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { requestSiteRendering } from "../../pages/rendering_requests.ts";
import { renameScopes } from "../../people/tokens.ts";
import { requestSearchRebuild } from "../../search/delta/search_requests.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import { stageCollectionRemoval } from "../collections.ts";
import { patchField } from "../fields.ts";
import {
  areFieldsApart,
  removeFieldsLeft,
  stageNewField,
  writeFieldsAhead,
} from "./fields_ahead.ts";
import {
  becomesSingleton,
  CHECKED_COLLECTIONS_MAX,
  refuseConflicts,
  schemaMoved,
} from "./schema_conflicts.ts";
import {
  attributesOf,
  collectionIdsIn,
  fieldIdsIn,
  type FileDefinitions,
  parseSchemaFiles,
  type SchemaFiles,
  schemaTag,
  tagOf,
} from "./schema_files.ts";
import { fieldsOf, framingOf, planSchema, type SchemaChange } from "./schema_plan.ts";
import { stageField, timesOf } from "./stage_field.ts";

/**
 * Applies all changes that convert no values; returns how many there were. Done again, it changes nothing.
 *
 * @throws {Refusal} CONFLICT when the schema is not the one that the push was checked against.
 */
export async function applyDefinitions(
  content: Content,
  actor: Actor,
  { files, before }: { files: SchemaFiles; before: SchemaFiles },
): Promise<number> {
  const definitions = parseSchemaFiles(files);
  const expected = tagOf(before);
  const kept = new Set(collectionIdsIn(before));
  const plan = (schema: Schema) => planDefinitions(schema, definitions, { expected, kept });
  const planned = plan(await content.schema.current());
  const isApart = areFieldsApart(planned);
  try {
    if (isApart) await writeFieldsAhead(content, actor, planned);
    let applied = 0;
    for (;;) {
      const changed = await versionedWrite(content.context, actor, async (transaction) => {
        const schema = await schemaOf(transaction, content);
        const changes = nextCommit(plan(schema));
        for (const change of changes) {
          await stage(transaction, content, schema, change, { isApart });
        }
        if (changes.length === 0) return 0;
        requestSiteRendering(transaction.operation, content.context);
        requestSearchRebuild(transaction.operation, content.context);
        return changes.length;
      });
      if (changed === 0) return applied;
      applied += changed;
    }
  } finally {
    await removeFieldsLeft(content, actor, [...fieldIdsIn(files), ...fieldIdsIn(before)]);
  }
}

/** Refuses changes that one commit cannot make now, as {@linkcode applyDefinitions} would; writes nothing. */
export async function tryDefinitions(
  content: Content,
  actor: Actor,
  changes: readonly SchemaChange[],
): Promise<void> {
  const isApart = areFieldsApart(changes);
  await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    for (const change of changes) {
      if (change.kind === "conversion") continue;
      await stage(transaction, content, schema, change, { isApart, isTrial: true });
    }
  }, { dryRun: true });
}

/**
 * The changes without conversions; refused unless the schema is as expected, or only removals are left to do, of
 * collections that were there before.
 */
function planDefinitions(
  schema: Schema,
  definitions: FileDefinitions,
  { expected, kept }: { expected: string; kept: ReadonlySet<string> },
): SchemaChange[] {
  const planned = planSchema(schema, definitions);
  const changes = planned.filter(({ kind }) => kind !== "conversion");
  const isExpected = schemaTag(schema) === expected;
  const left = changes.filter((change) => !isRemoval(change) || kept.has(change.before.id));
  if (!isExpected && !left.every(isRemoval)) throw schemaMoved();
  refuseConflicts(schema, definitions, planned);
  return left;
}

function isRemoval(change: SchemaChange): change is SchemaChange & { kind: "collectionRemoval" } {
  return change.kind === "collectionRemoval";
}

/** What the next commit changes: everything, or, of more removals than it can check, some after everything else. */
function nextCommit(changes: SchemaChange[]): SchemaChange[] {
  const removals = changes.filter(isRemoval);
  if (removals.length <= CHECKED_COLLECTIONS_MAX) return changes;
  const others = changes.filter((change) => !isRemoval(change));
  return others.length > 0 ? others : removals.slice(0, CHECKED_COLLECTIONS_MAX);
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
  const body = attributesOf(input);
  const patched = await patchField(content, actor, slug, before.name, body);
  if ("jobId" in patched) return patched;
  return "building" in patched ? { jobId: patched.building.jobId } : "done";
}

function nextConversion(schema: Schema, definitions: FileDefinitions) {
  const changes = planSchema(schema, definitions);
  return changes.find((change) => change.kind === "conversion") ?? null;
}

/** How changes are applied. */
interface HowApplied {
  /** Whether fields of new and removed collections have commits of their own. */
  isApart: boolean;
  /** Whether the commit is only tried, so that those fields have not been written. */
  isTrial?: boolean;
}

async function stage(
  transaction: Transaction,
  content: Content,
  schema: Schema,
  change: SchemaChange,
  how: HowApplied,
): Promise<void> {
  switch (change.kind) {
    case "definedCollection":
      if (becomesSingleton(change)) await refuseOthers(transaction, content, change.before, 1);
      return await stageCollection(transaction, change, how);
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
      return await stageCollectionRemoval(
        transaction,
        content,
        how.isApart ? { ...change.before, fields: [] } : change.before,
      );
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

function idOfCollection(
  { bySlug }: Schema,
  { before, of }: SchemaChange & { kind: "definedField" },
) {
  return before?.collectionId ?? of.id ?? bySlug.get(of.input.slug)?.id ?? "";
}

async function stageCollection(
  transaction: Transaction,
  change: SchemaChange & { kind: "definedCollection" },
  { isApart, isTrial = false }: HowApplied,
): Promise<void> {
  const { before, file } = change;
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
  if (isApart && isTrial) return;
  for (const field of fieldsOf(file)) await stageNewField(transaction, id, field);
}
