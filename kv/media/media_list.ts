/**
 * Lists of media: any order, filter and page, with exact totals, from secondary rows that every write of a
 * medium stores and that each process keeps in memory.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { ReferenceLookup } from "../documents/reference_rows.ts";
import { sortForm } from "../index/segments/texts.ts";
import { compareTexts } from "../model/values/compare_texts.ts";
import { isPicture, type MediaMime } from "../model/entities/media.ts";
import { isWithin, tagForm } from "../model/entities/media_folder.ts";
import type { MediaRow } from "../versioning/media_row.ts";
import { shardOf, Shards, type ShardsSnapshot } from "../store/shards.ts";
import type { Entry } from "../store/operation.ts";
import { MEDIA_RESULTS_KEPT_MAX } from "../tuning.ts";

/** The attributes that media can be sorted by. */
export const MEDIA_SORTS = ["createdAt", "updatedAt", "filename", "bytes"] as const;

/** The `folder` of a query that selects media outside every folder. */
export const NO_FOLDER = "/";

/** A query for media; omitted conditions match everything. */
export interface MediaQuery {
  deleted: boolean;
  /** Text that the file name, the title or the alternative text must contain, whatever its case. */
  text?: string;
  mimes?: readonly MediaMime[];
  /** A folder with everything below it; {@linkcode NO_FOLDER} for what is in none. */
  folder?: string;
  /** Tags, each of which it has, whatever their case. */
  tags?: readonly string[];
  /** Whether documents reference it. */
  used?: boolean;
  /** Whether it has an alternative text; what is no picture misses none. */
  described?: boolean;
  /** Newest first by default. */
  sort?: { by: typeof MEDIA_SORTS[number]; descending: boolean };
  offset: number;
  limit: number;
  /** Only media behind this position of the order; the answer then has the next one. */
  after?: MediaPosition | "start";
}

/** A position in an order of media. */
export interface MediaPosition {
  /** The value of the sort attribute; names in their sort form. */
  value: string | number;
  id: string;
}

/** A page of a list; `total` is exact and counts all pages. */
export interface MediaPage {
  total: number;
  media: MediaRow[];
  /** With `after`: null at the end. */
  next?: MediaPosition | null;
}

interface ListedMedium {
  row: MediaRow;
  shard: number;
  /** Everything that is searched, in sort form. */
  text: string;
  /** The file name as it sorts. */
  name: string;
}

interface Result {
  isReferenced: ((id: string) => boolean) | null;
  fitting: ListedMedium[];
}

/** The media of a site, as one process keeps them. */
export class MediaList {
  readonly #shards: Shards<ListedMedium[]>;
  readonly #referenced: ReferenceLookup;
  /** All media in each order of the current snapshot, by the name of the order. */
  readonly #orders = new Map<typeof MEDIA_SORTS[number], ListedMedium[]>();
  readonly #results = new Map<string, Result>();
  #ordered: ShardsSnapshot<ListedMedium[]> | undefined;

  constructor(context: Context) {
    this.#shards = new Shards(context.store, "media", listed);
    this.#referenced = new ReferenceLookup(context);
  }

  /** Answers a query as of now: everything that was committed before is in it. */
  async list(query: MediaQuery): Promise<MediaPage> {
    const [snapshot, isReferenced] = await Promise.all([
      this.#shards.current(),
      query.used === undefined ? null : this.#referenced.current(),
    ]);
    const { by, descending } = query.sort ?? { by: "createdAt", descending: true };
    const fitting = this.#fitting(snapshot, by, query, isReferenced);
    const { offset, limit } = query;
    const total = fitting.length;
    if (query.after !== undefined) return this.#behind(fitting, by, descending, query);
    const page = descending
      ? fitting.slice(Math.max(0, total - offset - limit), Math.max(0, total - offset)).reverse()
      : fitting.slice(offset, offset + limit);
    return { total, media: page.map(({ row }) => row) };
  }

  /** The media that a test fits as of now, deleted ones included. */
  async find(fits: (row: MediaRow) => boolean): Promise<MediaRow[]> {
    const { shards } = await this.#shards.current();
    return shards.flatMap((shard) => shard.filter(({ row }) => fits(row)).map(({ row }) => row));
  }

  #behind(
    fitting: ListedMedium[],
    by: typeof MEDIA_SORTS[number],
    descending: boolean,
    { after, limit }: MediaQuery,
  ): MediaPage {
    const ordered = descending ? fitting.toReversed() : fitting;
    const isBehind = ({ value, id }: MediaPosition, one: ListedMedium) => {
      const order = compareAt(valueOf(one, by), value) ||
        (one.row.id < id ? -1 : Number(one.row.id > id));
      return descending ? order < 0 : order > 0;
    };
    const rest = typeof after === "object"
      ? ordered.filter((one) => isBehind(after, one))
      : ordered;
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    const next = last === undefined || rest.length <= limit
      ? null
      : { value: valueOf(last, by), id: last.row.id };
    return { total: fitting.length, media: page.map(({ row }) => row), next };
  }

  /** The media that fit a query, in order; kept, since one page is seldom the only one. */
  #fitting(
    snapshot: ShardsSnapshot<ListedMedium[]>,
    by: typeof MEDIA_SORTS[number],
    query: MediaQuery,
    isReferenced: ((id: string) => boolean) | null,
  ): ListedMedium[] {
    const order = this.#inOrder(snapshot, by);
    const { deleted, mimes, described, used, folder } = query;
    const tags = query.tags?.map(tagForm);
    const wanted = sortForm((query.text ?? "").trim());
    const name = JSON.stringify([by, deleted, wanted, mimes, described, used, folder, tags]);
    const kept = this.#results.get(name);
    if (kept !== undefined && kept.isReferenced === isReferenced) return kept.fitting;
    const fitting = order.filter(({ row, text }) =>
      (row.deletedAt !== null) === deleted &&
      (wanted === "" || text.includes(wanted)) &&
      (mimes === undefined || mimes.includes(row.mime)) &&
      isIn(row, folder) &&
      (tags === undefined || tags.every((tag) => row.tags?.some((own) => tagForm(own) === tag))) &&
      (described === undefined || isDescribed(row, described)) &&
      (isReferenced === null || isReferenced(row.id) === used)
    );
    if (this.#results.size >= MEDIA_RESULTS_KEPT_MAX) this.#results.clear();
    this.#results.set(name, { isReferenced, fitting });
    return fitting;
  }

  #inOrder(
    snapshot: ShardsSnapshot<ListedMedium[]>,
    by: typeof MEDIA_SORTS[number],
  ): ListedMedium[] {
    if (this.#ordered !== snapshot) this.#reorder(snapshot);
    let order = this.#orders.get(by);
    if (order === undefined) {
      order = snapshot.shards.flat().sort(ORDERS[by]);
      this.#orders.set(by, order);
    }
    return order;
  }

  /** Takes over a new snapshot: of each order that is kept, only the shards that differ are sorted. */
  #reorder(snapshot: ShardsSnapshot<ListedMedium[]>): void {
    const before = this.#ordered?.shards ?? [];
    const changed = snapshot.shards.map((shard, index) => shard !== before[index]);
    const fresh = snapshot.shards.filter((_, index) => changed[index]).flat();
    for (const [by, order] of this.#orders) {
      const kept = order.filter(({ shard }) => !changed[shard]);
      this.#orders.set(by, merged(kept, fresh.toSorted(ORDERS[by]), ORDERS[by]));
    }
    this.#results.clear();
    this.#ordered = snapshot;
  }
}

function isDescribed({ alt, mime }: MediaRow, described: boolean): boolean {
  return described ? alt !== "" : alt === "" && isPicture(mime);
}

function isIn(row: MediaRow, folder: string | undefined): boolean {
  if (folder === undefined) return true;
  return folder === NO_FOLDER ? row.folder === undefined : isWithin(row.folder, folder);
}

/** Two sorted lists as one. */
function merged(
  a: ListedMedium[],
  b: ListedMedium[],
  compare: (a: ListedMedium, b: ListedMedium) => number,
): ListedMedium[] {
  const both: ListedMedium[] = [];
  const rest = a.values();
  let next = rest.next();
  for (const one of b) {
    for (; !next.done && compare(next.value, one) < 0; next = rest.next()) both.push(next.value);
    both.push(one);
  }
  for (; !next.done; next = rest.next()) both.push(next.value);
  return both;
}

function listed(rows: Entry[]): ListedMedium[] {
  return rows.map(({ value }) => {
    const row = value as MediaRow;
    const text = sortForm([row.filename, row.title ?? "", row.alt, ...row.tags ?? []].join("\n"));
    return { row, shard: shardOf(row.id), text, name: sortForm(row.filename) };
  });
}

/** Ties are broken by id. */
const ORDERS: Record<typeof MEDIA_SORTS[number], (a: ListedMedium, b: ListedMedium) => number> = {
  createdAt: (a, b) => a.row.createdAt - b.row.createdAt || byId(a, b),
  updatedAt: (a, b) => a.row.updatedAt - b.row.updatedAt || byId(a, b),
  filename: (a, b) => compareTexts(a.name, b.name) || byId(a, b),
  bytes: (a, b) => a.row.bytes - b.row.bytes || byId(a, b),
};

function valueOf({ row, name }: ListedMedium, by: typeof MEDIA_SORTS[number]): string | number {
  return by === "filename" ? name : row[by];
}

function compareAt(a: string | number, b: string | number): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return typeof a === "number" && typeof b === "number" ? a - b : 0;
}

function byId(a: ListedMedium, b: ListedMedium): number {
  return a.row.id < b.row.id ? -1 : 1;
}
