/**
 * A row of a source as a document: its body, its times, and what is wrong with it.
 *
 * @module
 */
import { SLUG_CHARS_MAX, TITLE_CHARS_MAX } from "../../../kv/limits/content.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { decodedUri } from "../../../kv/model/primitives/decoded_uri.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { type Plan, type PlanCollection, targetSlug } from "../../../kv/model/transfers/plan.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isSlug, type SlugForm, slugify } from "../../../kv/model/values/slug.ts";
import { isText } from "../../../kv/model/values/text_check.ts";
import type { Problem } from "../reading/source_file.ts";
import type { StoredRow } from "../reading/row_store.ts";
import type { Converters } from "./converters.ts";
import { secondsOf } from "./date_text.ts";
import { columnsInLanguage } from "./language_columns.ts";
import { type Lookup, type MapScope, targetOf } from "./map_scope.ts";
import { idsIn, mapValue } from "./map_value.ts";
import type { BlockMappings } from "./source_blocks.ts";
import {
  isNear,
  type LanguageScope,
  ownLanguage,
  type TranslatedRow,
  translatedRow,
} from "./row_languages.ts";

/** The states that a row can ask for. */
export type RowStatus = "draft" | "published" | "scheduled" | "archived" | "trashed";

/** A row as a document. */
export interface MappedRow {
  sourceId: string;
  /** As a body of the API, without a status. */
  body: Record<string, Json>;
  status: RowStatus;
  createdAt: number | null;
  publishedAt: number | null;
  /** Bodies of its translations, by the codes of the site's languages. */
  translations: Record<string, Record<string, Json>>;
  /** The body of its unpublished changes; null if it has none. */
  workingCopy: Record<string, Json> | null;
  /** The row whose document it translates; its only translation is then what is written. */
  translated: TranslatedRow | null;
  /** The language of the site that a document is written in; null for that of its originals. */
  language: string | null;
  /** Its authors' ids in the source, if some authors are users. */
  authors: string[];
  /** Addresses that the row had in its source. */
  addresses: string[];
  /** Why the row fails; else what was left out of it. */
  problems: Problem[];
  isFailed: boolean;
}

/** What rows are mapped with. */
export interface RowScope extends LanguageScope {
  plan: Plan;
  collection: PlanCollection;
  converters: Converters;
  slugs: SlugForm;
  /** Texts that mean no value. */
  nulls: ReadonlySet<string>;
  blocks: BlockMappings;
  /** The columns that name authors, if some of them are users. */
  authorPaths: readonly string[];
}

/** The names of states in other systems. */
const STATUSES: Readonly<Record<string, RowStatus>> = {
  publish: "published",
  published: "published",
  public: "published",
  live: "published",
  sent: "published",
  active: "published",
  inherit: "published",
  true: "published",
  future: "scheduled",
  scheduled: "scheduled",
  archive: "archived",
  archived: "archived",
  trash: "trashed",
  trashed: "trashed",
};

/** Maps a row. */
export function mapRow(row: StoredRow, scope: RowScope, lookup: Lookup): MappedRow {
  const { collection, nulls } = scope;
  const given = inOriginal(row.data, scope);
  const data = nulls.size === 0 ? given : withoutNulls(given, nulls);
  const ownId = rowId(row, collection);
  const problems: Problem[] = row.problem === undefined ? [] : [row.problem];
  const warnings: Problem[] = [];
  const { converters, blocks } = scope;
  const within: MapScope = { converters, lookup, problems, warnings, blocks };
  const translated = translatedRow(collection.source, row.translation, scope) ??
    translatedByColumn(row.data, ownId, scope);
  // A row that shares its id with the row that it translates is remembered by its language as well.
  const sourceId = translated?.sourceId === ownId ? `${ownId}:${translated.language}` : ownId;
  const body = translated === null ? bodyOf(data, sourceId, scope, within) : {};
  const translations = translated === null
    ? translationsOf(data, body, scope, within)
    : translated.code === null
    ? {}
    : { [translated.code]: translationOf(data, translated.code, scope, within) };
  const { _draft: draft } = row.data;
  const workingCopy = translated === null && isJsonObject(draft)
    ? bodyOf(inOriginal(draft, scope), sourceId, scope, within)
    : null;
  const isFailed = problems.length > 0;
  const { _addresses } = row.data;
  return {
    sourceId,
    body,
    status: statusOf(data, collection),
    createdAt: timeAt(data, collection.createdAt, warnings),
    publishedAt: timeAt(data, collection.publishedAt, warnings),
    translations,
    workingCopy,
    translated,
    language: translated === null ? ownLanguage(row.translation, scope) : null,
    authors: scope.authorPaths.flatMap((path) => idsIn(valueAt(data, path) ?? null)),
    addresses: Array.isArray(_addresses) ? _addresses.map(String) : [],
    problems: isFailed ? problems : warnings,
    isFailed,
  };
}

function bodyOf(
  data: JsonObject,
  sourceId: string,
  { collection, slugs }: RowScope,
  scope: MapScope,
): Record<string, Json> {
  const body: Record<string, Json> = {};
  for (const field of collection.fields) {
    const { from, to, default: initial = null } = field;
    body[to] = mapValue(valueAt(data, from) ?? null, targetOf(field), to, scope) ?? initial;
  }
  const slug = slugOf(data, collection, slugs, scope.warnings);
  if (slug !== null) body.slug = slug;
  body.title = titleOf(data, collection, slug ?? sourceId, scope.warnings);
  return body;
}

/** The values that a row has in other languages, as bodies of translations. Each has a title, which is required. */
function translationsOf(
  data: JsonObject,
  { title = null }: Record<string, Json>,
  scope: RowScope,
  within: MapScope,
): MappedRow["translations"] {
  const translations: MappedRow["translations"] = {};
  for (const [language, code] of Object.entries(scope.plan.languages)) {
    if (code === null) continue;
    const body = translationOf(inLanguage(data, language), code, scope, within);
    if (Object.keys(body).length > 0) translations[code] = { title, ...body };
  }
  return translations;
}

/** Values in another language as the body of a translation. */
function translationOf(
  values: JsonObject,
  code: string,
  { collection, slugs }: RowScope,
  scope: MapScope,
): Record<string, Json> {
  const body: Record<string, Json> = {};
  for (const field of collection.fields) {
    const { from, to, localized } = field;
    const given = localized ? valueAt(values, from) ?? null : null;
    if (given === null) continue;
    body[to] = mapValue(given, targetOf(field), `${to} (${code})`, scope);
  }
  const title = collection.title === null ? null : valueAt(values, collection.title);
  if (typeof title === "string" && title.trim() !== "") {
    body.title = [...title.replace(/\s+/g, " ").trim()].slice(0, TITLE_CHARS_MAX).join("");
  }
  const slug = slugOf(values, collection, slugs, scope.warnings);
  if (slug !== null) body.slug = slug;
  return body;
}

/** A row with the values of the site's original language in front of those that its source has first. */
function inOriginal(data: JsonObject, { original }: RowScope): JsonObject {
  const { _translations } = data;
  if (original === null || !isJsonObject(_translations)) return data;
  const language = Object.keys(_translations).find((one) => isNear(one, original));
  const own = language === undefined ? undefined : _translations[language];
  return isJsonObject(own) ? { ...data, ...own } : data;
}

/** The values of one language: kept by the reader, or in columns such as `title:fr` and `title__fr`. */
function inLanguage({ _translations, ...data }: JsonObject, language: string): JsonObject {
  const own = isJsonObject(_translations) ? _translations[language] : undefined;
  return isJsonObject(own) ? own : columnsInLanguage(data, language);
}

/** The row that a row translates by the language in its column: the one with the same id in the original language. */
function translatedByColumn(
  data: JsonObject,
  sourceId: string,
  { collection: { language: path }, plan, original }: RowScope,
): TranslatedRow | null {
  const language = path === undefined || path === null ? null : valueAt(data, path);
  if (typeof language !== "string" || language === "" || original === null) return null;
  if (isNear(language, original)) return null;
  return { sourceId, language, code: plan.languages[language] ?? null };
}

/** What identifies a row in its source. */
export function rowId({ id, number, data }: StoredRow, { sourceId }: PlanCollection): string {
  const value = sourceId === null ? null : valueAt(data, sourceId);
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number") return String(value);
  return id ?? String(number);
}

/** A value by its path: the whole path as a key first, because columns may have dots in their names. */
export function valueAt(data: JsonObject, path: string): Json | undefined {
  const whole = ownValue(data, path);
  if (whole !== undefined) return whole;
  let value: Json | undefined = data;
  for (const step of path.split(".")) {
    if (Array.isArray(value) && /^\d+$/.test(step)) value = value[Number(step)];
    else if (isJsonObject(value)) value = ownValue(value, step);
    else return undefined;
  }
  return value;
}

function withoutNulls(data: JsonObject, nulls: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === "string" && nulls.has(value) ? null : value,
    ]),
  );
}

function titleOf(
  data: JsonObject,
  { title, source }: PlanCollection,
  initial: string,
  warnings: Problem[],
): string {
  const value = title === null ? null : valueAt(data, title);
  const text = value === null || value === undefined || typeof value === "object"
    ? ""
    : String(value).replace(/\s+/g, " ").trim();
  if (text !== "" && isText(text)) return [...text].slice(0, TITLE_CHARS_MAX).join("");
  const path = title ?? "title";
  warnings.push({ path, code: "REQUIRED", message: "Has no title: its name stands in for it" });
  return [...`${initial || source}`].slice(0, TITLE_CHARS_MAX).join("");
}

function slugOf(
  data: JsonObject,
  { slug }: PlanCollection,
  form: SlugForm,
  warnings: Problem[],
): string | null {
  const value = slug === null ? null : valueAt(data, slug);
  const text = isJsonObject(value) && typeof value.current === "string" ? value.current : value;
  if (typeof text !== "string" || text.trim() === "") return null;
  const last = decodedUri(text.trim().replace(/\/+$/, "").split("/").at(-1) ?? "");
  if (last === "") return null;
  if (isSlug(last, form)) return last;
  const made = slugify(last, form).slice(0, SLUG_CHARS_MAX);
  if (made === "untitled") return null;
  if (form === "ascii" && /[^\x20-\x7e]/.test(last)) {
    const message = `The slugs of the site have no other letters than a to z: it becomes "${made}"`;
    warnings.push({ path: slug ?? "slug", code: "NOT_CONVERTED", message, value: last });
  }
  return made;
}

function statusOf(data: JsonObject, { status }: PlanCollection): RowStatus {
  if (status === "draft") return "draft";
  if (status === "keep") return STATUSES[String(data.status ?? "").toLowerCase()] ?? "draft";
  const value = valueAt(data, status.from);
  return ownValue(status.map, String(value)) ?? "draft";
}

function timeAt(data: JsonObject, path: string | null, warnings: Problem[]): number | null {
  const value = path === null ? null : valueAt(data, path) ?? null;
  if (path === null || value === null || value === "") return null;
  const seconds = secondsOf(value);
  if (seconds !== null && seconds >= 0) return seconds;
  warnings.push({ path, code: "INVALID_TYPE", message: "Is no time", value });
  return null;
}

/** The collections whose rows a plan refers to, by their slugs. */
export function sourcesOfTargets({ collections }: Plan): Map<string, string[]> {
  const sources = new Map<string, string[]>();
  for (const collection of collections) {
    const slug = targetSlug(collection);
    sources.set(slug, [...sources.get(slug) ?? [], collection.source]);
  }
  return sources;
}
