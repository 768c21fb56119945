/**
 * Columns of tables that hold the values of other columns in another language: `title:fr` and `title__fr`.
 *
 * @module
 */
import { isNear } from "./row_languages.ts";
import type { Shape } from "./shape.ts";

/** A column with a language at its end. */
const COLUMN = /^(.+?)(?::|__)([a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})?)$/;

/** The languages of columns. */
export interface LanguageColumns {
  /** The columns of other languages than the original, with their languages. */
  others: ReadonlyMap<string, string>;
  /** The columns of the original language, by their names without it, where no column has that name alone. */
  originals: ReadonlyMap<string, string>;
  /** The names of columns that have values in several languages. */
  bases: ReadonlySet<string>;
}

/** No column has a language. */
export const NO_COLUMNS: LanguageColumns = {
  others: new Map(),
  originals: new Map(),
  bases: new Set(),
};

/** The languages of the columns of a table; `original` is that of the site, if it has several. */
export function languageColumns({ fields }: Shape, original?: string): LanguageColumns {
  const found = [...fields.keys()].flatMap((column) => {
    const [, base = "", code = ""] = COLUMN.exec(column) ?? [];
    const language = code.replace("_", "-");
    return isLanguage(language) ? [{ column, base, language }] : [];
  });
  const others = new Map<string, string>();
  const originals = new Map<string, string>();
  const bases = new Set<string>();
  for (const [base, columns] of Map.groupBy(found, ({ base }) => base)) {
    const [first] = columns;
    // A single column whose name ends like a language could be anything.
    if (first === undefined || (!fields.has(base) && columns.length === 1)) continue;
    const isOriginal = ({ language }: { language: string }) =>
      original !== undefined && isNear(language, original);
    const own = fields.has(base) ? undefined : columns.find(isOriginal) ?? first;
    if (own !== undefined) originals.set(base, own.column);
    bases.add(base);
    for (const one of columns) if (one !== own) others.set(one.column, one.language);
  }
  return { others, originals, bases };
}

/** The values of a row in a language, by the names of the columns that hold the original. */
export function columnsInLanguage<T>(
  row: Readonly<Record<string, T>>,
  language: string,
): Record<string, T> {
  const suffixes = [`:${language}`, `__${language}`, `__${language.replace("-", "_")}`];
  const values: Record<string, T> = {};
  for (const [name, value] of Object.entries(row)) {
    const suffix = suffixes.find((one) => name.endsWith(one));
    if (suffix === undefined) continue;
    const base = name.slice(0, -suffix.length);
    values[base] = value;
    // The original may have a column such as `title:en`.
    for (const other of Object.keys(row)) {
      if (other.startsWith(`${base}:`) || other.startsWith(`${base}__`)) values[other] = value;
    }
  }
  return values;
}

const NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** Whether a code is that of a language: `price__usd` is a currency. */
function isLanguage(code: string): boolean {
  try {
    return code !== "" && NAMES.of(code) !== undefined;
  } catch {
    return false;
  }
}
