/**
 * Template folders and schema snapshots of Directus with their items.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { Plan, PlanCollection } from "../../../kv/model/transfers/plan.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { ReadableFile, SourceRow } from "../reading/source_file.ts";
import { headText, wholeText } from "../reading/text_stream.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";
import type { SourceBlock } from "../mapping/source_blocks.ts";
import {
  baseName,
  hasExtension,
  type PlanScope,
  type ReadScope,
  type TransferFormat,
  withTranslations,
} from "./format.ts";
import {
  blockTables,
  contentOf,
  itemsIn,
  type Junction,
  junctionsOf,
  manySide,
  type Model,
  readJunctions,
  specialsOf,
} from "./directus_relations.ts";
import {
  type KnownField,
  referencesTo,
  referenceTo,
  withAssetHosts,
  withFields,
} from "./plan_fields.ts";

/** Special behavior of fields that Directus itself fills. */
const BOOKKEEPING = /^(?:user-created|user-updated|date-updated|role-created|role-updated)$/;

/** Special behavior of fields whose values the API hides. */
const SECRETS: ReadonlySet<string> = new Set(["hash", "conceal"]);

const SNAPSHOT = /(?:^|\/)snapshot\.(?:json|ya?ml)$/;
/** A snapshot by another name. */
const SNAPSHOT_HEAD = /^\s*(?:\{\s*)?"?version"?\s*:\s*\d+\s*,?\s*"?directus"?\s*:/;

/** Reads content of Directus. */
export const directus: TransferFormat = {
  kind: "directus",
  matches: (files) =>
    files.some(({ path, head }) => SNAPSHOT.test(path) || SNAPSHOT_HEAD.test(head)) ||
    files.some(({ path, head }) =>
      /(?:^|\/)fields\.json$/.test(path) && /"interface"\s*:/.test(head)
    ),
  read: readItems,
  adjust: adjustPlan,
};

async function* readItems({ files, facts }: ReadScope): AsyncGenerator<SourceRow> {
  const model = await readModel(files);
  const assets: Record<string, SourceAsset> = {};
  for (const file of await listOf(files, "files")) {
    const { id, url, filename_disk: disk, filename_download: name, description, title } = file;
    const asset: SourceAsset = {
      key: String(id),
      path: `assets/${String(disk)}`,
      ...(typeof url === "string" && { url }),
      filename: String(name ?? disk),
      alt: String(description ?? title ?? ""),
    };
    assets[String(id)] = asset;
    if (typeof url === "string") assets[url] = asset;
  }
  facts.singletons = (await listOf(files, "collections"))
    .filter(({ meta }) => isJsonObject(meta) && meta.singleton === true)
    .map(({ collection }) => String(collection));
  const [folder, ...inside] = files[0]?.path.split("/") ?? [];
  // Without a folder, a source is known by the name of its archive.
  if (inside.length > 0) facts.sourceKey ??= `${folder}:directus`;
  Object.assign(facts, { model, assets });
  const known = new Set(model.fields.map(({ collection }) => String(collection)));
  const items = files.filter((file) =>
    hasExtension(file, "json", "csv") && known.has(baseName(file.path)) &&
    !/\/schema\//.test(file.path)
  );
  const tables = translationTables(model);
  const texts = await readTranslations(items, tables, facts.languages);
  const junctions = junctionsOf(model);
  const joining = new Set(junctions.map(({ table }) => table));
  const related = await readJunctions(model, junctions, items);
  for (const file of items) {
    const source = baseName(file.path);
    if (source.startsWith("directus_") || source === "languages") continue;
    if (tables.has(source) || joining.has(source)) continue;
    facts.names[source] = source;
    for await (const value of itemsIn(file)) {
      const id = String(value.id ?? "");
      const { "": translated = {}, ...others } = texts.get(`${source} ${id}`) ?? {};
      const data = {
        ...translated,
        ...Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)),
        ...related.get(`${source} ${id}`),
      };
      yield { source, id: id || null, data: withTranslations(data, others) };
    }
  }
}

async function findSnapshot(files: readonly ReadableFile[]): Promise<ReadableFile | undefined> {
  const named = files.find(({ path }) => SNAPSHOT.test(path));
  if (named !== undefined) return named;
  for (const file of files.filter((one) => hasExtension(one, "json", "yaml", "yml"))) {
    if (SNAPSHOT_HEAD.test(await headText(file))) return file;
  }
  return undefined;
}

async function readModel(files: readonly ReadableFile[]): Promise<Model> {
  const snapshot = await findSnapshot(files);
  const [fields, relations] = [await listOf(files, "fields"), await listOf(files, "relations")];
  if (snapshot === undefined) return { fields, relations };
  const text = await wholeText(snapshot);
  const value: Json = text.trimStart().startsWith("{")
    ? JSON.parse(text)
    : (await import("yaml")).parse(text, { maxAliasCount: 100 });
  const part = (name: string) =>
    isJsonObject(value) && Array.isArray(value[name]) ? value[name].filter(isJsonObject) : [];
  return {
    fields: [...fields, ...part("fields")],
    relations: [...relations, ...part("relations")],
  };
}

/** The objects of `name.json`, which is not one of items. */
async function listOf(files: readonly ReadableFile[], name: string): Promise<JsonObject[]> {
  const file = files.find(({ path }) =>
    `/${path}`.endsWith(`/${name}.json`) && !path.includes("/content/")
  );
  if (file === undefined) return [];
  const value = JSON.parse(await wholeText(file)) as Json;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The collection of a table of translations, and its columns for the item and the language. */
interface TranslationTable {
  of: string;
  by: string;
  language: string;
}

/** Tables of translations, with the collection that each belongs to and the field that names its item. */
function translationTables({ fields, relations }: Model): Map<string, TranslationTable> {
  const found = new Map<string, TranslationTable>();
  for (const described of fields) {
    const { collection, field } = described;
    if (!specialsOf(described).includes("translations")) continue;
    const relation = manySide(relations, collection, field);
    if (relation === undefined) continue;
    found.set(String(relation.many_collection), {
      of: String(collection),
      by: String(relation.many_field),
      language: String(relation.junction_field ?? "languages_code"),
    });
  }
  return found;
}

/** The texts of items: those in the first language without its code, those in others by it. */
async function readTranslations(
  items: readonly ReadableFile[],
  tables: ReadonlyMap<string, TranslationTable>,
  languages: string[],
): Promise<Map<string, Record<string, JsonObject>>> {
  const texts = new Map<string, Record<string, JsonObject>>();
  const codes = new Map<string, number>();
  const rows: { key: string; code: string; value: JsonObject }[] = [];
  for (const file of items) {
    const table = tables.get(baseName(file.path));
    if (table === undefined) continue;
    for await (const value of itemsIn(file)) {
      const code = String(value[table.language] ?? "");
      codes.set(code, (codes.get(code) ?? 0) + 1);
      const { id: _, [table.language]: _code, [table.by]: item, ...rest } = value;
      rows.push({ key: `${table.of} ${String(item)}`, code, value: contentOf(rest) });
    }
  }
  const [first = ""] =
    [...codes].sort(([a, n], [b, m]) =>
      Number(b.startsWith("en-US")) - Number(a.startsWith("en-US")) || m - n
    )[0] ?? [];
  for (const { key, code, value } of rows) {
    const own = texts.get(key) ?? {};
    own[code === first ? "" : code] = value;
    texts.set(key, own);
  }
  languages.push(...[...codes.keys()].filter((code) => code !== first && code !== ""));
  return texts;
}

function adjustPlan(plan: Plan, { facts }: PlanScope): Plan {
  const model = facts.model as Model;
  const tables = translationTables(model);
  const blocks = blockTables(model);
  const junctions = junctionsOf(model);
  const collections = plan.collections.map((collection): PlanCollection => {
    const { source } = collection;
    const own = [
      source,
      ...[...tables].filter(([, { of }]) => of === source).map(([name]) => name),
    ];
    const known: Record<string, KnownField> = {};
    for (const field of model.fields.filter(({ collection }) => own.includes(String(collection)))) {
      const change = knownField(plan, source, field, { relations: model.relations, junctions });
      if (change !== undefined) known[String(field.field)] = change;
    }
    const adjusted = withFields({ ...collection, sourceId: "id" }, known);
    // Their items are in the documents that hold them.
    return blocks.has(source) ? { ...adjusted, mode: "skip" } : adjusted;
  });
  facts.blocks = (facts.blocks ?? []).map((block) => describedBlock(block, plan, model));
  return withAssetHosts({ ...plan, collections }, facts);
}

/** A kind of blocks whose fields are those of its collection. References in blocks name kinds of rows. */
function describedBlock(block: SourceBlock, plan: Plan, model: Model): SourceBlock {
  const collections = plan.collections.map((one) => ({ ...one, target: one.source }));
  const fields = block.fields.map((field) => {
    const described = model.fields.find((one) =>
      one.collection === block.source && one.field === field.from
    );
    const scope = { relations: model.relations, junctions: [] };
    const known = described && knownField({ ...plan, collections }, block.source, described, scope);
    if (!known) return field;
    const { convert: _, ...rest } = field;
    return { ...rest, options: {}, ...known };
  });
  return { ...block, fields };
}

function knownField(
  plan: Plan,
  source: string,
  described: JsonObject,
  { relations, junctions }: { relations: readonly JsonObject[]; junctions: readonly Junction[] },
): KnownField | undefined {
  const { field, type, meta } = described;
  const { interface: shown, options } = isJsonObject(meta) ? meta : {};
  const specials = specialsOf(described);
  const isLeftOut = (special: string) =>
    special === "translations" || SECRETS.has(special) || BOOKKEEPING.test(special);
  if (specials.some(isLeftOut)) return null;
  const junction = junctions.find((one) => one.of === source && one.field === field);
  if (junction !== undefined) return junctionField(plan, junction.target);
  if (/^file/.test(String(shown)) || specials.includes("file")) return { type: "media" };
  const related = relations.find((one) => one.collection === source && one.field === field);
  if (related !== undefined && typeof related.related_collection === "string") {
    return referenceTo(plan, related.related_collection);
  }
  if (specials.includes("o2m")) {
    const many = manySide(relations, source, field);
    return many === undefined ? undefined : referencesTo(plan, String(many.many_collection));
  }
  return plainField(String(shown), String(type), options);
}

function junctionField(plan: Plan, target: string | null): KnownField | undefined {
  if (target === null) return { type: "block" };
  if (target !== "directus_files") return referencesTo(plan, target);
  return { type: "repeater", options: { fields: [{ name: "file", type: "media" }] } };
}

function plainField(
  shown: string,
  type: string,
  options: Json | undefined,
): KnownField | undefined {
  if (shown === "input-rich-text-html") return { type: "rich_text", convert: "html" };
  if (/markdown|rich-text-md/.test(shown)) return { type: "rich_text", convert: "markdown" };
  if (shown === "input-multiline") return { type: "text", options: { multiline: true } };
  // Larger numbers than JavaScript has.
  if (type === "bigInteger") return { type: "text" };
  if (/^(?:timestamp|dateTime|date)$/.test(type)) return { type: "datetime" };
  if (type === "boolean") return { type: "boolean" };
  const given = isJsonObject(options) && Array.isArray(options.choices) ? options.choices : [];
  const choices = given.filter(isJsonObject).map(({ value }) => String(value)).filter(Boolean);
  if (/^select-multiple/.test(shown) && choices.length > 0) {
    return { type: "multi_select", options: { choices } };
  }
  // Which tags there are follows from the values.
  if (shown === "tags") return undefined;
  if (type === "json") return { type: "json" };
  if (shown.startsWith("select") && choices.length > 0) {
    return { type: "select", options: { choices } };
  }
  return undefined;
}
