/**
 * The archive of `strapi export`: schemas, entities and links as lines, and uploads.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { fieldInput } from "../../../kv/model/transfers/plan_check.ts";
import type { Plan, PlanCollection, PlanField } from "../../../kv/model/transfers/plan.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { fieldName } from "../mapping/infer_plan.ts";
import { type ReadableFile, type SourceRow } from "../reading/source_file.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";
import { type PlanScope, type ReadScope, type TransferFormat } from "./format.ts";
import { lineRows } from "./json.ts";
import { slugOfSource, withAssetHosts } from "./plan_fields.ts";
import {
  attributeType,
  isInternal,
  isInverse,
  type TypeScope,
  UPLOADED_FILE,
  zoneBlocks,
} from "./strapi_types.ts";
import { entityData, type EntityScope, type Links } from "./strapi_entity.ts";

/** Reads an archive of Strapi. */
export const strapi: TransferFormat = {
  kind: "strapi",
  matches: (files) => files.some(({ path }) => /(?:^|\/)schemas\/schemas_\d+\.jsonl$/.test(path)),
  read: readArchive,
  adjust: adjustPlan,
};

async function* linesIn(
  files: readonly ReadableFile[],
  folder: string,
): AsyncGenerator<JsonObject> {
  const own = files.filter(({ path }) => path.includes(`${folder}/${folder}_`));
  for (const file of own) for await (const { data } of lineRows(file, folder)) yield data;
}

/** The rows that stand for a document, by language: the published one of each. */
type Chosen = Map<string, ChosenRow>;
interface ChosenRow {
  ref: string;
  isPublished: boolean;
  updatedAt: string;
  /** The row of the draft, if that has changed since. */
  draft?: string;
}

async function* readArchive({ files, facts }: ReadScope): AsyncGenerator<SourceRow> {
  const schemas: Record<string, JsonObject> = {};
  for await (const schema of linesIn(files, "schemas")) {
    schemas[String(schema.uid ?? schema.modelName)] = schema;
  }
  const assets: Record<string, SourceAsset> = {};
  const chosen = new Map<string, Chosen>();
  const documentOf = new Map<string, string>();
  const originals = await readLocalizations(files);
  const documentIn = (type: Json | undefined, id: Json | undefined, data: JsonObject) =>
    String(data.documentId ?? originals.get(`${String(type)} ${String(id)}`) ?? id);
  for await (const { type, id, data } of linesIn(files, "entities")) {
    if (!isJsonObject(data)) continue;
    if (type === UPLOADED_FILE) assets[String(id)] = assetOf(data);
    if (!String(type).startsWith("api::")) continue;
    const document = `${String(type)} ${documentIn(type, id, data)}`;
    documentOf.set(`${String(type)} ${String(id)}`, documentIn(type, id, data));
    const locale = String(data.locale ?? "");
    const isPublished = data.publishedAt !== null && data.publishedAt !== undefined;
    const languages: Chosen = chosen.get(document) ?? new Map();
    chosen.set(document, languages);
    const row = { ref: String(id), isPublished, updatedAt: String(data.updatedAt ?? "") };
    languages.set(locale, chosenOf(languages.get(locale), row));
  }
  const drafts = await draftsOf(files, chosen);
  const links = await readLinks(files, documentOf);
  Object.assign(facts, { schemas, assets, blocks: zoneBlocks(schemas) });
  facts.singletons = Object.keys(schemas).filter((uid) => schemas[uid]?.kind === "singleType");
  const scope = { schemas, links };
  for await (const { type, id, data } of linesIn(files, "entities")) {
    const uid = String(type);
    if (!uid.startsWith("api::") || !isJsonObject(data)) continue;
    const document = documentIn(type, id, data);
    const languages: Chosen = chosen.get(`${uid} ${document}`) ?? new Map();
    const language = String(data.locale ?? "");
    if (languages.get(language)?.ref !== String(id)) continue;
    const [first] = languages.keys();
    const info = schemas[uid]?.info;
    facts.names[uid] = isJsonObject(info) ? String(info.displayName ?? uid) : uid;
    const dataOf = (row: JsonObject, ref: string) => rowData(row, uid, ref, scope);
    const { draft: draftRef = "" } = languages.get(language) ?? {};
    const draft = drafts.get(`${uid} ${draftRef}`);
    const published = dataOf(data, String(id));
    const changed = draft && dataOf(draft, draftRef);
    const isChanged = changed !== undefined && contentOf(changed) !== contentOf(published);
    const row = { source: uid, data: { ...published, ...(isChanged && { _draft: changed }) } };
    // References lead to documents, so the first language has the document's id.
    yield languages.size === 1 ? { ...row, id: document } : {
      ...row,
      id: language === first ? document : `${document}:${language}`,
      translation: { group: document, language },
    };
  }
}

/** In version 4, the rows of a document are linked with each other: the lowest number of each row's, by row. */
async function readLocalizations(files: readonly ReadableFile[]): Promise<Map<string, string>> {
  const originals = new Map<string, string>();
  for await (const { left, right } of linesIn(files, "links")) {
    if (!isJsonObject(left) || !isJsonObject(right) || left.field !== "localizations") continue;
    const key = `${String(left.type)} ${String(left.ref)}`;
    const known = Number(originals.get(key) ?? left.ref);
    originals.set(key, String(Math.min(known, Number(right.ref))));
  }
  return originals;
}

/** Names of an entity or component that differ between a published entry and its draft in any case. */
const OF_ROW = /^(?:id|createdAt|updatedAt|publishedAt|createdBy|updatedBy|_status)$/;

/** The content of an entity as text: saving a language changes the time of the others' drafts, and nothing else. */
function contentOf(data: JsonObject): string {
  return JSON.stringify(data, (name, value) => {
    if (OF_ROW.test(name)) return undefined;
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}

/** The published row of two, with the draft if that has changed since. */
function chosenOf(known: ChosenRow | undefined, row: ChosenRow): ChosenRow {
  if (known === undefined || known.isPublished === row.isPublished) return known ?? row;
  const [live, draft] = row.isPublished ? [row, known] : [known, row];
  return draft.updatedAt > live.updatedAt ? { ...live, draft: draft.ref } : live;
}

/** The drafts of published rows that have changed since, by type and row. */
async function draftsOf(
  files: readonly ReadableFile[],
  chosen: ReadonlyMap<string, Chosen>,
): Promise<Map<string, JsonObject>> {
  const wanted = new Set(
    [...chosen].flatMap(([document, languages]) =>
      [...languages.values()].flatMap(({ draft }) =>
        draft === undefined ? [] : `${document.split(" ")[0]} ${draft}`
      )
    ),
  );
  const drafts = new Map<string, JsonObject>();
  if (wanted.size === 0) return drafts;
  for await (const { type, id, data } of linesIn(files, "entities")) {
    const name = `${String(type)} ${String(id)}`;
    if (isJsonObject(data) && wanted.has(name)) drafts.set(name, data);
  }
  return drafts;
}

function rowData(row: JsonObject, uid: string, ref: string, scope: EntityScope): JsonObject {
  const schema = scope.schemas[uid];
  // Types without drafts are always public.
  const options = isJsonObject(schema?.options) ? schema.options : {};
  const isPublic = row.publishedAt || options.draftAndPublish === false;
  return {
    ...entityData(row, uid, ref, scope),
    _status: isPublic ? "published" : "draft",
  };
}

function assetOf({ url, hash, ext, name, alternativeText, caption }: JsonObject): SourceAsset {
  return {
    url: String(url ?? ""),
    path: `assets/uploads/${String(hash ?? "")}${String(ext ?? "")}`,
    filename: String(name ?? ""),
    alt: String(alternativeText ?? ""),
    caption: String(caption ?? ""),
  };
}

/** Relations and media by the entity that has them: ids of files, and of documents. */
async function readLinks(
  files: readonly ReadableFile[],
  documentOf: ReadonlyMap<string, string>,
): Promise<Links> {
  const links: Links = new Map();
  const add = (owner: JsonObject, value: string) => {
    const key = `${String(owner.type)} ${String(owner.ref)}`;
    const fields = links.get(key) ?? new Map<string, Json[]>();
    links.set(key, fields);
    const name = String(owner.field);
    fields.set(name, [...fields.get(name) ?? [], value]);
  };
  for await (const { left, right } of linesIn(files, "links")) {
    if (!isJsonObject(left) || !isJsonObject(right)) continue;
    if (left.type === UPLOADED_FILE) add(right, String(left.ref));
    else if (typeof left.field === "string") {
      const target = documentOf.get(`${String(right.type)} ${String(right.ref)}`);
      if (target !== undefined) add(left, target);
    }
  }
  return links;
}

function adjustPlan(plan: Plan, { facts }: PlanScope): Plan {
  const schemas = facts.schemas as Record<string, JsonObject>;
  const names = new Map(plan.blocks.map(({ source, target }) => [source, target]));
  const scope: TypeScope = {
    schemas,
    slugOf: (source) => slugOfSource(plan, source),
    blockOf: (component) => names.get(component),
  };
  const collections = plan.collections.map((collection): PlanCollection => {
    const { attributes } = schemas[collection.source] ?? {};
    const names = new Set<string>();
    const defined = Object.entries(isJsonObject(attributes) ? attributes : {});
    const uid = defined.find(([, one]) => isJsonObject(one) && one.type === "uid")?.[0];
    const title = defined.find(([name]) => /^(?:title|name|headline|label)$/.test(name))?.[0] ??
      defined.find(([, one]) => isJsonObject(one) && one.type === "string")?.[0] ?? null;
    const isLeftOut = (attribute: Json) =>
      isInverse(attribute) || isJsonObject(attribute) && attribute.type === "password";
    const fields = defined
      .filter(([name]) => name !== uid && name !== title && !isInternal(name))
      .filter(([, attribute]) => !isLeftOut(attribute))
      .flatMap(([from, attribute]): PlanField[] => {
        if (!isJsonObject(attribute)) return [];
        const field = {
          from,
          to: fieldName(from, names),
          options: {},
          ...attributeType(attribute, scope),
          ...(isLocalized(attribute) && { localized: true }),
        };
        return [
          fieldInput(field) === null ? { from, to: field.to, type: "json", options: {} } : field,
        ];
      });
    return {
      ...collection,
      title,
      slug: uid ?? collection.slug,
      sourceId: null,
      publishedAt: "publishedAt",
      createdAt: "createdAt",
      status: { from: "_status", map: { published: "published", draft: "draft" } },
      fields,
    };
  });
  return withAssetHosts({ ...plan, collections }, facts);
}

function isLocalized({ pluginOptions }: JsonObject): boolean {
  const options = isJsonObject(pluginOptions) ? pluginOptions.i18n : null;
  return isJsonObject(options) && options.localized === true;
}
