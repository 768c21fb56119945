/**
 * What values of Payload refer to: without a schema, uploads and documents are found by their ids, by `relationTo`, or
 * because they are filled in.
 *
 * @module
 */
import { TRANSFER_COMPARED_MAX, TRANSFER_DEPTH_MAX } from "../../../kv/limits/transfers.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { SourceRow } from "../reading/source_file.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";

/** Ids that mean the same row wherever they stand: of MongoDB, and UUIDs. Numbers could be anything. */
const ID = /^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Names of fields that hold an upload. */
const PICTURE = /image|photo|picture|avatar|thumbnail|cover|logo|icon|media|file|upload/i;

/** Names of fields that hold a number about an upload. */
const MEASURE = /(?:width|height|size|count|number|position|index|order|ratio|opacity|quality)$/i;

/** What the values of a field refer to. */
export interface FieldReferences {
  /** Whether values are uploads. */
  isMedia: boolean;
  /** Kinds of rows that values are ids of. */
  sources: Set<string>;
  isList: boolean;
}

/** References of the fields of a source, by kind of rows and name. */
export type SourceReferences = Map<string, Map<string, FieldReferences>>;

/** The rows of a source that others refer to. */
export class PayloadReferences {
  /** Kinds of rows by their ids. */
  readonly #sources = new Map<string, string>();
  /** Kinds of rows and numbers, as one text: where ids are numbers, each collection counts its own. */
  readonly #numbers = new Set<string>();
  /** Kinds of rows by their numbers and times of creation, by which documents that are filled in are recognized. */
  readonly #created = new Map<string, string>();
  /** Kinds of rows that are uploads. */
  readonly uploads = new Set<string>();
  readonly assets: Record<string, SourceAsset> = {};
  readonly fields: SourceReferences = new Map();

  /** Notes a row that others can refer to. */
  note({ source, data }: SourceRow): void {
    const id = idOf(data);
    const known = this.#sources.size + this.#numbers.size;
    if (id === null || known >= TRANSFER_COMPARED_MAX) return;
    if (ID.test(id)) this.#sources.set(id, source);
    else if (typeof data.id === "number") {
      this.#numbers.add(`${source} ${id}`);
      if (typeof data.createdAt === "string") this.#created.set(`${id} ${data.createdAt}`, source);
    }
    if (!isUpload(data)) return;
    this.uploads.add(source);
    const { url, filename, alt } = data;
    const text = wordsOf(alt);
    const focus = focusOf(data);
    this.assets[assetName(source, id)] = {
      url: typeof url === "string" ? url : "",
      ...(typeof filename === "string" && { filename, path: filename }),
      ...(text !== "" && { alt: text }),
      ...(focus !== null && { focus }),
    };
  }

  /** A row with its references as other systems have them. */
  resolved(source: string, data: JsonObject): JsonObject {
    const id = idOf(data);
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => {
        if (name === "id") return [name, value];
        if (name === "url" && id !== null && isUpload(data)) {
          const asset = { _sanityAsset: assetName(source, id) };
          this.#noteField(source, "file", asset);
          return ["file", asset];
        }
        const found = this.#member(name, value, 0);
        this.#noteField(source, name, found);
        return [name, found];
      }),
    );
  }

  #noteField(source: string, name: string, value: Json): void {
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (!isJsonObject(one)) continue;
      const { _ref, _kind, _sanityAsset } = one;
      if (_ref === undefined && _sanityAsset === undefined) continue;
      const fields = this.fields.get(source) ?? new Map<string, FieldReferences>();
      this.fields.set(source, fields);
      const field = fields.get(name) ?? { isMedia: false, sources: new Set(), isList: false };
      fields.set(name, field);
      field.isList ||= Array.isArray(value);
      if (typeof _kind === "string") field.sources.add(_kind);
      else field.isMedia = true;
    }
  }

  /** A value in an object: what it refers to by its name, or what its parts refer to. */
  #member(name: string, value: Json, depth: number): Json {
    return this.#named(name, value) ?? this.#value(value, depth);
  }

  /** Numbers in a field that is named after what they count. */
  #named(name: string, value: Json): Json {
    if (Array.isArray(value)) {
      const found = value.map((one) => this.#named(name, one));
      return found.length > 0 && !found.includes(null) ? found : null;
    }
    if (typeof value !== "number") return null;
    const [upload, another] = this.uploads;
    const isPicture = PICTURE.test(name) && !MEASURE.test(name);
    if (upload !== undefined && another === undefined && isPicture) {
      return this.#reference(String(value), upload);
    }
    const source = [name, `${name}s`, `${name}es`, name.replace(/y$/, "ies")]
      .find((one) => this.#numbers.has(`${one} ${value}`));
    return source === undefined || this.uploads.has(source)
      ? null
      : { _ref: String(value), _kind: source };
  }

  #value(value: Json, depth: number): Json {
    if (depth > TRANSFER_DEPTH_MAX) return value;
    if (typeof value === "string") return this.#reference(value, this.#sources.get(value)) ?? value;
    if (Array.isArray(value)) return value.map((one) => this.#value(one, depth + 1));
    if (!isJsonObject(value)) return value;
    return this.#object(value, depth);
  }

  #object(value: JsonObject, depth: number): Json {
    const { relationTo, type, value: inner = null } = value;
    if (typeof relationTo === "string") {
      const id = isJsonObject(inner) ? idOf(inner) : idOf({ id: inner });
      const found = id === null ? null : this.#reference(id, relationTo);
      if (type === "upload" && isJsonObject(found) && found._sanityAsset !== undefined) {
        // A picture in a text.
        const { alt = "" } = this.assets[String(found._sanityAsset)] ?? {};
        const { caption = null } = isJsonObject(value.fields) ? value.fields : {};
        return { type: "image", src: found._sanityAsset, alt, caption: wordsOf(caption) };
      }
      if (type === undefined && found !== null) return found;
    }
    const id = idOf(value);
    const source = id === null ? undefined : this.#sources.get(id) ??
      this.#created.get(`${id} ${value.createdAt}`);
    // A whole document that was filled in, as `depth` asks for.
    const isWhole = "createdAt" in value || isUpload(value);
    if (id !== null && isWhole && source !== undefined) return this.#reference(id, source) ?? value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        name === "id" ? one : this.#member(name, one, depth + 1),
      ]),
    );
  }

  /** A reference to a row of a kind; null if there is none. */
  #reference(id: string, source: string | undefined): JsonObject | null {
    if (source === undefined) return null;
    if (this.uploads.has(source)) {
      const name = assetName(source, id);
      return Object.hasOwn(this.assets, name) ? { _sanityAsset: name } : null;
    }
    const isKnown = this.#sources.get(id) === source || this.#numbers.has(`${source} ${id}`);
    return isKnown ? { _ref: id, _kind: source } : null;
  }
}

/** Whether a row is an upload. */
export function isUpload({ mimeType, url, filename }: JsonObject): boolean {
  return typeof mimeType === "string" && (typeof url === "string" || typeof filename === "string");
}

/** The name of an upload among the assets of its source. */
function assetName(source: string, id: string): string {
  return `${source}:${id}`;
}

function idOf({ id }: JsonObject): string | null {
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

/** A text, or its first language. */
function wordsOf(value: Json | undefined): string {
  const [first = value] = isJsonObject(value) ? Object.values(value) : [];
  return typeof first === "string" ? first : "";
}

/** The focal point, which Payload has in percent. */
function focusOf({ focalX, focalY }: JsonObject): { x: number; y: number } | null {
  if (typeof focalX !== "number" || typeof focalY !== "number") return null;
  const part = (percent: number) => Math.min(1, Math.max(0, percent / 100));
  return { x: part(focalX), y: part(focalY) };
}
