/**
 * Columns of languages. A row has the values of each of its languages under columns of their own; a column in a
 * language is derived from those, by the chain of languages that stand in for what is missing, and kept like any
 * other.
 *
 * @module
 */
import type { LanguageView } from "../../model/languages/in_language.ts";
import type { Collection } from "../../model/entities/collection.ts";
import { isLocalized } from "../../model/entities/collection.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";
import { type Column, emptyColumn } from "./column.ts";
import {
  columnField,
  type ColumnKey,
  fieldColumn,
  framingColumn,
  type FramingSort,
} from "./list_columns.ts";
import { mergeColumn } from "./merge.ts";

/** What a column of a language holds: a framing key, `has` and `outdated` with roots, or a field. */
type Target = `$${string}` | `.${string}`;

/** Framing that each language has of its own. */
const OWN_FRAMING: ReadonlySet<string> = new Set([
  "title",
  "slug",
  "status",
  "publishedAt",
  "publishAt",
  "updatedAt",
]);

/** The key of a value that a row has in a language; `""` stands for the original. */
export function languageKey(code: string, target: Target): string {
  return `@${code}${target}`;
}

/** The key of the language that a document is written in, where it is not the site's. */
export const ORIGINAL_KEY = languageKey("", "$original");

/** Whether a field key, as columns have it, is of a language. */
export function isLanguageKey(fieldKey: string): boolean {
  return fieldKey.startsWith("@");
}

/** Whether a column holds what rows have in one language; a row without it has no value there. */
export function isLanguageColumn(column: string): boolean {
  return isLanguageKey(columnField(column) ?? "");
}

/** The field that a key of a language is about; undefined for framing. */
export function fieldOfLanguageKey(key: string): string | undefined {
  const dot = key.indexOf(".");
  return isLanguageKey(key) && dot > 0 ? key.slice(dot + 1) : undefined;
}

/** Whether texts of a column are only sorted and searched, so that their plain form is not needed. */
export function needsNoPlainForm(column: string): boolean {
  const key = columnField(column);
  return key === undefined || (isLanguageKey(key) && /\$(title|slug)$/.test(key));
}

/** A derived column's view. */
type Spec = [
  code: string,
  chain: readonly string[],
  fills: boolean,
  substitutes: boolean,
  seesDrafts: boolean,
  site: string,
];

/** Whether a column is derived from those of languages. */
export function isInLanguage(column: string): boolean {
  return column.startsWith(".~");
}

/** The column of a key as a language shows it: the same one where languages make no difference. */
export function keyInLanguage(
  collection: Collection,
  view: LanguageView,
  site: string,
  by: ColumnKey,
): ColumnKey {
  const target = targetOf(collection, by);
  if (target === null) return by;
  const { code, chain, fills, substitutes, seesDrafts } = view;
  const spec: Spec = [code, chain, fills, substitutes, seesDrafts, site];
  return { fieldKey: `~${JSON.stringify(spec)}${target}` };
}

function targetOf(collection: Collection, by: ColumnKey): Target | null {
  if (!collection.localized) return null;
  if (typeof by === "string") return OWN_FRAMING.has(by) ? `$${by}` : null;
  const field = collection.fields.find(({ key }) => key === rootOf(by.fieldKey));
  return field !== undefined && isLocalized(collection, field) ? `.${by.fieldKey}` : null;
}

/** The key of the field that a key stands for, or of the group that it is in. */
function rootOf(fieldKey: string): string {
  return fieldKey.split(".", 1)[0] ?? fieldKey;
}

function parsed(column: string): { spec: Spec; target: Target } {
  const end = column.lastIndexOf("]") + 1;
  return { spec: JSON.parse(column.slice(2, end)), target: column.slice(end) as Target };
}

/** The field that a derived column is about; undefined for framing, and for other columns. */
export function derivedField(fieldKey: string): string | undefined {
  if (!fieldKey.startsWith("~")) return undefined;
  const { target } = parsed(`.${fieldKey}`);
  return target.startsWith(".") ? target.slice(1) : undefined;
}

/** A view of a language as the names of its columns have it. */
export interface ViewedLanguage {
  /** The same for all columns of the view. */
  name: string;
  /** The language, and those that stand in for it. */
  codes: string[];
  /** Documents that are written in these are shown, whether or not they are translated. */
  written: string[];
  /** Whether only published documents are shown. */
  needsPublished: boolean;
  site: string;
}

/** The view of a derived column. */
export function viewedLanguage(column: string): ViewedLanguage {
  const [code, chain, , substitutes, seesDrafts, site] = parsed(column).spec;
  const codes = [...new Set([code, ...chain])];
  return {
    name: column.slice(1, column.lastIndexOf("]") + 1),
    codes,
    written: substitutes ? codes : [code],
    needsPublished: substitutes && !seesDrafts,
    site,
  };
}

/** The key that a derived one has in the original; any other key is its own. */
export function originalKey(by: ColumnKey): ColumnKey {
  if (typeof by === "string" || !by.fieldKey.startsWith("~")) return by;
  const { target } = parsed(`.${by.fieldKey}`);
  const rest = target.slice(1);
  return target.startsWith("$") ? rest as FramingSort : { fieldKey: rest };
}

/** The language that a column has values of its own in; undefined for other columns. */
export function ownLanguage(column: string): string | undefined {
  return /^\.@([^$.]+)/.exec(column)?.[1];
}

/** The columns that a derived one is made of. */
export function languageSources(column: string): string[] {
  const { spec: [code, chain], target } = parsed(column);
  const codes = [code, ...chain];
  const targets: Target[] = [...new Set<Target>(["$status", "$has", target])];
  const own = codes.flatMap((one) => targets.map((of) => fieldColumn(languageKey(one, of))));
  return [
    target,
    framingColumn("status"),
    fieldColumn(ORIGINAL_KEY),
    fieldColumn(languageKey("", "$has")),
    ...own,
  ];
}

/** A language of the rows of a segment. */
interface Side {
  /** 1 for each row that is written in it. */
  isOriginal: Uint8Array;
  own: { status: Column; has: Column; target: Column };
  seen: (row: number) => boolean;
  exists: (row: number) => boolean;
  /** Whether a row has a value of its own in it. */
  holds: (row: number) => boolean;
}

/** Makes a derived column of `rows` rows from its sources. */
export function* languageColumn(
  name: string,
  rows: number,
  columnOf: (source: string) => Column,
): Sliced<Column> {
  const { spec, target } = parsed(name);
  const [code, chain, fills, substitutes] = spec;
  const sides = [code, ...chain].map((one) => sideOf(one, spec, target, rows, columnOf));
  const sources = new Uint16Array(rows);
  const identity = new Uint32Array(rows);
  const isFraming = target.startsWith("$");
  yield* inSlices(rows, (from, to) => {
    for (let row = from; row < to; row++) {
      identity[row] = row;
      const first = sides.findIndex(
        substitutes ? (side) => side.seen(row) : (side, index) => index === 0 && side.exists(row),
      );
      const shown = sides[first];
      if (shown === undefined) continue;
      let at = first;
      if (!isFraming && !shown.holds(row)) {
        if (!fills) continue;
        at = sides.findIndex((side, i) => i > first && side.seen(row) && side.holds(row));
      }
      const from = sides[at];
      if (from !== undefined) sources[row] = from.isOriginal[row] === 1 ? 1 : 2 + at;
    }
  });
  const columns = [
    emptyColumn(rows),
    columnOf(target),
    ...sides.map(({ own }) => own.target),
  ];
  return yield* mergeColumn(columns, { sources, rows: identity });
}

function sideOf(
  code: string,
  [, , , , seesDrafts, site]: Spec,
  target: Target,
  rows: number,
  columnOf: (source: string) => Column,
): Side {
  const own = (of: Target) => columnOf(fieldColumn(languageKey(code, of)));
  const original = columnOf(fieldColumn(ORIGINAL_KEY));
  const wanted = codeOfText(original, code);
  const isOriginal = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const found = original.code(row);
    isOriginal[row] = Number(
      found === original.dictionary.size ? code === site : found === wanted,
    );
  }
  const base = { status: columnOf(framingColumn("status")), target: columnOf(target) };
  const mine = { status: own("$status"), has: own("$has"), target: own(target) };
  const isPublished = (column: Column) => {
    const published = codeOfText(column, "published");
    return (row: number) => seesDrafts ? hasValue(column, row) : column.code(row) === published;
  };
  const seenBase = isPublished(base.status);
  const seenOwn = isPublished(mine.status);
  const root = target.startsWith(".") ? rootOf(target.slice(1)) : target.slice(1);
  const baseHas = member(columnOf(fieldColumn(languageKey("", "$has"))), root);
  const ownHas = member(mine.has, root);
  return {
    isOriginal,
    own: mine,
    exists: (row) => isOriginal[row] === 1 || hasValue(mine.status, row),
    seen: (row) => isOriginal[row] === 1 ? seenBase(row) : seenOwn(row),
    holds: (row) =>
      isOriginal[row] === 1 ? hasValue(base.target, row) || baseHas(row) : ownHas(row),
  };
}

function hasValue(column: Column, row: number): boolean {
  return column.code(row) !== column.dictionary.size;
}

/** The code of a text; -1 for one that no row has. */
function codeOfText({ dictionary }: Column, text: string): number {
  for (let code = 0; code < dictionary.size; code++) {
    if (dictionary.valueOfCode(code) === text) return code;
  }
  return -1;
}

/** Whether a text is among the values of a row. */
function member(column: Column, text: string): (row: number) => boolean {
  const wanted = codeOfText(column, text);
  const { codes, starts } = column;
  if (wanted < 0) return () => false;
  if (starts === null) return (row) => codes[row] === wanted;
  return (row) => codes.subarray(starts[row], starts[row + 1]).includes(wanted);
}
