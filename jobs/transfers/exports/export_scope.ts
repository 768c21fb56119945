/**
 * What is exported for another system: documents of some collections, and the media that they name.
 *
 * @module
 */
import type { Content } from "../../../kv/documents/content.ts";
import { readAhead } from "../../../kv/documents/read_ahead.ts";
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import type { Condition } from "../../../kv/index/query/condition.ts";
import type { Position } from "../../../kv/index/query/list_query.ts";
import type { TransferExport } from "../../../kv/jobs/payloads.ts";
import { findMedia } from "../../../kv/media/media.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { type DocumentState, STATUSES } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import { toWire } from "../../../kv/model/input/document_wire.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { mediaPath } from "../../../kv/objects/paths.ts";

/** Documents that are read at a time. */
const DOCUMENTS_AT_ONCE = 100;

/** A document, and where it belongs. */
export interface ExportedDocument {
  collection: Collection;
  state: DocumentState;
  /** As the API shows it. */
  wire: Record<string, Json>;
}

/** Reads what is exported. */
export class ExportScope {
  /** Documents so far. */
  documents = 0;
  readonly collections: Collection[];
  readonly blocks: Schema["blocks"];
  readonly #content: Content;
  readonly #reader: DocumentReader;
  readonly #conditions: Record<string, Json>;
  readonly #media = new Map<string, MediaState | null>();
  readonly signal: AbortSignal;

  constructor(
    { content, reader }: { content: Content; reader: DocumentReader },
    schema: Schema,
    { collections, conditions = {} }: Omit<TransferExport, "kind">,
    signal: AbortSignal,
  ) {
    this.#content = content;
    this.#reader = reader;
    this.#conditions = conditions;
    this.signal = signal;
    this.blocks = schema.blocks;
    this.collections = schema.collections.filter(({ slug }) =>
      collections === undefined || collections.includes(slug)
    );
  }

  /** The documents of a collection, oldest first; none from the trash. */
  async *documentsOf(collection: Collection): AsyncGenerator<ExportedDocument> {
    const where = this.#conditions[collection.slug] as Condition | undefined;
    let after: Position | "start" | null = "start";
    while (after !== null) {
      this.signal.throwIfAborted();
      const page: Awaited<ReturnType<Content["index"]["list"]>> = await this.#content.index.list({
        collections: [collection],
        statuses: STATUSES.filter((status) => status !== "trashed"),
        ...(where !== undefined && { where }),
        sort: [{ by: "createdAt", descending: false }],
        offset: 0,
        limit: DOCUMENTS_AT_ONCE,
        after,
      });
      for await (const taken of readAhead(await this.#reader.listedOfPage(page))) {
        if ("unavailable" in taken) throw new Error(`A document is missing: ${taken.unavailable}`);
        const { state } = taken.stored;
        this.documents += 1;
        yield { collection, state, wire: toWire(state, collection) };
      }
      after = page.next ?? null;
      await this.#content.context.store.sleep(0);
    }
  }

  /** A medium that is not deleted; null for any other id. */
  async medium(id: string): Promise<MediaState | null> {
    const known = this.#media.get(id);
    if (known !== undefined) return known;
    const found = await findMedia(this.#content.context, id);
    const medium = found === null || found.deletedAt !== null ? null : found;
    this.#media.set(id, medium);
    return medium;
  }

  /** All media that were asked for and exist. */
  get media(): MediaState[] {
    return [...this.#media.values()].filter((medium) => medium !== null);
  }

  /** The bytes of a medium; null if they are missing. */
  async bytesOf({ object }: MediaState): Promise<ReadableStream<Uint8Array> | null> {
    return await this.#content.context.objects.getStream(mediaPath(object));
  }

  /** Loads the media that a document names, so that converters need not wait. */
  async loadMedia({ collection, wire }: ExportedDocument): Promise<void> {
    for (const id of mediaIds(collection, wire)) await this.medium(id);
  }

  /** A medium that was loaded. */
  loaded(id: Json | undefined): MediaState | null {
    return typeof id === "string" ? this.#media.get(id) ?? null : null;
  }
}

/** The ids of media in the fields and rich texts of a document. */
function mediaIds({ fields }: Collection, wire: Record<string, Json>): Set<string> {
  const found = new Set<string>();
  for (const { name, type } of fields) {
    const value = wire[name] ?? null;
    if (type === "media" && typeof value === "string") found.add(value);
    else collectImages(value, found);
  }
  return found;
}

function collectImages(value: Json, found: Set<string>): void {
  if (Array.isArray(value)) { for (const one of value) collectImages(one, found); }
  else if (isJsonObject(value)) {
    if (value._type === "image" && typeof value.media === "string") found.add(value.media);
    for (const one of Object.values(value)) collectImages(one, found);
  }
}

/** The name of a medium's file in an archive. */
export function mediaFile({ id, filename }: MediaState): string {
  return `${id}-${filename.replace(/[^\w.-]+/g, "_")}`;
}

/** The first rich text of a collection: the body of its documents. */
export function bodyField({ fields }: Collection): string | null {
  return fields.find(({ type }) => type === "rich_text")?.name ?? null;
}

/** Seconds as an ISO time; null for none. */
export function isoOf(seconds: Json | undefined): string | null {
  return typeof seconds === "number" ? new Date(seconds * 1000).toISOString() : null;
}

/** A value without empty parts. */
export function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}
