/**
 * Lists of Payload's REST API and its exports. They describe no schema, so fields follow from their values.
 *
 * @module
 */
import type { Plan, PlanCollection } from "../../../kv/model/transfers/plan.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { SourceRow } from "../reading/source_file.ts";
import { csv } from "./csv.ts";
import {
  hasExtension,
  newFacts,
  noteLanguage,
  type PlanScope,
  type ReadScope,
  type TransferFormat,
  withTranslations,
} from "./format.ts";
import { json } from "./json.ts";
import { type KnownField, withFields } from "./plan_fields.ts";

/** A code of a language, with or without its country. */
const LOCALE = /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/;

/** Reads lists of Payload. */
export const payload: TransferFormat = {
  kind: "payload",
  matches: (files) =>
    files.some((file) =>
      hasExtension(file, "json") && /^\s*\{[\s\S]*"docs"\s*:\s*\[/.test(file.head) &&
      (/"totalDocs"\s*:/.test(file.head) || /"_status"\s*:|"blockType"\s*:/.test(file.head))
    ),
  async *read(scope) {
    const locales = await localesOf(scope);
    for (const locale of locales.slice(1)) noteLanguage(scope.facts, locale);
    for await (const row of rowsOf(scope)) {
      const { _status, ...data } = inOneLocale(row.data, locales);
      const status = _status === undefined ? {} : { status: _status };
      yield { ...row, data: { ...data, ...status } };
    }
  },
  adjust: adjustPlan,
};

/** The rows of lists, and of tables that its plugin has exported. */
async function* rowsOf({ files, facts }: ReadScope): AsyncGenerator<SourceRow> {
  const tables = files.filter((file) => hasExtension(file, "csv"));
  if (tables.length > 0) yield* csv.read({ files: tables, facts });
  const lists = files.filter((file) => hasExtension(file, "json"));
  if (lists.length > 0) yield* json.read({ files: lists, facts });
}

/** The locales of values such as `{en: …, de: …}`, which `locale=all` gives; the first is the default. */
async function localesOf({ files }: ReadScope): Promise<string[]> {
  const locales = new Set<string>();
  for await (const { data } of rowsOf({ files, facts: newFacts() })) {
    for (const value of Object.values(data)) {
      const codes = isJsonObject(value) ? Object.keys(value) : [];
      // A single key could be anything.
      if (codes.length > 1 && codes.every((code) => LOCALE.test(code))) {
        for (const code of codes) locales.add(code);
      }
    }
  }
  return [...locales];
}

/** A row with the values of the first locale, and those of the others beside them. */
function inOneLocale(data: JsonObject, locales: readonly string[]): JsonObject {
  const [first] = locales;
  if (first === undefined) return data;
  const translations: Record<string, Record<string, Json>> = {};
  const values = Object.entries(data).map(([name, value]): [string, Json] => {
    const isLocalized = isJsonObject(value) && Object.keys(value).length > 0 &&
      Object.keys(value).every((code) => locales.includes(code));
    if (!isLocalized) return [name, value];
    for (const [code, own = null] of Object.entries(value)) {
      if (code !== first) (translations[code] ??= {})[name] = own;
    }
    return [name, value[first] ?? null];
  });
  return withTranslations(Object.fromEntries(values), translations);
}

function adjustPlan(plan: Plan, { shapes }: PlanScope): Plan {
  const collections = plan.collections.map((collection): PlanCollection => {
    const known: Record<string, KnownField> = {};
    for (const [name, stats] of shapes.get(collection.source)?.fields ?? []) {
      const inner = stats.inner?.fields;
      if (inner?.has("root")) known[name] = { type: "rich_text", convert: "lexical" };
      else if (inner?.has("mimeType") && inner.has("url")) known[name] = { type: "media" };
      else if (name === "updatedAt") known[name] = null;
    }
    return withFields(collection, known);
  });
  return { ...plan, collections };
}
