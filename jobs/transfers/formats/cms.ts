/**
 * Content of this service: the JSON file that it exports for itself, its lists as JSON and NDJSON, lines of bulk
 * requests, and folders of the mirror that the documentation has.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { FIELD_TYPE_NAMES } from "../../../kv/model/fields/field_definition.ts";
import type { Plan, PlanCollection, PlanField } from "../../../kv/model/transfers/plan.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { ULID_PATTERN } from "../../../kv/model/values/ulid.ts";
import type { ReadableFile, SourceRow } from "../reading/source_file.ts";
import { headText } from "../reading/text_stream.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";
import {
  baseName,
  hasExtension,
  type PlanScope,
  type ReadScope,
  type TransferFormat,
} from "./format.ts";
import { elementsOf, lineRows, parseStream } from "./json.ts";
import { hostsOf } from "./plan_fields.ts";

/** How an export of this service begins. */
const EXPORT = /^\s*\{"cms":\{"format":\d/;
/** A line of a bulk request. */
const BULK = /^\s*\{\s*"op"\s*:\s*"(?:create|update|upsert|trash|translate|untranslate)"/;
/** A list, or the first line of one, with the documents' languages. */
const LIST = new RegExp(
  String.raw`^\s*(?:\{\s*"data"\s*:\s*\[\s*)?\{\s*"id"\s*:\s*"${ULID_PATTERN}".*"_language"\s*:`,
  "s",
);
/** A file of a mirror: `<collection>/<id>.json`. */
const MIRRORED = new RegExp(String.raw`(?:^|/)([^/]+)/${ULID_PATTERN}\.json$`);

/** Reads content of this service. */
export const cms: TransferFormat = {
  kind: "cms",
  matches: (files) =>
    files.some(({ path, head }) =>
      EXPORT.test(head) || BULK.test(head) || LIST.test(head) ||
      MIRRORED.test(path) && /"slug"\s*:/.test(head)
    ),
  async *read(scope) {
    Object.assign(scope.facts, { definitions: [], assets: {} });
    for (const file of scope.files) {
      const head = await headText(file);
      if (!hasExtension(file, "json")) {
        // The mirror has a file for its cursor as well.
        if (/^\s*\{/.test(head)) yield* bulkRows(file, scope);
      } else if (EXPORT.test(head)) yield* exportRows(file, scope);
      else yield* listRows(file, scope);
    }
  },
  adjust: adjustPlan,
};

async function* exportRows(file: ReadableFile, { facts }: ReadScope): AsyncGenerator<SourceRow> {
  const definitions = facts.definitions as JsonObject[];
  const assets = facts.assets as Record<string, SourceAsset>;
  const paths = ["$.cms.site", "$.collections.*", "$.media.*"];
  for await (const { value, keys } of parseStream(file, ...paths)) {
    if (keys.at(-1) === "site") facts.sourceKey ??= `${String(value)}:cms`;
    else if (keys[0] === "collections" && isJsonObject(value)) definitions.push(value);
    else if (isJsonObject(value)) assets[String(value.id)] = assetOf(value);
  }
  for (const { slug, name } of definitions) facts.names[String(slug)] = String(name);
  for await (const { value } of parseStream(file, "$.documents.*")) {
    if (!isJsonObject(value)) continue;
    const { _collection, ...data } = value;
    yield { source: String(_collection), id: String(value.id), data };
  }
}

/** The documents of a list, or the only one of a file of a mirror. */
async function* listRows(file: ReadableFile, { facts }: ReadScope): AsyncGenerator<SourceRow> {
  const source = MIRRORED.exec(file.path)?.[1];
  for await (const { key, value } of elementsOf(file, source !== undefined)) {
    const own = source ?? (key === null || key === "data" ? baseName(file.path) : key);
    facts.names[own] ??= own;
    yield* languageRows({ source: own, data: value });
  }
}

/** The row of a document as `language=*` shows it, and one for each of its translations. */
function* languageRows(row: Omit<SourceRow, "id">): Generator<SourceRow> {
  const { _language: language, _translations: translations, ...data } = row.data;
  const id = typeof data.id === "string" ? data.id : null;
  if (id === null || typeof language !== "string" || !isJsonObject(translations)) {
    return yield { ...row, id };
  }
  yield { ...row, id, data, translation: { group: id, language } };
  for (const [code, own] of Object.entries(translations)) {
    if (!isJsonObject(own)) continue;
    const ownId = `${id}:${code}`;
    const translation = { group: id, language: code };
    yield { ...row, id: ownId, data: { ...own, id: ownId }, translation };
  }
}

/** The documents of a list or a bulk request, one on each line. */
async function* bulkRows(file: ReadableFile, { facts }: ReadScope): AsyncGenerator<SourceRow> {
  const source = baseName(file.path);
  facts.names[source] ??= source;
  for await (const row of lineRows(file, source)) {
    if (row.problem === undefined && typeof row.data.op === "string") yield* lineRow(row);
    else yield* languageRows(row);
  }
}

/** The row of a line; a translation belongs to the document that lines name by the same slug or id. */
function* lineRow({ data: line, ...row }: SourceRow): Generator<SourceRow> {
  const { op, body, slug, id, language } = line;
  if (op === "untranslate") return;
  const values = isJsonObject(body) ? body : {};
  const named = slug ?? (op === "translate" ? id : values.slug ?? id);
  const group = typeof named === "string" ? named : null;
  if (op === "translate") {
    const ownId = `${group}:${String(language)}`;
    const translation = { group: group ?? ownId, language: String(language) };
    return yield { ...row, id: ownId, data: { ...values, id: ownId }, translation };
  }
  const { _language: original = "", ...data } = values;
  const ownId = typeof id === "string" ? id : group;
  yield {
    ...row,
    id: ownId,
    data: {
      ...data,
      ...(ownId !== null && { id: ownId }),
      ...(slug !== undefined && { slug }),
      ...(op === "trash" && { status: "trashed" }),
    },
    ...(group !== null && { translation: { group, language: String(original) } }),
  };
}

function assetOf({ url, filename, alt }: JsonObject): SourceAsset {
  return { url: String(url ?? ""), filename: String(filename ?? ""), alt: String(alt ?? "") };
}

function adjustPlan(plan: Plan, { facts }: PlanScope): Plan {
  const definitions = (facts.definitions as JsonObject[]).filter(isJsonObject);
  const collections = plan.collections.map((collection): PlanCollection => {
    const own = definitions.find(({ slug }) => slug === collection.source);
    if (own === undefined || !Array.isArray(own.fields)) return collection;
    return {
      ...collection,
      target: { slug: collection.source, name: String(own.name ?? collection.source) },
      sourceId: "id",
      title: "title",
      slug: "slug",
      publishedAt: "publishedAt",
      createdAt: "createdAt",
      fields: own.fields.filter(isJsonObject).flatMap(fieldOf),
    };
  });
  const own = hostsOf(facts.assets as Record<string, SourceAsset>);
  const hosts = new Set(plan.media.hosts).union(own);
  return { ...plan, collections, media: { ...plan.media, hosts: [...hosts] } };
}

function fieldOf({ name, type, options }: JsonObject): PlanField[] {
  const known = FIELD_TYPE_NAMES.find((one) => one === type);
  if (known === undefined || typeof name !== "string") return [];
  const given = isJsonObject(options) ? options as Record<string, Json> : {};
  const convert = known === "rich_text" ? { convert: "portable" } : {};
  return [{ from: name, to: name, type: known, options: given, ...convert }];
}
