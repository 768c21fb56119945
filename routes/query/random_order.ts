/**
 * `sort=random`: an order that depends on nothing but the seed and the documents' ids.
 *
 * @module
 */
import type { ListPage, ListQuery, Position } from "../../kv/index/query/list_query.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { Refusal } from "../../kv/refusals.ts";
import { RANDOM_SEED_CHARS_MAX } from "../input/limits.ts";
import { parseCursor } from "./cursor.ts";
import { parameterInvalid, type Parameters } from "./parameters.ts";

/** The value of `sort`. */
export const RANDOM_SORT = "random";

/** A random order, and the position behind which a page begins. */
export interface RandomOrder {
  seed: string;
  after?: Position | "start";
}

/** Whether a list is in random order; a sortable field of this name sorts as any other. */
export function isRandom(names: readonly string[] | undefined, { fields }: Collection): boolean {
  if (names === undefined || !names.some((name) => name.replace(/^-/, "") === RANDOM_SORT)) {
    return false;
  }
  if (fields.some(({ name, sortable }) => sortable && name === RANDOM_SORT)) return false;
  if (names.length > 1 || names[0] !== RANDOM_SORT) {
    throw new Refusal("SORT_FIELD_INVALID", { about: `${RANDOM_SORT} stands alone` });
  }
  return true;
}

/** The random order of a request; a cursor carries its seed. */
export function parseRandomOrder(
  parameters: Parameters,
  cursor: string | undefined,
  order: string,
): RandomOrder {
  const given = parameters.single("seed");
  if (given !== undefined && !isSeed(given)) throw seedInvalid();
  const after = cursor === undefined ? undefined : parseCursor(cursor, order, 2);
  if (after === undefined || after === "start") {
    if (given === undefined) throw seedInvalid();
    return { seed: given, ...(after !== undefined && { after }) };
  }
  const [, seed] = after.values;
  if (typeof seed !== "string" || (given !== undefined && given !== seed)) {
    throw new Refusal("CURSOR_INVALID");
  }
  return { seed, after };
}

function isSeed(text: string): boolean {
  return text !== "" && [...text].length <= RANDOM_SEED_CHARS_MAX;
}

function seedInvalid(): Refusal {
  return parameterInvalid(`sort=random needs a seed of 1 to ${RANDOM_SEED_CHARS_MAX} characters`);
}

/** A page in random order; `list` answers a query in another one. */
export async function randomPage<P extends ListPage>(
  query: ListQuery,
  { seed, after }: RandomOrder,
  list: (query: ListQuery) => Promise<P>,
): Promise<P> {
  const { after: _, ...rest } = query;
  const whole = await list({ ...rest, sort: [], offset: 0, limit: Number.MAX_SAFE_INTEGER });
  const place = placer(seed);
  const placed = whole.rows.map((row) => ({ row, at: place(row.id) }))
    .filter(({ row, at }) =>
      after === undefined || after === "start" || isBehind(at, row.id, after)
    )
    .sort((a, b) => a.at - b.at || (a.row.id < b.row.id ? -1 : 1));
  const end = query.offset + query.limit;
  const page = placed.slice(query.offset, end);
  const result: P = { ...whole, rows: page.map(({ row }) => row) };
  delete result.next;
  if (after === undefined) return result;
  const last = page.at(-1);
  const isEnd = last === undefined || placed.length <= end;
  return { ...result, next: isEnd ? null : { values: [last.at, seed], id: last.row.id } };
}

function isBehind(at: number, id: string, { values: [last], id: lastId }: Position): boolean {
  return at > Number(last) || (at === Number(last) && id > lastId);
}

/** The place of an id: a 32-bit hash (FNV-1a, mixed) of the seed and the id. */
function placer(seed: string): (id: string) => number {
  const start = hashed(0x811c9dc5, seed);
  return (id) => mixed(hashed(start, id));
}

function hashed(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

function mixed(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
