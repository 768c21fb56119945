/**
 * Changing the type of a field whose collection has documents: what would come of it, the rewriting of
 * documents, and the exchange of the definition once every document has its converted value. Until then
 * readers see the field as it was, from that commit on as it is, and never anything in between.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { schemaOf, stageDocument } from "../documents/write.ts";
import { documentHead } from "../documents/documents.ts";
import { walkDocuments, type WalkPortion, type WalkPosition } from "../documents/document_walk.ts";
import { sameJson } from "../model/values/same_json.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { saveField } from "./field_rules.ts";
import { getField } from "./fields.ts";
import { currentKey } from "../keys.ts";
import { EXAMPLE_CHARS_MAX, FORMER_KEYS_MAX, IMPACT_EXAMPLES_MAX } from "../limits/content.ts";
import { type Collection, getCollection, type Schema } from "../model/entities/collection.ts";
import { convertValue } from "../model/fields/convert_value.ts";
import { type DocumentState, STATUSES } from "../model/entities/document.ts";
import type { Actor, Json } from "../model/entities/entity.ts";
import type { FieldDefinition, Migration } from "../model/fields/field_definition.ts";
import { type LostValue, stageLostValue } from "./lost_values.ts";
import { parseFieldPatch } from "../model/fields/field_input.ts";
import { withConverted } from "../model/fields/field_migration.ts";
import { Refusal } from "../refusals.ts";
import type { Entry } from "../store/operation.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Documents read at a time. */
const READ_AT_ONCE = 100;

/** The effects of a migration. */
export interface MigrationPreview {
  from: string;
  to: string;
  documents: number;
  /** Documents with a value. */
  values: number;
  converted: number;
  failed: number;
  examples: { id: string; title: string; before: Json; after: Json }[];
  failures: LostValue[];
}

/** Tells what a change of a field would do to the documents; changes nothing. */
export async function previewMigration(
  content: Content,
  slug: string,
  name: string,
  body: Record<string, Json>,
): Promise<MigrationPreview> {
  const schema = await content.schema.current();
  const collection = getCollection(schema, slug);
  const field = getField(collection, name);
  const to = parseFieldPatch(body, field);
  const preview: MigrationPreview = {
    from: field.type,
    to: to.type,
    documents: 0,
    values: 0,
    converted: 0,
    failed: 0,
    examples: [],
    failures: [],
  };
  for await (const state of documentsOf(content, collection)) {
    preview.documents += 1;
    const before = state.data[field.key] ?? null;
    if (before === null) continue;
    preview.values += 1;
    const { id, title } = state;
    const converted = to.type === field.type
      ? { value: before }
      : convertValue(before, field, to, schema.blocks);
    if ("fault" in converted) {
      preview.failed += 1;
      const lost = { id, title, value: shortened(before), reason: converted.fault };
      if (preview.failures.length < IMPACT_EXAMPLES_MAX) preview.failures.push(lost);
      continue;
    }
    preview.converted += 1;
    const example = { id, title, before: shortened(before), after: shortened(converted.value) };
    if (preview.examples.length < IMPACT_EXAMPLES_MAX) preview.examples.push(example);
  }
  return preview;
}

function shortened(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= EXAMPLE_CHARS_MAX) return value;
  return `${text.slice(0, EXAMPLE_CHARS_MAX).toWellFormed()}…`;
}

/** Every document of a collection, trashed ones too. */
export async function* documentsOf(
  content: Content,
  collection: Collection,
): AsyncGenerator<DocumentState> {
  const { context } = content;
  let after: WalkPosition | null = "start";
  while (after !== null) {
    const portion: WalkPortion = await walkDocuments(
      content,
      collection,
      STATUSES,
      after,
      READ_AT_ONCE,
    );
    after = portion.next;
    const keys = portion.ids.map((id) => currentKey("document", id));
    for (const entry of await context.store.getMany(keys) as Entry<CurrentRow>[]) {
      const id = entry.key[2] as string;
      const { state } = await readHead(context, "document", id, entry.key, entry);
      if (state !== null) yield state;
    }
    await context.store.sleep(0);
  }
}

/** A field while it is being migrated by a job. */
export interface MigrationTarget {
  collection: Collection;
  field: FieldDefinition & { migrating: Migration };
  schema: Schema;
}

/** The field that a job migrates; null when it is gone, or not the job's any more. */
export async function findMigrationTarget(
  content: Content,
  jobId: string,
  collectionId: string,
  fieldId: string,
): Promise<MigrationTarget | null> {
  return migratingIn(await content.schema.current(), jobId, collectionId, fieldId);
}

function migratingIn(
  schema: Schema,
  jobId: string,
  collectionId: string,
  fieldId: string,
): MigrationTarget | null {
  const collection = schema.byId.get(collectionId);
  const field = collection?.fields.find(({ id }) => id === fieldId);
  if (collection === undefined || field?.migrating?.jobId !== jobId) return null;
  return { collection, field: field as MigrationTarget["field"], schema };
}

/** Writes a document with its converted value; answers what is lost, if something is. */
export async function migrateDocument(
  content: Content,
  actor: Actor,
  { field: { id: fieldId, migrating }, collection: { id: collectionId } }: MigrationTarget,
  documentId: string,
  known: Entry[] = [],
): Promise<LostValue | null> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const found = migratingIn(schema, migrating.jobId, collectionId, fieldId);
    if (found === null) return null;
    const { collection, field } = found;
    const { head, state } = await documentHead(transaction, content, schema, documentId, {
      leaveEdits: true,
    }).catch(gone);
    if (head === null) return null;
    const summary = `Migrated ${field.name} from ${field.type} to ${migrating.to.type}`;
    const next = withConverted(state, collection, schema.blocks);
    if (!sameJson(next, state)) {
      const options = { summary, republish: false };
      await stageDocument(transaction, content, { collection, head, after: next, options });
    }
    const lost = lostIn(state, field, schema);
    if (lost !== null) stageLostValue(transaction.operation, migrating.jobId, lost);
    return lost;
  }, { known });
}

/** A document that has disappeared needs no conversion. */
export function gone(error: unknown): { head: null; state: never; collection: never } {
  if (error instanceof Refusal && error.code === "NOT_FOUND") {
    return { head: null, state: undefined as never, collection: undefined as never };
  }
  throw error;
}

function lostIn(
  { id, title, data: values }: DocumentState,
  field: MigrationTarget["field"],
  { blocks }: Schema,
): LostValue | null {
  const value = values[field.key] ?? null;
  if (value === null) return null;
  const converted = convertValue(value, field, field.migrating.to, blocks);
  if ("value" in converted) return null;
  return { id, title, value: shortened(value), reason: converted.fault };
}

/** Exchanges the definition: from this commit on the field is what it was to become. */
export async function finishMigration(
  content: Content,
  actor: Actor,
  { field: { id: fieldId, migrating }, collection: { id: collectionId } }: MigrationTarget,
): Promise<FieldDefinition | null> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const found = migratingIn(schema, migrating.jobId, collectionId, fieldId);
    if (found === null) return null;
    const { migrating: { key, to }, ...present } = found.field;
    const former = { key: present.key, type: present.type };
    // Whether values are unique is known only when all of them are reserved.
    const next: FieldDefinition = {
      ...present,
      ...to,
      unique: false,
      key,
      formerly: [...present.formerly ?? [], former].slice(-FORMER_KEYS_MAX),
    };
    delete next.uniqueBuilding;
    await saveField(transaction, next);
    return next;
  });
}
