/**
 * Lists of Payload's REST API and its exports. They describe no schema, so fields follow from their values.
 *
 * @module
 */
import { REFERENCES_MAX } from "../../../kv/limits/content.ts";
import type { Plan, PlanCollection } from "../../../kv/model/transfers/plan.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { ReadableFile, SourceRow } from "../reading/source_file.ts";
import { csv } from "./csv.ts";
import {
  hasExtension,
  newFacts,
  noteLanguage,
  type PlanScope,
  type ReadScope,
  type SourceFacts,
  type TransferFormat,
  withTranslations,
} from "./format.ts";
import { json } from "./json.ts";
import { withArrays } from "./payload_columns.ts";
import { globalRow, noteGlobal } from "./payload_globals.ts";
import { PayloadMenus } from "./payload_menus.ts";
import {
  type FieldReferences,
  PayloadReferences,
  type SourceReferences,
} from "./payload_references.ts";
import {
  type KnownField,
  onlyCollection,
  slugsOfSources,
  withAssetHosts,
  withFields,
} from "./plan_fields.ts";

/** A code of a language, with or without its country. */
const LOCALE = /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/;

/** The folder of what was read from an API; it is named after the site. */
export const LIVE_FOLDER = ".payload";
const LIVE = /^([^/]+)\.payload\//;

/** Fields of uploads that follow from their files. */
const OF_FILES: ReadonlySet<string> = new Set([
  ...["filesize", "width", "height", "thumbnailURL", "sizes", "focalX", "focalY", "mimeType"],
]);

/** Reads lists of Payload. */
export const payload: TransferFormat = {
  kind: "payload",
  matches: (files) =>
    files.some((file) =>
      hasExtension(file, "json") && /^\s*\{[\s\S]*"docs"\s*:\s*\[/.test(file.head) &&
      (/"totalDocs"\s*:/.test(file.head) || /"_status"\s*:|"blockType"\s*:/.test(file.head))
    ),
  read: readExport,
  adjust: adjustPlan,
};

async function* readExport({ facts, files }: ReadScope): AsyncGenerator<SourceRow> {
  const [, site] = LIVE.exec(files[0]?.path ?? "") ?? [];
  if (site !== undefined) facts.sourceKey = `${site}:payload`;
  const sources = await sourcesIn(files);
  const { locales, references } = await surveyOf(sources);
  for (const locale of locales.slice(1)) noteLanguage(facts, locale);
  const resolved = (row: SourceRow): SourceRow => ({
    ...row,
    data: rowData(row.source, row.data, locales, references),
  });
  const menus = new PayloadMenus();
  // Before the other rows: of those only the ones that menus lead to are remembered.
  for (const row of sources.globals) menus.global(resolved(row));
  for await (const row of listedRows(sources, facts)) {
    const own = resolved(row);
    menus.row(own);
    yield own;
  }
  for (const { source } of sources.globals) noteGlobal(facts, source);
  for (const row of sources.globals) yield resolved(row);
  menus.finish(facts);
  facts.assets = references.assets;
  facts.references = references.fields;
  facts.uploads = references.uploads;
}

/** The values of a row, with its unpublished changes. */
function rowData(
  source: string,
  data: JsonObject,
  locales: readonly string[],
  references: PayloadReferences,
): JsonObject {
  const { _draft, ...own } = data;
  const given = withoutRowIds(inOneLocale(references.resolved(source, own), locales));
  const { _status, ...values } = isJsonObject(given) ? given : own;
  return {
    ...values,
    // Collections without drafts have no states: everything in them is public, except people.
    status: _status ?? values.status ?? (typeof values.email === "string" ? "draft" : "published"),
    ...(isJsonObject(_draft) && {
      _draft: withoutRowIds(inOneLocale(references.resolved(source, _draft), locales)),
    }),
  };
}

/** Values without the ids of the rows of lists, which say nothing; blocks keep theirs. */
function withoutRowIds(value: Json, isRow = false): Json {
  if (Array.isArray(value)) return value.map((one) => withoutRowIds(one, true));
  // An editor state has ids of its own.
  if (!isJsonObject(value) || isJsonObject(value.root)) return value;
  const { id, ...rest } = value;
  const isId = isRow && typeof id === "string" && value.blockType === undefined;
  const own = isId ? rest : value;
  return Object.fromEntries(Object.entries(own).map(([name, one]) => [name, withoutRowIds(one)]));
}

/** The files of a source by what they hold. */
interface PayloadSources {
  lists: ReadableFile[];
  tables: ReadableFile[];
  globals: SourceRow[];
}

/** Reads what each file begins with, once; globals are small, and read with it. */
async function sourcesIn(files: readonly ReadableFile[]): Promise<PayloadSources> {
  const tables = files.filter((file) => hasExtension(file, "csv"));
  const sources: PayloadSources = { lists: [], tables, globals: [] };
  for (const file of files.filter((one) => hasExtension(one, "json"))) {
    const row = await globalRow(file);
    if (row === null) sources.lists.push(file);
    else sources.globals.push(row);
  }
  return sources;
}

/** The rows of lists, and of tables that its plugin has exported. */
async function* listedRows(
  { lists, tables }: PayloadSources,
  facts: SourceFacts,
): AsyncGenerator<SourceRow> {
  if (tables.length > 0) {
    for await (const row of csv.read({ files: tables, facts })) {
      yield { ...row, data: withArrays(row.data) };
    }
  }
  for (const file of lists) yield* json.read({ files: [file], facts });
}

/**
 * The locales of values such as `{en: …, de: …}`, which `locale=all` gives (the first is the default), and the rows that
 * others refer to.
 */
async function surveyOf(
  sources: PayloadSources,
): Promise<{ locales: string[]; references: PayloadReferences }> {
  const locales = new Set<string>();
  const references = new PayloadReferences();
  const note = (row: SourceRow) => {
    references.note(row);
    for (const value of Object.values(row.data)) {
      const codes = isJsonObject(value) ? Object.keys(value) : [];
      // A single key could be anything.
      if (codes.length > 1 && codes.every((code) => LOCALE.test(code))) {
        for (const code of codes) locales.add(code);
      }
    }
  };
  for await (const row of listedRows(sources, newFacts())) note(row);
  sources.globals.forEach(note);
  return { locales: [...locales], references };
}

/** A row with the values of the first locale, and those of the others beside them. */
function inOneLocale(data: JsonObject, locales: readonly string[]): JsonObject {
  const [first] = locales;
  if (first === undefined) return data;
  const isLocalized = (value: Json): value is JsonObject =>
    isJsonObject(value) && Object.keys(value).length > 0 &&
    Object.keys(value).every((code) => locales.includes(code));
  const has = (value: Json, code: string): boolean =>
    isLocalized(value) ? Object.hasOwn(value, code) : typeof value === "object" && value !== null &&
      Object.values(value).some((one) => has(one, code));
  const inLocale = (value: Json, code: string): Json => {
    if (isLocalized(value)) return value[code] ?? value[first] ?? null;
    if (Array.isArray(value)) return value.map((one) => inLocale(one, code));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, inLocale(one, code)]),
    );
  };
  const translations: Record<string, Record<string, Json>> = {};
  const values = Object.entries(data).map(([name, value]): [string, Json] => {
    for (const code of locales) {
      if (code !== first && has(value, code)) {
        (translations[code] ??= {})[name] = inLocale(value, code);
      }
    }
    return [name, inLocale(value, first)];
  });
  return withTranslations(Object.fromEntries(values), translations);
}

function adjustPlan(plan: Plan, { facts, shapes }: PlanScope): Plan {
  const references = facts.references as SourceReferences;
  const uploads = facts.uploads as ReadonlySet<string>;
  const collections = plan.collections.map((collection): PlanCollection => {
    const { source } = collection;
    const known: Record<string, KnownField> = {};
    for (const [name, stats] of shapes.get(source)?.fields ?? []) {
      const inner = stats.inner?.fields;
      if (inner?.has("root")) known[name] = { type: "rich_text", convert: "lexical" };
      else if (inner?.has("mimeType") && inner.has("url")) known[name] = { type: "media" };
      else if (name === "updatedAt" || uploads.has(source) && OF_FILES.has(name)) {
        known[name] = null;
      }
    }
    for (const [name, field] of references.get(source) ?? []) {
      known[name] = referenceField(plan, field);
    }
    return withFields(collection, known);
  });
  return withAssetHosts({ ...plan, collections }, facts);
}

/** The field that references become. */
function referenceField(
  plan: Plan,
  { isMedia, sources, isList }: FieldReferences,
): KnownField {
  if (isMedia && sources.size === 0) {
    if (!isList) return { type: "media" };
    return {
      type: "repeater",
      options: { fields: [{ name: "file", type: "media", options: {} }] },
    };
  }
  const slugs = slugsOfSources(plan, [...sources]);
  if (!isList) return { type: "reference", options: onlyCollection(slugs) };
  return {
    type: "references",
    options: { maxItems: REFERENCES_MAX, ...(slugs.length > 0 && { collections: slugs }) },
  };
}
