/**
 * The point in time of documents and media: now, or the end of a second in the past.
 *
 * @module
 */
import { isLarge, type ListedOrLarge } from "../../../kv/documents/read_ahead.ts";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import { zip } from "../../../kv/model/primitives/zip.ts";
import { type CurrentRow, readHead } from "../../../kv/versioning/entities.ts";
import { type PastReader, wasEverPublic } from "../../../kv/history/past_collections.ts";
import { stateBeforeTombstone } from "../../../kv/history/restore/lost_states.ts";
import { stateAtInstant } from "../../../kv/history/site_restore/state_at_instant.ts";
import { currentKey } from "../../../kv/keys.ts";
import { indexVersionKey } from "../../../kv/index/index_keys.ts";
import { mediumOfEntry } from "../../../kv/media/media.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { modernized } from "../../../kv/model/fields/field_migration.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import { hasWorkingCopy, laidOver } from "../../../kv/model/entities/working_copy.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import type { ReleaseOverlay } from "../../../kv/releases/release_overlay.ts";
import { type Entry, keyText } from "../../../kv/store/operation.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Parameters } from "../../query/parameters.ts";

/** An entity that is wanted. */
export interface EntityRef {
  id: string;
  type: "document" | "media_metadata";
}

/** An entity as of a viewpoint; null if it does not exist. */
export interface EntityView {
  /** Changes whenever something else would be found. */
  version: string;
  document: StoredDocument | null;
  medium: MediaState | null;
}

/** Looks several entities up in one call. */
export type Viewpoint = (wanted: readonly EntityRef[]) => Promise<EntityView[]>;

/**
 * The current state. A document in memory is not read again if `known`, the entries that the
 * request has read, show that the index version of its collection has not changed.
 */
export function presentView(
  { content, reader }: Pick<Deps, "content" | "reader">,
  known: readonly Entry[] = [],
): Viewpoint {
  const versions = new Map(known.map(({ key, versionstamp }) => [keyText(key), versionstamp]));
  const versionOf = (collectionId: string) => versions.get(keyText(indexVersionKey(collectionId)));
  const find = async ({ id, type }: EntityRef, entry: Entry<CurrentRow>): Promise<EntityView> => {
    const version = String(entry.value?.vid);
    if (type === "media_metadata") {
      return { version, document: null, medium: await mediumOfEntry(content.context, id, entry) };
    }
    const document = await reader.ofEntry(id, entry);
    if (document !== null) reader.markUnchanged(document, versionOf);
    return { version, document, medium: null };
  };
  return async (wanted) => {
    const views = wanted.map(({ id, type }): EntityView | null => {
      const document = type === "document" ? reader.unchanged(id, versionOf) : null;
      return document && { version: document.vid, document, medium: null };
    });
    const missing = wanted.filter((_, index) => views[index] === null);
    const entries = await liveRows(content.context.store, missing);
    const found = await Promise.all(zip(missing, entries).map(([one, entry]) => find(one, entry)));
    const next = found.values();
    return views.map((one) => one ?? next.next().value!);
  };
}

/** The state once a release is published; the current state if `release` is null. */
export function releaseView(view: Viewpoint, release: ReleaseOverlay | null): Viewpoint {
  if (release === null) return view;
  return async (wanted) =>
    (await view(wanted)).map(({ version, document, medium }) => ({
      version: `${release.name} ${version}`,
      document: release.seen(document),
      medium,
    }));
}

/** The same with unpublished changes, for documents whose drafts may be seen. */
export function draftView(
  view: Viewpoint,
  showsDraft: (state: DocumentState) => boolean,
): Viewpoint {
  return async (wanted) =>
    (await view(wanted)).map((found) => {
      const { document, version, medium } = found;
      if (document === null || !hasWorkingCopy(document.state)) return found;
      if (!showsDraft(document.state)) return found;
      const laid = { n: document.n, state: laidOver(document.state) };
      return { version: `draft ${version}`, document: laid, medium };
    });
}

/** The state at the end of a second, read with the current fields. Pruned versions are missing. */
export function pastView(
  { content }: Pick<Deps, "content">,
  schema: Schema,
  { timeline }: PastReader,
  at: number,
): Viewpoint {
  return async (wanted) => {
    const entries = await liveRows(content.context.store, wanted);
    const pairs = zip(wanted, entries);
    return await Promise.all(pairs.map(async ([{ id, type }, entry]): Promise<EntityView> => {
      const head = await readHead(content.context, type, id, entry.key, entry);
      const then = await stateAtInstant(content.context, timeline, { type, id, head }, at);
      if (then.kind !== "there") return { version: then.kind, document: null, medium: null };
      const version = String(then.n);
      return type === "document"
        ? { version, document: readToday(then as StoredDocument, schema), medium: null }
        : { version, document: null, medium: then.state as MediaState };
    }));
  };
}

async function liveRows(
  store: Deps["content"]["context"]["store"],
  wanted: readonly EntityRef[],
): Promise<Entry<CurrentRow>[]> {
  if (wanted.length === 0) return [];
  return await store.getMany(wanted.map(({ id, type }) => currentKey(type, id))) as Entry<
    CurrentRow
  >[];
}

/** `at`: whole epoch seconds that are not in the future; null when it is not given. */
export function parseAt(parameters: Parameters, now: number): number | null {
  const text = parameters.single("at");
  if (text === undefined) return null;
  if (!/^\d{1,12}$/.test(text)) {
    throw invalid("at", "INVALID_TYPE", "Must be an integer in Unix epoch seconds");
  }
  const at = Number(text);
  if (at > now) throw invalid("at", "TOO_LARGE", "Must not be in the future");
  return at;
}

/** A document of the past, as today's fields read it. */
function readToday(
  { n, state }: StoredDocument,
  { byId, blocks }: Pick<Schema, "byId" | "blocks">,
): StoredDocument {
  const collection = byId.get(state.collectionId);
  return collection === undefined
    ? { n, state }
    : { n, state: modernized(state, collection, blocks) };
}

/** The documents of a list of the past in the same way; large ones when they are read. */
export function listedToday(listed: readonly ListedOrLarge[], schema: Schema): ListedOrLarge[] {
  return listed.map((one) => {
    if (!isLarge(one)) return readToday(one, schema);
    const read = async () => {
      const stored = await one.read();
      return stored && readToday(stored, schema);
    };
    return { ...one, read };
  });
}

/** Whose document is looked for in the past. */
export interface PastScope {
  schema: Schema;
  collection: Collection;
  /** Whether unpublished versions may be seen. */
  canSeeDrafts: boolean;
}

/**
 * The document at an instant. If its version was pruned, VERSION_PRUNED for tokens that could have
 * seen it, null for all others.
 */
export async function documentAt(
  { content: { context } }: Pick<Deps, "content">,
  { timeline }: PastReader,
  { schema, collection, canSeeDrafts }: PastScope,
  id: string,
  at: number,
): Promise<StoredDocument | null> {
  const head = await readHead(context, "document", id, currentKey("document", id));
  const then = await stateAtInstant(context, timeline, { type: "document", id, head }, at);
  if (then.kind === "there") return readToday(then as StoredDocument, schema);
  if (then.kind === "absent") return null;
  const state = head.state ?? await stateBeforeTombstone(context, "document", id, head.row);
  if (state?.collectionId !== collection.id) return null;
  if (canSeeDrafts || wasEverPublic(state)) throw new Refusal("VERSION_PRUNED");
  return null;
}
