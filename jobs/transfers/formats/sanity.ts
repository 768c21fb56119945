/**
 * The export of Sanity: a document on each line, with images and files beside it.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { REFERENCES_MAX } from "../../../kv/limits/content.ts";
import type { Plan, PlanCollection } from "../../../kv/model/transfers/plan.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { addressOf } from "../mapping/map_value.ts";
import { parseJson } from "../reading/json_text.ts";
import type { ReadableFile, SourceRow } from "../reading/source_file.ts";
import { linesOf } from "../reading/text_stream.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";
import {
  hasExtension,
  noteLanguage,
  type PlanScope,
  type SourceFacts,
  type TransferFormat,
  withTranslations,
} from "./format.ts";
import { lineRows, parseStream } from "./json.ts";
import {
  type KnownField,
  onlyCollection,
  slugsOfSources,
  withAssetHosts,
  withFields,
} from "./plan_fields.ts";

/** A document in a release, which is not public. */
const VERSION = /^versions\./;
/** A file of the archive, whose hash `assets.json` names it by. */
const ASSET_FILE = /^(image|file)@(?:file:\/\/)?\.?\/*(?:images|files)\/([\w]+)/;
/** The address of an asset of a project. */
const CDN = /\/\/cdn\.sanity\.io\/(?:images|files)\/([^/]+)\/([^/]+)\//;

/** What a field of documents holds. */
type Held = "image" | "images" | "reference" | "references" | "portable" | "slug" | "other";

/** Reads an export of Sanity. */
export const sanity: TransferFormat = {
  kind: "sanity",
  matches: (files) =>
    files.some((file) =>
      hasExtension(file, "ndjson") && /"_type"\s*:/.test(file.head) && /"_id"\s*:/.test(file.head)
    ),
  async *read({ files, facts }) {
    const held: Record<string, Held> = {};
    const targets: Record<string, string[]> = {};
    const assets: Record<string, SourceAsset> = {};
    const details = await assetDetails(files);
    let versions = 0;
    for (const file of files.filter((file) => hasExtension(file, "ndjson"))) {
      const { types, translations, drafts, zones } = await surveyOf(file);
      for await (const row of lineRows(file, "documents")) {
        const type = String(row.data._type ?? "documents");
        noteAsset(row.data, type, assets);
        if (row.problem === undefined && /^(?:sanity|system|translation)\./.test(type)) continue;
        const id = String(row.data._id ?? "");
        const published = id.replace(/^drafts\./, "");
        if (id !== published && types.has(published)) continue;
        if (VERSION.test(id)) {
          versions += 1;
          continue;
        }
        noteFields(row.data, type, { held, targets, types });
        noteImages(row.data, assets, details);
        facts.names[type] ??= type;
        const status = id === published ? "published" : "draft";
        const draft = id === published ? drafts.get(published) : undefined;
        const data = {
          ...inOneLanguage(cleaned(row.data, type, zones), facts),
          status,
          _id: published,
          ...(draft && { _draft: inOneLanguage(cleaned(draft, type, zones), facts) }),
        };
        const translation = translations.get(published);
        yield { ...row, source: type, id: published || null, data, ...translation };
      }
    }
    if (versions > 0) facts.warnings.push(`Documents of releases, not taken: ${versions}`);
    const sourceKey = sourceKeyOf(files, assets);
    if (sourceKey !== null) facts.sourceKey ??= sourceKey;
    Object.assign(facts, { held, targets, assets });
  },
  adjust: adjustPlan,
};

/** The types of all documents by id, the drafts by the ids of their documents, and translations by their ids. */
async function surveyOf(file: ReadableFile) {
  const types = new Map<string, string>();
  const drafts = new Map<string, JsonObject>();
  const translations = new Map<string, Pick<SourceRow, "translation">>();
  const zones = new Map<string, Set<string>>();
  for await (const line of linesOf(file)) {
    const id = /"_id"\s*:\s*"([^"]+)"/.exec(line ?? "")?.[1];
    if (id === undefined || line === null) continue;
    // Lines that are no JSON are reported when the rows are read.
    const document = parseJson(line);
    if (!isJsonObject(document)) continue;
    types.set(String(document._id), String(document._type));
    noteZones(document, zones);
    const [, published] = /^drafts\.(.+)$/.exec(String(document._id)) ?? [];
    if (published !== undefined) drafts.set(published, document);
    if (document._type !== "translation.metadata") continue;
    for (const { language, _key, value } of objectsIn(document.translations)) {
      if (!isJsonObject(value)) continue;
      const translation = { group: String(document._id), language: String(language ?? _key) };
      translations.set(String(value._ref), { translation });
    }
  }
  return { types, translations, drafts, zones };
}

/** Notes the types of the objects in each array of a document: an array of several types holds blocks. */
function noteZones(document: JsonObject, zones: Map<string, Set<string>>): void {
  for (const [name, value] of Object.entries(document)) {
    if (heldBy(value) !== "other" || isInternationalized(value) || !Array.isArray(value)) continue;
    const key = `${String(document._type)}.${name}`;
    const types = zones.get(key) ?? new Set();
    for (const { _type } of value.filter(isJsonObject)) types.add(String(_type));
    zones.set(key, types);
  }
}

function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Whether a value is an array with one object for each language. */
function isInternationalized(value: Json): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 &&
    value.every((one) =>
      isJsonObject(one) && /^internationalizedArray/.test(String(one._type)) &&
      one.value !== undefined
    );
}

/** Values of the first language in place of those in all, which are kept beside them. */
function inOneLanguage(data: JsonObject, facts: SourceFacts): JsonObject {
  const translations: Record<string, Record<string, Json>> = {};
  const values = Object.entries(data).map(([name, value]): [string, Json] => {
    if (!isInternationalized(value)) return [name, value];
    for (const { language, _key, value: own = null } of value) {
      const code = String(language ?? _key);
      noteLanguage(facts, code);
      (translations[code] ??= {})[name] = clean(own);
    }
    return [name, clean(value[0]?.value ?? null)];
  });
  return withTranslations(Object.fromEntries(values), translations);
}

function noteFields(
  data: JsonObject,
  type: string,
  { held, targets, types }: {
    held: Record<string, Held>;
    targets: Record<string, string[]>;
    types: ReadonlyMap<string, string>;
  },
): void {
  for (const [name, value] of Object.entries(data)) {
    if (value === null || name.startsWith("_")) continue;
    // What an array has for each language, not the array, is what its field holds.
    const [first] = isInternationalized(value) ? value : [];
    const own = first?.value ?? value;
    const key = `${type}.${name}`;
    const now = heldBy(own);
    held[key] = held[key] === undefined || held[key] === now ? now : "other";
    for (const one of Array.isArray(own) ? own : [own]) {
      const target = isJsonObject(one) ? types.get(String(one._ref ?? "")) : undefined;
      if (target === undefined) continue;
      const known = targets[key] ??= [];
      if (!known.includes(target)) known.push(target);
    }
  }
}

/** Notes the address of a file that documents refer to by its id. */
function noteAsset(
  { _id, url, originalFilename, altText }: JsonObject,
  type: string,
  assets: Record<string, SourceAsset>,
): void {
  if (!/^sanity\.(?:image|file)Asset$/.test(type) || typeof url !== "string") return;
  assets[String(_id)] = {
    ...assets[String(_id)],
    url,
    ...(typeof originalFilename === "string" && { filename: originalFilename }),
    ...(typeof altText === "string" && { alt: altText }),
  };
}

/** Notes what is known of the images and files in a value: hotspots, alternative texts, and the names they had. */
function noteImages(
  value: Json,
  assets: Record<string, SourceAsset>,
  details: ReadonlyMap<string, JsonObject>,
): void {
  if (Array.isArray(value)) {
    for (const one of value) noteImages(one, assets, details);
  } else if (isJsonObject(value)) {
    const { x, y } = isJsonObject(value.hotspot) ? value.hotspot : {};
    const url = isImage(value) ? addressOf(value) : null;
    if (url !== null) {
      const [, kind, hash] = ASSET_FILE.exec(url) ?? [];
      const { originalFilename, altText } = details.get(`${kind}-${hash}`) ?? {};
      const alt = [assets[url]?.alt, altText, value.alt]
        .find((text) => typeof text === "string" && text !== "");
      assets[url] = {
        url,
        ...(typeof originalFilename === "string" && { filename: originalFilename }),
        ...assets[url],
        ...(typeof alt === "string" && { alt }),
        ...(isShare(x) && isShare(y) && { focus: { x, y } }),
      };
    }
    for (const one of Object.values(value)) noteImages(one, assets, details);
  }
}

/** What `assets.json` says of images and files, by their names in it. */
async function assetDetails(files: readonly ReadableFile[]): Promise<Map<string, JsonObject>> {
  const details = new Map<string, JsonObject>();
  for (const file of files.filter(({ path }) => /(?:^|\/)assets\.json$/.test(path))) {
    for await (const { value, keys } of parseStream(file, "$.*")) {
      if (isJsonObject(value)) details.set(String(keys.at(-1)), value);
    }
  }
  return details;
}

/** The project and dataset, or the dataset alone, which exports have in the name of their folder with the time. */
function sourceKeyOf(
  files: readonly ReadableFile[],
  assets: Readonly<Record<string, SourceAsset>>,
): string | null {
  for (const { url = "" } of Object.values(assets)) {
    const [, project, dataset] = CDN.exec(url) ?? [];
    if (project !== undefined) return `${project}/${dataset}:sanity`;
  }
  const [, dataset] = /^([^/]+?)-export-\d{4}-\d{2}-\d{2}[^/]*\//.exec(files[0]?.path ?? "") ?? [];
  return dataset === undefined ? null : `${dataset}:sanity`;
}

function isShare(value: Json | undefined): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function heldBy(value: Json): Held {
  if (Array.isArray(value)) {
    const objects = value.filter(isJsonObject);
    if (objects.length === 0 || objects.length < value.length) return "other";
    if (objects.some(({ _type }) => _type === "block")) return "portable";
    if (objects.every((one) => typeof one._ref === "string")) return "references";
    return objects.every(isImage) ? "images" : "other";
  }
  if (!isJsonObject(value)) return "other";
  if (typeof value._ref === "string") return "reference";
  if (isImage(value)) return "image";
  return value._type === "slug" || typeof value.current === "string" ? "slug" : "other";
}

function isImage({ _type, _sanityAsset, asset }: JsonObject): boolean {
  return typeof _sanityAsset === "string" || _type === "image" && isJsonObject(asset);
}

/** Objects without the names of their types, where those say nothing to a reader. */
function cleaned(
  data: JsonObject,
  type: string,
  zones: ReadonlyMap<string, ReadonlySet<string>>,
): JsonObject {
  const { _type: _, _rev, _updatedAt, ...rest } = data;
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => {
      const isZone = (zones.get(`${type}.${name}`)?.size ?? 0) > 1;
      return [name, isZone && Array.isArray(value) ? value.map(blockOf) : clean(value)];
    }),
  );
}

/** An object of an array that holds several types, as a block. */
function blockOf(value: Json): Json {
  if (!isJsonObject(value) || typeof value._type !== "string") return clean(value);
  const { _type, _key, ...rest } = value;
  const entries = Object.entries(rest).map(([name, one]) => [name, clean(one)]);
  return { _block: _type, ...(_key !== undefined && { _key }), ...Object.fromEntries(entries) };
}

function clean(value: Json): Json {
  if (isInternationalized(value)) return value;
  if (Array.isArray(value)) return heldBy(value) === "portable" ? value : value.map(clean);
  if (!isJsonObject(value)) return value;
  if (typeof value._ref === "string" || isImage(value)) return value;
  const { _type: _, _key, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, clean(one)]));
}

function adjustPlan(plan: Plan, { facts, shapes }: PlanScope): Plan {
  const held = facts.held as Record<string, Held>;
  const targets = facts.targets as Record<string, string[]>;
  const collections = plan.collections.map((collection): PlanCollection => {
    const { source } = collection;
    const known: Record<string, KnownField> = { _id: null, _createdAt: null };
    let slug = collection.slug;
    for (const name of shapes.get(source)?.fields.keys() ?? []) {
      if (name.startsWith("_")) known[name] = null;
      const kind = held[`${source}.${name}`];
      const slugs = slugsOfSources(plan, targets[`${source}.${name}`] ?? []);
      if (kind === "slug") {
        if (name === "slug") {
          slug = name;
          known[name] = null;
        }
      } else if (kind !== undefined && kind !== "other") known[name] = knownField(kind, slugs);
    }
    const hasDate = collection.publishedAt !== null;
    const publishedAt = hasDate ? collection.publishedAt : "_createdAt";
    const adjusted = withFields({ ...collection, sourceId: "_id", slug, publishedAt }, known);
    return { ...adjusted, createdAt: "_createdAt" };
  });
  return withAssetHosts({ ...plan, collections }, facts);
}

function knownField(kind: Held, slugs: string[]): KnownField {
  switch (kind) {
    case "image":
      return { type: "media" };
    case "images":
      return { type: "repeater", options: { fields: [{ name: "image", type: "media" }] } };
    case "reference":
      return { type: "reference", options: onlyCollection(slugs) };
    case "references":
      return {
        type: "references",
        options: { ...(slugs.length > 0 && { collections: slugs }), maxItems: REFERENCES_MAX },
      };
    default:
      return { type: "rich_text", convert: "portable" };
  }
}
