/**
 * The state of a document list as its address has it, and the addresses of other states.
 *
 * @module
 */
import type { ListLayout } from "../../kv/documents/lists/list_layouts.ts";
import { codesOf, type Collection } from "../../kv/model/entities/collection.ts";
import type { FieldDefinition, FieldTypeName } from "../../kv/model/fields/field_definition.ts";
import { FIELD_FACETS } from "./controls/field_facets.tsx";
import { thumbnailField } from "./thumbnail.ts";

/** Columns of documents that are not fields. */
export const FRAMING_COLUMNS: readonly (readonly [name: string, label: string])[] = [
  ["status", "Status"],
  ["slug", "URL"],
  ["updatedAt", "Changed"],
  ["createdAt", "Created"],
  ["publishedAt", "Published"],
];

/** Fields that are shown when nothing was chosen. */
const FIELDS_SHOWN = 2;

/** Default columns: fields that distinguish documents before fields with long content. */
const COLUMN_RANKS: Partial<Record<FieldTypeName, number>> = {
  select: 0,
  reference: 0,
  datetime: 1,
  number: 1,
  boolean: 1,
};

function rankOf({ type }: FieldDefinition): number {
  return COLUMN_RANKS[type] ?? Object.keys(COLUMN_RANKS).length;
}
/** A key of the sort, as the address spells it. */
export interface SortPart {
  name: string;
  descending: boolean;
}

/** The query of a list's address. */
export class ListState {
  readonly params: URLSearchParams;
  /** The user's layout of this list. */
  readonly layout: ListLayout;
  readonly #path: string;

  constructor(url: URL, layout: ListLayout = { columns: [], widths: {} }) {
    this.params = new URLSearchParams(url.search);
    this.layout = layout;
    this.#path = url.pathname;
  }

  /** The sort, most important key first. */
  get sort(): SortPart[] {
    const text = this.params.get("sort") ?? "-updatedAt";
    return text.split(",").filter((part) => part !== "").map((part) =>
      part.startsWith("-")
        ? { name: part.slice(1), descending: true }
        : { name: part, descending: false }
    );
  }

  /** The address with some parameters replaced; null takes one away. Another list begins at page 1. */
  with(changes: Record<string, string | null>): string {
    const params = new URLSearchParams(this.params);
    if (!("page" in changes)) params.delete("page");
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) params.delete(name);
      else params.set(name, value);
    }
    const query = params.toString();
    return query === "" ? this.#path : `${this.#path}?${query}`;
  }

  /** The address without one value of a filter. */
  withoutFilter(name: string, value: string): string {
    const params = new URLSearchParams(this.params);
    params.delete("page");
    params.delete(name, value);
    return params.size === 0 ? this.#path : `${this.#path}?${params}`;
  }

  /** The address sorted by a column: turned round when it is sorted by it already. */
  sortedBy(name: string): string {
    const present = this.sort[0];
    const descending = present?.name === name ? !present.descending : isTime(name);
    return this.with({ sort: sortText([{ name, descending }]) });
  }

  /** The URL with a column as an additional sort key, or reversed if it already is one. */
  alsoSortedBy(name: string): string {
    const known = this.sort.some((part) => part.name === name);
    const sort = known
      ? this.sort.map((part) => part.name === name ? { name, descending: !part.descending } : part)
      : [...this.sort, { name, descending: isTime(name) }];
    return this.with({ sort: sortText(sort) });
  }

  /** The address without a sort key. */
  withoutSort(name: string): string {
    const sort = this.sort.filter((part) => part.name !== name);
    return this.with({ sort: sort.length === 0 ? null : sortText(sort) });
  }

  /** Names of the columns to show, in their order: the address says them, or the layout. */
  columns(collection: Collection | null): string[] {
    const known = new Set(columnChoices(collection).map(([name]) => name));
    const given = this.params.getAll("columns").flatMap((text) => text.split(","));
    for (const names of [given, this.layout.columns]) {
      const chosen = [...new Set(names)].filter((name) => known.has(name));
      if (chosen.length > 0) return chosen;
    }
    const thumbnail = thumbnailField(collection);
    const fields = (collection?.fields ?? []).filter((field) => field !== thumbnail)
      .filter(({ type, options }) => FIELD_FACETS[type].cell !== null && !options.multiline);
    const first = fields.toSorted((one, other) => rankOf(one) - rankOf(other))
      .slice(0, FIELDS_SHOWN);
    const names = fields.filter((field) => first.includes(field)).map(({ name }) => name);
    return [
      ...(collection === null ? ["collection"] : []),
      "status",
      ...languageColumn(collection).map(([name]) => name),
      ...names,
      "updatedAt",
    ];
  }

  /** The ranges, as the address spells their ends. */
  ranges(): { name: string; from: string | null; to: string | null }[] {
    const names = [...this.params.keys()].flatMap((key) =>
      /^(?:from|to)\.(.+)$/.exec(key)?.[1] ?? []
    );
    return [...new Set(names)].map((name) => ({
      name,
      from: this.params.get(`from.${name}`),
      to: this.params.get(`to.${name}`),
    }));
  }

  /** The address without a range. */
  withoutRange(name: string): string {
    return this.with({ [`from.${name}`]: null, [`to.${name}`]: null });
  }

  /** The parameters of a saved view. */
  get query(): string {
    const params = new URLSearchParams(this.params);
    params.delete("page");
    return params.toString();
  }

  /** The filters, one entry per value. */
  filters(): [parameter: string, value: string][] {
    return [...this.params].filter(([name]) => name.startsWith("field."));
  }
}

/** The column of languages, named as no field can be; none if documents have no translations. */
export const LANGUAGES_COLUMN = "_languages";

function languageColumn(collection: Collection | null): [name: string, label: string][] {
  const isLocalized = collection !== null && codesOf(collection).length > 0;
  return isLocalized ? [[LANGUAGES_COLUMN, "Languages"]] : [];
}

/** All optional columns of a list. */
export function columnChoices(collection: Collection | null): [name: string, label: string][] {
  const fields = (collection?.fields ?? [])
    .filter(({ type }) => FIELD_FACETS[type].cell !== null)
    .map(({ name, label }): [string, string] => [name, label]);
  const home: [string, string][] = collection === null ? [["collection", "Collection"]] : [];
  return [
    ...home,
    ["status", "Status"],
    ...languageColumn(collection),
    ...fields,
    ...FRAMING_COLUMNS.slice(1) as [string, string][],
  ];
}

/** Whether a list can be sorted by a column. */
export function isSortable(name: string, collection: Collection | null): boolean {
  if (name === "title" || FRAMING_COLUMNS.some(([framing]) => framing === name)) return true;
  return findField(collection, name)?.sortable === true;
}

/** Whether a column holds moments. */
export function isTimeColumn(name: string, collection: Collection | null): boolean {
  const field = findField(collection, name);
  return field === undefined ? isTime(name) : FIELD_FACETS[field.type].filter === "date";
}

/** Whether a field is looked for between two of its values. */
export function isRanged({ type, indexed }: FieldDefinition): boolean {
  const { filter } = FIELD_FACETS[type];
  return indexed && (filter === "number" || filter === "date");
}

/** The field of a column. */
export function findField(
  collection: Collection | null,
  name: string,
): FieldDefinition | undefined {
  return collection?.fields.find((field) => field.name === name);
}

function sortText(sort: SortPart[]): string {
  return sort.map(({ name, descending }) => (descending ? "-" : "") + name).join(",");
}

function isTime(name: string): boolean {
  return name.endsWith("At");
}
