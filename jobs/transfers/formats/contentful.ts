/**
 * The export of Contentful, with its assets beside it.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { fieldInput } from "../../../kv/model/transfers/plan_check.ts";
import type { Plan, PlanCollection, PlanField } from "../../../kv/model/transfers/plan.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { CHOICES_MAX } from "../../../kv/limits/content.ts";
import { fieldName, type FieldType } from "../mapping/infer_plan.ts";
import type { Shape } from "../mapping/shape.ts";
import type { SourceBlock } from "../mapping/source_blocks.ts";
import type { ReadableFile, SourceRow } from "../reading/source_file.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";
import {
  hasExtension,
  type PlanScope,
  type ReadScope,
  type TransferFormat,
  withTranslations,
} from "./format.ts";
import { parseStream } from "./json.ts";
import { hostsOf, onlyCollection, slugsOfSources } from "./plan_fields.ts";

/** Reads an export of Contentful. */
export const contentful: TransferFormat = {
  kind: "contentful",
  matches: (files) =>
    files.some((file) =>
      hasExtension(file, "json") && /"contentTypes"\s*:\s*\[/.test(file.head) &&
      /"sys"\s*:/.test(file.head)
    ),
  async *read(scope) {
    for (const file of scope.files.filter((file) => hasExtension(file, "json"))) {
      yield* entryRows(file, scope, await readModel(file, scope));
    }
  },
  adjust: adjustPlan,
};

/** The lists of an export; the last is of our own, made of what the API has beside it. */
const LISTS = ["contentTypes", "entries", "assets", "locales", "publishedEntries"] as const;

/** The types of entries by id. */
type EntryTypes = ReadonlyMap<string, string>;

/** Everything but the values of entries. */
interface ContentModel {
  /** The default locale. */
  locale: string;
  /** The types of entries, if rich texts can embed them. */
  entries: EntryTypes;
  /** What is public of entries that have changed since. */
  published: ReadonlyMap<string, JsonObject>;
}

/** Whether an entry has changed since it was published: publishing it counts as one version. */
export function isChanged({ publishedVersion, version }: JsonObject): boolean {
  return typeof publishedVersion === "number" && Number(version) > publishedVersion + 1;
}

async function readModel(file: ReadableFile, { facts }: ReadScope): Promise<ContentModel> {
  const types: Record<string, JsonObject> = {};
  const entries = new Map<string, string>();
  const embedded = new Set<string>();
  const assets: Record<string, SourceAsset> = {};
  const listed: JsonObject[] = [];
  let locale = "";
  const published = new Map<string, JsonObject>();
  const fallbacks: string[] = [];
  const paths = LISTS.map((name) => `$.${name}.*`);
  for await (const { value, keys } of parseStream(file, ...paths)) {
    if (!isJsonObject(value)) continue;
    if (keys[0] === "contentTypes") types[idOf(value)] = value;
    else if (keys[0] === "entries") {
      if (!isJsonObject(value.sys)) continue;
      entries.set(idOf(value), idOf(value.sys.contentType));
      visitEntries(value.fields, (sys) => embedded.add(String(sys.id)));
    } else if (keys[0] === "publishedEntries") {
      published.set(idOf(value), isJsonObject(value.fields) ? value.fields : {});
    } else if (keys[0] === "assets") listed.push(value);
    else {
      const { code, fallbackCode } = value;
      if (value.default === true) locale = String(code);
      else facts.languages.push(String(code));
      if (typeof fallbackCode === "string") fallbacks.push(`${String(code)} to ${fallbackCode}`);
    }
  }
  if (fallbacks.length > 0) {
    facts.warnings.push(
      `Values that a locale takes from another are not copied (${fallbacks.join(", ")}): ` +
        `set the fallback of the site's languages`,
    );
  }
  for (const value of listed) {
    locale ||= firstLocale(value);
    const asset = assetOf(value, locale);
    if (asset === null) facts.warnings.push(`The asset ${idOf(value)} has no file`);
    else assets[`asset:${idOf(value)}`] = asset;
  }
  Object.assign(facts, { types, assets });
  if (!Object.values(types).some(hasRichText)) return { locale, entries: new Map(), published };
  // Each embedded entry becomes a block that refers to the document of the entry.
  const kinds = new Set([...embedded].flatMap((id) => entries.get(id) ?? []));
  facts.blocks = [
    ...facts.blocks ?? [],
    ...[...kinds].map((kind) => entryBlock(kind, types[kind])),
  ];
  return { locale, entries, published };
}

function hasRichText({ fields }: JsonObject): boolean {
  return Array.isArray(fields) &&
    fields.some((field) => isJsonObject(field) && field.type === "RichText");
}

function assetOf({ fields }: JsonObject, locale: string): SourceAsset | null {
  const value = (name: string) => localized(isJsonObject(fields) ? fields[name] : null, locale);
  const file = value("file");
  if (!isJsonObject(file) || typeof file.url !== "string") return null;
  const { url, fileName } = file;
  return {
    url: url.startsWith("//") ? `https:${url}` : url,
    filename: String(fileName ?? ""),
    alt: String(value("description") ?? value("title") ?? "").slice(0, 500),
  };
}

async function* entryRows(
  file: ReadableFile,
  { facts }: ReadScope,
  { locale: given, entries, published }: ContentModel,
): AsyncGenerator<SourceRow> {
  const types = facts.types as Record<string, JsonObject>;
  let locale = given;
  let copies = 0;
  for await (const { value } of parseStream(file, "$.entries.*")) {
    if (!isJsonObject(value) || !isJsonObject(value.sys)) continue;
    const { sys } = value;
    const type = idOf(sys.contentType);
    const space = idOf(sys.space);
    if (space !== "") facts.sourceKey ??= `${space}/${idOf(sys.environment) || "master"}`;
    if (!Object.hasOwn(types, type)) {
      facts.warnings.push(
        `The entry ${idOf(value)} is of a type that the export does not describe`,
      );
      continue;
    }
    locale ||= firstLocale(value);
    facts.names[type] = String(types[type]?.name ?? type);
    const fields = isJsonObject(value.fields) ? value.fields : {};
    noteTypes(fields, entries);
    const live = published.get(idOf(value));
    if (live !== undefined) noteTypes(live, entries);
    const state = stateOf(sys, live !== undefined);
    if (state === "changed") copies += 1;
    const draft = live === undefined ? {} : { _draft: entryData(fields, locale, sys, state) };
    const data = { ...entryData(live ?? fields, locale, sys, state), ...draft };
    const translations = otherLocales(live ?? fields, locale);
    yield { source: type, id: idOf(value), data: withTranslations(data, translations) };
  }
  if (copies > 0) {
    const message =
      `${copies} entries were changed since they were published: the file has only what is newest, ` +
      `which becomes public unless the plan makes "changed" a draft`;
    facts.warnings.push(message);
  }
}

/** The state of an entry; `changed` if only unpublished changes of a public one are known. */
function stateOf(sys: JsonObject, isLive: boolean): string {
  if (sys.archivedVersion) return "archived";
  if (typeof sys.publishedVersion !== "number") return "draft";
  return isChanged(sys) && !isLive ? "changed" : "published";
}

function entryData(
  fields: JsonObject,
  locale: string,
  { id = "", createdAt = null, ...sys }: JsonObject,
  status: string,
): JsonObject {
  const publishedAt = sys.firstPublishedAt ?? sys.publishedAt ?? null;
  const values = Object.entries(fields).map(([name, value]) => [name, localized(value, locale)]);
  return { ...Object.fromEntries(values), sys: { id, status, createdAt, publishedAt } };
}

function entryBlock(source: string, type: JsonObject | undefined): SourceBlock {
  return {
    source,
    label: String(type?.name ?? source),
    fields: [{ from: "entry", to: "entry", type: "reference", options: { collection: source } }],
  };
}

/** Adds its type to each embedded entry of a value. */
function noteTypes(value: Json, types: EntryTypes): void {
  if (types.size === 0) return;
  visitEntries(value, (sys) => {
    const type = types.get(String(sys.id));
    if (type !== undefined) sys.contentType = { sys: { id: type } };
  });
}

/** Calls `visit` with the `sys` of each entry that a rich text embeds. */
function visitEntries(value: Json | undefined, visit: (sys: JsonObject) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (isJsonObject(value) && /^embedded-entry-/.test(String(value.nodeType))) {
    const { target } = isJsonObject(value.data) ? value.data : {};
    if (isJsonObject(target) && isJsonObject(target.sys)) visit(target.sys);
  }
  for (const one of Object.values(value)) visitEntries(one, visit);
}

function localized(values: Json | undefined, locale: string): Json {
  if (!isJsonObject(values)) return values ?? null;
  return ownValue(values, locale) ?? null;
}

/** The values in other locales, by locale. */
function otherLocales(fields: JsonObject, original: string): Record<string, JsonObject> {
  const found: Record<string, JsonObject> = {};
  for (const [name, values] of Object.entries(fields)) {
    if (!isJsonObject(values)) continue;
    for (const [locale, value] of Object.entries(values)) {
      if (locale !== original) (found[locale] ??= {})[name] = value;
    }
  }
  return found;
}

/** The first locale of the first field, where the export lists none. */
function firstLocale({ fields }: JsonObject): string {
  const [first] = isJsonObject(fields) ? Object.values(fields) : [];
  return isJsonObject(first) ? Object.keys(first)[0] ?? "" : "";
}

function idOf(value: Json | undefined): string {
  if (!isJsonObject(value)) return "";
  const sys = isJsonObject(value.sys) ? value.sys : value;
  return typeof sys.id === "string" ? sys.id : "";
}

function adjustPlan(plan: Plan, { facts, shapes }: PlanScope): Plan {
  const types = facts.types as Record<string, JsonObject>;
  const collections = plan.collections.map((collection): PlanCollection => {
    const type = types[collection.source] ?? {};
    const defined = Array.isArray(type.fields) ? type.fields.filter(isJsonObject) : [];
    const title = typeof type.displayField === "string" ? type.displayField : collection.title;
    const slug = defined.some(({ id }) => id === "slug") ? "slug" : collection.slug;
    const names = new Set<string>();
    const fields = defined.filter(({ id, omitted }) => id !== title && id !== slug && !omitted)
      .map((field) => planField(plan, field, names, shapes.get(collection.source)));
    return {
      ...collection,
      title,
      slug,
      sourceId: "sys.id",
      publishedAt: "sys.publishedAt",
      createdAt: "sys.createdAt",
      status: {
        from: "sys.status",
        map: {
          published: "published",
          changed: "published",
          draft: "draft",
          archived: "archived",
        },
      },
      fields,
    };
  });
  const hosts = hostsOf(facts.assets as Record<string, SourceAsset>);
  const media = { ...plan.media, hosts: [...hosts] };
  return { ...plan, collections, media };
}

function planField(
  plan: Plan,
  field: JsonObject,
  names: Set<string>,
  shape: Shape | undefined,
): PlanField {
  const from = String(field.id);
  const base = { from, to: fieldName(from, names) };
  const full: PlanField = {
    ...base,
    options: {},
    ...typeOf(plan, field, shape),
    ...(field.localized === true && { localized: true }),
  };
  // A validation that this service does not know leaves the field without it.
  return fieldInput(full) === null ? { ...full, options: bare(full) } : full;
}

function bare({ options }: PlanField): PlanField["options"] {
  const { choices, fields, collection, multiline } = options;
  return {
    ...(choices !== undefined && { choices }),
    ...(fields !== undefined && { fields }),
    ...(collection !== undefined && { collection }),
    ...(multiline !== undefined && { multiline }),
  };
}

function typeOf(plan: Plan, field: JsonObject, shape: Shape | undefined): FieldType {
  const rules = rulesOf(field.validations);
  switch (field.type) {
    case "Symbol":
    case "Text":
      return textType(field, rules);
    case "RichText":
      return { type: "rich_text", convert: "contentful" };
    case "Integer":
      return { type: "number", options: { integer: true, ...rules.range } };
    case "Number":
      return { type: "number", options: rules.range };
    case "Date":
      return { type: "datetime" };
    case "Boolean":
      return { type: "boolean" };
    case "Link":
      return linkType(plan, field, rules);
    case "Array":
      return arrayType(plan, field, shape);
    default:
      return { type: "json" };
  }
}

function textType({ type }: JsonObject, { choices, size, pattern }: Rules): FieldType {
  if (choices.length > 0) return { type: "select", options: { choices } };
  const multiline = type === "Text" ? { multiline: true } : {};
  return { type: "text", options: { ...multiline, ...size, ...pattern } };
}

function linkType(plan: Plan, { linkType }: JsonObject, { targets }: Rules): FieldType {
  if (linkType === "Asset") return { type: "media" };
  return { type: "reference", options: onlyCollection(slugsOfSources(plan, targets)) };
}

function arrayType(plan: Plan, { id, items }: JsonObject, shape: Shape | undefined): FieldType {
  if (!isJsonObject(items)) return { type: "json" };
  const rules = rulesOf(items.validations);
  if (items.type === "Link") {
    const { type, options = {} } = linkType(plan, items, rules);
    const name = type === "media" ? "file" : "item";
    return { type: "repeater", options: { fields: [{ name, type, options: options as Json }] } };
  }
  const seen = [...shape?.fields.get(String(id))?.items?.counts?.keys() ?? []];
  const choices = rules.choices.length > 0
    ? rules.choices
    : seen.filter((text) => text.trim() !== "");
  const isChoice = choices.length > 0 && choices.length <= CHOICES_MAX;
  return isChoice ? { type: "multi_select", options: { choices } } : { type: "json" };
}

interface Rules {
  choices: string[];
  targets: string[];
  size: Record<string, Json>;
  range: Record<string, Json>;
  pattern: Record<string, Json>;
}

function rulesOf(validations: Json | undefined): Rules {
  const rules: Rules = { choices: [], targets: [], size: {}, range: {}, pattern: {} };
  for (const rule of Array.isArray(validations) ? validations.filter(isJsonObject) : []) {
    if (Array.isArray(rule.in)) rules.choices = [...new Set(rule.in.map(String))];
    if (Array.isArray(rule.linkContentType)) rules.targets = rule.linkContentType.map(String);
    if (isJsonObject(rule.size)) rules.size = bounds(rule.size, "minLength", "maxLength");
    if (isJsonObject(rule.range)) rules.range = bounds(rule.range, "min", "max");
    if (
      isJsonObject(rule.regexp) && typeof rule.regexp.pattern === "string" && !rule.regexp.flags
    ) {
      rules.pattern = { pattern: rule.regexp.pattern };
    }
  }
  return rules;
}

function bounds({ min, max }: JsonObject, least: string, most: string): Record<string, Json> {
  return {
    ...(typeof min === "number" && { [least]: min }),
    ...(typeof max === "number" && { [most]: max }),
  };
}
