/**
 * The documents that rows match by their slugs or by a field, where no earlier run has written them.
 *
 * @module
 */
import { readAhead } from "../../../kv/documents/read_ahead.ts";
import { hasValue } from "../../../kv/index/query/condition.ts";
import type { Position } from "../../../kv/index/query/list_query.ts";
import { slugKey } from "../../../kv/keys.ts";
import { TRANSFER_COMPARED_MAX } from "../../../kv/limits/transfers.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { IndexValue } from "../../../kv/model/fields/field_type.ts";
import { toWire } from "../../../kv/model/input/document_wire.ts";
import { targetSlug } from "../../../kv/model/transfers/plan.ts";
import type { MappedRow } from "../mapping/map_row.ts";
import type { TransferDeps } from "./transfer_deps.ts";
import type { PlannedRows, TransferRun } from "./transfer_run.ts";

/** Documents that are read at a time. */
const DOCUMENTS_AT_ONCE = 100;

/** States of documents that rows can match. */
const MATCHED = STATUSES.filter((status) => status !== "trashed");

/** The document that a row matches by its slug, or by a field. */
export async function matchOf(
  run: TransferRun,
  { collection }: PlannedRows,
  { body }: MappedRow,
): Promise<string | null> {
  const { deps: { content }, context } = run;
  const { match } = collection;
  if (match === "source") return null;
  const target = (await content.schema.current()).bySlug.get(targetSlug(collection));
  if (target === undefined) return null;
  if (match === "slug") {
    if (typeof body.slug !== "string") return null;
    return (await context.store.get<string>(slugKey(target.id, body.slug))).value;
  }
  const name = match.slice("field:".length);
  const value = body[name] ?? null;
  return value === null ? null : await matchByField(run, target, name, value);
}

async function matchByField(
  run: TransferRun,
  target: Collection,
  name: string,
  value: Json,
): Promise<string | null> {
  const field = target.fields.find((one) => one.name === name);
  if (field === undefined) return null;
  if (!field.indexed && !field.unique) {
    return (await idsByValue(run, target, name)).get(JSON.stringify(value)) ?? null;
  }
  const { rows } = await run.deps.content.index.list({
    collections: [target],
    statuses: MATCHED,
    where: hasValue({ fieldKey: field.key }, value as IndexValue),
    sort: [{ by: "createdAt", descending: false }],
    offset: 0,
    limit: 1,
  });
  return rows[0]?.id ?? null;
}

/** The ids of documents by their values in fields without an index, which the present run has read. */
const idsByDeps = new WeakMap<
  TransferDeps,
  { jobId: string; fields: Map<string, Promise<Map<string, string>>> }
>();

/** The oldest document of a collection with each value of a field; they are read once for a run. */
async function idsByValue(
  run: TransferRun,
  target: Collection,
  name: string,
): Promise<Map<string, string>> {
  const { writer: { jobId }, deps } = run;
  const held = idsByDeps.get(deps);
  const fields = held?.jobId === jobId
    ? held.fields
    : new Map<string, Promise<Map<string, string>>>();
  idsByDeps.set(deps, { jobId, fields });
  const key = `${target.id} ${name}`;
  const known = fields.get(key) ?? readIds(run, target, name);
  fields.set(key, known);
  try {
    return await known;
  } catch (error) {
    fields.delete(key);
    throw error;
  }
}

async function readIds(
  { deps: { content, reader }, context, signal }: TransferRun,
  target: Collection,
  name: string,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  let after: Position | "start" | null = "start";
  while (after !== null && ids.size < TRANSFER_COMPARED_MAX) {
    signal.throwIfAborted();
    const page: Awaited<ReturnType<typeof content.index.list>> = await content.index.list({
      collections: [target],
      statuses: MATCHED,
      sort: [{ by: "createdAt", descending: false }],
      offset: 0,
      limit: DOCUMENTS_AT_ONCE,
      after,
    });
    for await (const taken of readAhead(await reader.listedOfPage(page))) {
      if ("unavailable" in taken) throw new Error(`A document is missing: ${taken.unavailable}`);
      const { state } = taken.stored;
      const value = toWire(state, target)[name] ?? null;
      const text = JSON.stringify(value);
      if (value !== null && !ids.has(text)) ids.set(text, state.id);
    }
    after = page.next ?? null;
    await context.store.sleep(0);
  }
  return ids;
}
