/**
 * Content of this service: the JSON file that it exports for itself, and NDJSON of its lists and of bulk requests.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { FIELD_TYPE_NAMES } from "../../../kv/model/fields/field_definition.ts";
import type { Plan, PlanCollection, PlanField } from "../../../kv/model/transfers/plan.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";
import { hasExtension, type PlanScope, type TransferFormat } from "./format.ts";
import { lineRows, parseStream } from "./json.ts";
import { hostsOf } from "./plan_fields.ts";

/** Reads content of this service. */
export const cms: TransferFormat = {
  kind: "cms",
  matches: (files) =>
    files.some(({ head }) =>
      /^\s*\{"cms":\{"format":\d/.test(head) || /^\s*\{"op":"(?:create|update|upsert)"/.test(head)
    ),
  async *read({ files, facts }) {
    const definitions: JsonObject[] = [];
    const assets: Record<string, SourceAsset> = {};
    const json = files.filter((file) => hasExtension(file, "json"));
    for (const file of json) {
      for await (
        const { value, keys } of parseStream(file, "$.cms.site", "$.collections.*", "$.media.*")
      ) {
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
    for (const file of files.filter((file) => !json.includes(file))) {
      for await (const row of lineRows(file, "documents")) {
        const { body, slug, id } = row.data;
        const data = isJsonObject(body)
          ? { ...body, ...(slug !== undefined && { slug }) }
          : row.data;
        yield { ...row, id: typeof id === "string" ? id : null, data };
      }
    }
    Object.assign(facts, { definitions, assets });
  },
  adjust: adjustPlan,
};

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
