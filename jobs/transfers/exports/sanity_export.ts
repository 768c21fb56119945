/**
 * Documents as Sanity exports them: one JSON object on each line, with images beside.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import {
  type ExportedDocument,
  type ExportScope,
  isoOf,
  mediaFile,
  withoutNulls,
} from "./export_scope.ts";

/** The lines of `data.ndjson`. */
export async function* sanityLines(scope: ExportScope): AsyncGenerator<string> {
  for (const collection of scope.collections) {
    for await (const document of scope.documentsOf(collection)) {
      await scope.loadMedia(document);
      yield `${JSON.stringify(documentOf(document, scope))}\n`;
    }
  }
}

function documentOf({ collection, wire, state }: ExportedDocument, scope: ExportScope): JsonObject {
  const fields = collection.fields.map(({ name, type }): [string, Json] => {
    const value = wire[name] ?? null;
    if (value === null) return [name, null];
    switch (type) {
      case "datetime":
        return [name, isoOf(value)];
      case "media":
        return [name, imageOf(value, scope)];
      case "reference":
        return [name, { _type: "reference", _ref: value, _weak: true }];
      case "references":
        return [name, Array.isArray(value) ? value.map(referenceOf) : null];
      case "rich_text":
        return [name, withImages(value, scope)];
      default:
        return [name, value];
    }
  });
  return withoutNulls({
    _id: state.status === "published" ? state.id : `drafts.${state.id}`,
    _type: collection.slug,
    _createdAt: isoOf(state.createdAt),
    _updatedAt: isoOf(state.updatedAt),
    title: state.title,
    slug: { _type: "slug", current: state.slug },
    publishedAt: isoOf(state.publishedAt),
    ...Object.fromEntries(fields),
  });
}

function referenceOf(id: Json, index: number): JsonObject {
  return { _type: "reference", _ref: id, _key: `r${index}`, _weak: true };
}

function imageOf(id: Json | undefined, scope: ExportScope): JsonObject | null {
  const medium = scope.loaded(id);
  if (medium === null) return null;
  const kind = medium.mime.startsWith("image/") ? "image" : "file";
  return { _type: kind, _sanityAsset: `${kind}@file://./${kind}s/${mediaFile(medium)}` };
}

function withImages(value: Json, scope: ExportScope): Json {
  if (!Array.isArray(value)) return value;
  return value.map((block) => {
    const image = isJsonObject(block) && block._type === "image"
      ? imageOf(block.media, scope)
      : null;
    if (image === null || !isJsonObject(block)) return block;
    const { media: _, ...rest } = block;
    return { ...rest, ...image };
  });
}
