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
const BULK = /^\s*\{\s*"op"\s*:\s*"(?:create|update|upsert|trash)"/;
/** A file of a mirror: `<collection>/<id>.json`. */
const MIRRORED = /(?:^|\/)([^/]+)\/[0-9A-HJKMNP-TV-Z]{26}\.json$/;

/** Reads content of this service. */
export const cms: TransferFormat = {
  kind: "cms",
  matches: (files) =>
    files.some(({ path, head }) =>
      EXPORT.test(head) || BULK.test(head) || MIRRORED.test(path) && /"slug"\s*:/.test(head)
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
    yield { source: own, id: typeof value.id === "string" ? value.id : null, data: value };
  }
}

/** The documents of a list or a bulk request, one on each line. */
async function* bulkRows(file: ReadableFile, { facts }: ReadScope): AsyncGenerator<SourceRow> {
  const source = baseName(file.path);
  facts.names[source] ??= source;
  for await (const row of lineRows(file, source)) {
    const { op, body, slug, id } = row.data;
    const isLine = row.problem === undefined && typeof op === "string";
    const data = isLine
      ? {
        ...isJsonObject(body) ? body : {},
        ...(id !== undefined && { id }),
        ...(slug !== undefined && { slug }),
        ...(op === "trash" && { status: "trashed" }),
      }
      : row.data;
    yield { ...row, id: typeof id === "string" ? id : null, data };
  }
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
