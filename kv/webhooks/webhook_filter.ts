/**
 * Decides whether a change's document meets the filter of a webhook: the document as of the reported version,
 * with the current states of the documents it refers to.
 *
 * @module
 */
import type { Change } from "../changes/change_log.ts";
import type { Context } from "../context.ts";
import { readHead, type VersionRow } from "../versioning/entities.ts";
import { findKeptState } from "../versioning/versions.ts";
import { allOf, type Condition, hasValue, targetCollections } from "../index/query/condition.ts";
import { type IndexRow, wholeRow } from "../index/index_row.ts";
import { listRows, type RowSource } from "../index/row_list.ts";
import { currentKey, versionKey } from "../keys.ts";
import { MATCH_LEVELS_MAX } from "../limits/requests.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import { type DocumentState, STATUSES } from "../model/entities/document.ts";
import { isUlid } from "../model/values/ulid.ts";
import type { WebhookFilter, WebhookState } from "../model/entities/webhook.ts";

/** Reads a filter for a collection; null when it does not fit its fields (any more). */
export type ReadFilter = (
  filter: WebhookFilter,
  collection: Collection,
  schema: Schema,
) => Condition | null;

/** The dependencies that evaluating a webhook's filter needs. */
export interface FilterContext {
  context: Context;
  schema: Schema;
  readFilter: ReadFilter;
}

/**
 * Whether a webhook's filter lets the event of a document pass. One that no longer fits a collection that
 * the webhook names lets everything of it pass: an event too many does less harm than one that is missing.
 */
export async function meetsFilter(
  context: FilterContext,
  { filter = null, collectionIds }: WebhookState,
  change: Change,
): Promise<boolean> {
  const collection = context.schema.byId.get(change.collectionId);
  if (filter === null || change.event !== undefined || collection === undefined) return true;
  const where = context.readFilter(filter, collection, context.schema);
  if (where === null) return collectionIds !== null;
  const state = await stateOf(context.context, change);
  if (state === null) return true;
  const row = wholeRow(collection, state, change.n);
  const rows = new Map([[collection.id, [row]]]);
  const states = new Map([[row.id, state]]);
  if (targetCollections(where).length > 0) await addReferred(context, row, { rows, states });
  const query = {
    collections: [collection],
    statuses: STATUSES,
    // Documents of the same collection may be there because they are referred to.
    where: allOf(hasValue("id", row.id), where),
    sort: [],
    offset: 0,
    limit: 1,
  };
  const rowsOf = ({ id }: Collection) => rows.get(id) ?? [];
  const wholeRows: RowSource["wholeRows"] = (one, _versions, items) =>
    Promise.resolve(
      rowsOf(one).map(({ id, n }) => wholeRow(one, states.get(id) ?? state, n, items)),
    );
  return (await listRows(query, { rowsOf, wholeRows })).total > 0;
}

/** The document in the version of the change, or as it is now; null when it is gone in both. */
async function stateOf(context: Context, { id, n }: Change): Promise<DocumentState | null> {
  const { value } = await context.store.get<VersionRow>(versionKey("document", id, n));
  const kept = value === null ? undefined : await findKeptState(context, "document", id, value);
  return kept ?? await presentState(context, id);
}

async function presentState(context: Context, id: string): Promise<DocumentState | null> {
  return (await readHead(context, "document", id, currentKey("document", id))).state;
}

/** Adds what a document refers to, and what that refers to, as far as filters follow; by collection. */
async function addReferred(
  { context, schema }: FilterContext,
  row: IndexRow,
  { rows, states }: { rows: Map<string, IndexRow[]>; states: Map<string, DocumentState> },
): Promise<void> {
  const seen = new Set([row.id]);
  let level = [row];
  for (let depth = 0; depth < MATCH_LEVELS_MAX; depth++) {
    const ids = level.flatMap(({ values }) => Object.values(values).flat()).filter(isUlid)
      .filter((id) => !seen.has(id) && seen.add(id));
    level = [];
    for (const state of await Promise.all(ids.map((id) => presentState(context, id)))) {
      const collection = state && schema.byId.get(state.collectionId);
      if (!state || !collection) continue;
      const referred = wholeRow(collection, state, 1);
      level.push(referred);
      states.set(state.id, state);
      rows.set(collection.id, [...rows.get(collection.id) ?? [], referred]);
    }
  }
}
