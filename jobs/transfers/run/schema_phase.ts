/**
 * The first phase of a run: collections and fields that the plan needs and that do not exist. A collection is made with
 * all of its fields in one commit.
 *
 * @module
 */
import { createBlock } from "../../../kv/schema/blocks.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { createField } from "../../../kv/schema/fields.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import type { FieldInput } from "../../../kv/model/fields/field_input.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { fieldInput, planDetails } from "../../../kv/model/transfers/plan_check.ts";
import { type PlanCollection, targetSlug } from "../../../kv/model/transfers/plan.ts";
import { stageTransferChange } from "../../../kv/transfers/transfer_changes.ts";
import type { Transaction } from "../../../kv/versioning/transaction.ts";
import { isNear } from "../mapping/row_languages.ts";
import { missingBlocks } from "../mapping/source_blocks.ts";
import { type StoredLine, writeLines } from "./report.ts";
import { BadSource } from "../reading/source_file.ts";
import { plannedRows, type TransferRun } from "./transfer_run.ts";

/** Makes what is missing. */
export async function makeSchema(run: TransferRun): Promise<void> {
  const { plan, facts, schema } = run;
  const sources = new Set(facts.sources.map(({ source }) => source));
  const [wrong] = planDetails(plan, schema, sources);
  if (wrong !== undefined) throw new BadSource(`${wrong.field}: ${wrong.message}`);
  await reportLeftOut(run);
  if (run.isDry) return;
  const targets = byTarget(plannedRows(run).map(({ collection }) => collection));
  for (const [slug, parts] of targets) {
    const schema = await run.deps.content.schema.current();
    if (!schema.bySlug.has(slug)) await makeCollection(run, schema, parts);
  }
  await makeBlocks(run);
  // References to collections that were made later, and fields of those that existed before.
  for (const [slug, parts] of targets) {
    const present = (await run.deps.content.schema.current()).bySlug.get(slug);
    if (present !== undefined) await makeFields(run, present, parts);
  }
}

/** What becomes documents of the same collection. */
export function byTarget(collections: readonly PlanCollection[]): Map<string, PlanCollection[]> {
  const found = new Map<string, PlanCollection[]>();
  for (const one of collections) {
    if (one.mode === "skip") continue;
    const slug = targetSlug(one);
    found.set(slug, [...found.get(slug) ?? [], one]);
  }
  return found;
}

/** The fields of a target, each once. */
export function fieldsOf(parts: readonly PlanCollection[], hasLanguages = false): FieldInput[] {
  const inputs = new Map<string, FieldInput>();
  for (const field of parts.flatMap(({ fields }) => fields)) {
    const input = fieldInput(field, hasLanguages);
    if (input !== null && !inputs.has(input.name)) inputs.set(input.name, input);
  }
  return [...inputs.values()];
}

async function makeCollection(
  run: TransferRun,
  { bySlug, languages }: Schema,
  parts: readonly PlanCollection[],
): Promise<void> {
  const [first] = parts;
  if (first === undefined || typeof first.target === "string") return;
  const { deps: { content }, writer: { summary } } = run;
  const { slug } = first.target;
  const isKnown = (target: string) => target === slug || bySlug.has(target);
  const { translated = [], singletons = [] } = run.facts.facts;
  // Titles and slugs are in several languages even where no field is.
  const isLocalized = languages !== undefined &&
    parts.some(({ source, fields, language = null }) =>
      language !== null || translated.includes(source) ||
      fields.some(({ localized }) => localized)
    );
  const fields = fieldsOf(parts, isLocalized).filter(({ options: { collection, collections } }) =>
    [...collection === undefined ? [] : [collection], ...collections ?? []].every(isKnown)
  );
  // What has no times in its source would show those of the transfer.
  const isUndated = parts.every(({ publishedAt, createdAt }) =>
    publishedAt === null && createdAt === null
  );
  const framing = {
    ...first.target,
    ...(isLocalized && { localized: true }),
    ...(isUndated && { undated: true }),
    ...(parts.every(({ source }) => singletons.includes(source)) && {
      singleton: true,
      pageless: true,
    }),
  };
  const input = { ...parseCollection(framing), fields };
  await createCollection(content, run.actor, input, {
    summary,
    also: (transaction, { id, fields }) => {
      stageMade(run, transaction, { type: "collection", id });
      for (const field of fields) {
        stageMade(run, transaction, { type: "field_definition", id: field.id });
      }
    },
  });
}

/** Defines the blocks that the plan names and the site does not have. */
async function makeBlocks(run: TransferRun): Promise<void> {
  const { deps: { content }, plan, facts: { facts }, writer: { summary } } = run;
  const schema = await content.schema.current();
  for (const input of missingBlocks(plan, facts.blocks ?? [], schema)) {
    await createBlock(content, run.actor, input, {
      summary,
      also: (transaction, { id }) => stageMade(run, transaction, { type: "block_definition", id }),
    });
  }
}

async function makeFields(
  run: TransferRun,
  collection: Collection,
  parts: readonly PlanCollection[],
): Promise<void> {
  const { deps: { content }, writer: { summary } } = run;
  for (const input of fieldsOf(parts, collection.localized === true)) {
    // What the collection has already stays as it is.
    if (collection.fields.some(({ name }) => name === input.name)) continue;
    await createField(content, run.actor, collection.slug, input, {
      summary,
      also: (transaction, { id }) => stageMade(run, transaction, { type: "field_definition", id }),
    });
  }
}

/** Adds to a commit that the transfer has made an entity. */
function stageMade(
  { writer: { transferId } }: TransferRun,
  { operation }: Transaction,
  made: { type: EntityType; id: string },
): void {
  stageTransferChange(operation, transferId, made, { before: null, n: 1 }, null);
}

/** Lists what the source has and the transfer does not take, in front of the rows. */
async function reportLeftOut(run: TransferRun): Promise<void> {
  const { context, record: { id }, facts: { kind, facts }, plan, writer: { jobId } } = run;
  const messages = [...facts.warnings];
  const original = run.schema.languages?.original;
  const left = facts.languages.filter((language) =>
    (plan.languages[language] ?? null) === null &&
    !(original !== undefined && isNear(language, original))
  );
  if (left.length > 0) {
    const what = facts.keepsLanguages ? "become documents of their own" : "are left out";
    messages.push(`Values in ${left.join(", ")} ${what}`);
  }
  if (messages.length === 0) return;
  const lines = messages.map((message): StoredLine => ({
    source: kind,
    sourceId: "",
    collection: "",
    status: "skipped",
    problems: [{ path: "", code: "LEFT_OUT", message }],
  }));
  await writeLines(context, id, jobId, "a-source", lines);
}
