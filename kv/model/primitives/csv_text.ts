/**
 * Values as cells of a CSV file (RFC 4180) that spreadsheets open without running anything.
 *
 * @module
 */
import type { Json } from "../entities/entity.ts";

/** The mark that tells spreadsheets that a file is UTF-8. */
export const CSV_BOM = "\ufeff";

/** A text that a spreadsheet takes for a formula, or one that was guarded before. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** A row of cells, with its end. */
export function csvLine(values: readonly (Json | undefined)[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/** Numbers stay as they are, nested values are JSON, and a text that looks like a formula gets a leading quote. */
function csvCell(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? guardFormula(value) : JSON.stringify(value);
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A cell without the quote that {@linkcode csvCell} put in front of it. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
