/**
 * Media whose bytes are not in the object store, as after the import of a backup without images; and
 * files that bring them again.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type CurrentRow, type VersionRow, versionState } from "../versioning/entities.ts";
import { currentPrefix } from "../keys.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { MediaState } from "../model/entities/media.ts";
import { CREDENTIALS_MIME } from "../model/media_credentials.ts";
import { MEDIA_PREFIX, mediaPath } from "../objects/paths.ts";
import { discard } from "./discard.ts";
import { findMedia, replaceMedia } from "./media.ts";
import type { MediaList } from "./media_list.ts";
import type { MediaRow } from "../versioning/media_row.ts";
import type { Upload } from "./upload.ts";

const TYPE = "media_metadata";

/**
 * The use of a supplied file: `restored`, it has the bytes of media that lack them; `replaced`, it has the
 * name of a medium that lacks its bytes, but other bytes; `unneeded`, neither.
 */
export type SuppliedBytes = "restored" | "replaced" | "unneeded";

/** Every medium without its bytes, deleted ones included; looks at all media and all objects. */
export async function listMissing(context: Context): Promise<MediaState[]> {
  const { objects, store } = context;
  const present = new Set<string>();
  for await (const { key } of objects.list(MEDIA_PREFIX)) present.add(key);
  const missing: MediaState[] = [];
  const range = { prefix: currentPrefix(TYPE) };
  for await (const { key, value } of store.list<CurrentRow>(range, { batchSize: 100 })) {
    if (value === null || value.gone) continue;
    const row: VersionRow = { ...value, by: null, summary: null };
    const state = await versionState(context, TYPE, key[2] as string, row);
    if (state !== null && !present.has(mediaPath(state.object))) missing.push(state);
  }
  return missing;
}

/**
 * Gives an upload to the media that miss it: to all that have its digest, or else to the one that has its
 * name. A medium that gets other bytes than it had gets a version, and another address.
 */
export async function bringBytes(
  context: Context,
  actor: Actor,
  mediaList: MediaList,
  upload: Upload,
  filename: string,
): Promise<SuppliedBytes> {
  const same = await missingAmong(context, mediaList, ({ sha256 }) => sha256 === upload.sha256);
  if (same.length > 0) {
    try {
      for (const object of new Set(same.map(({ object }) => object))) {
        await copyBytes(context, upload, object);
      }
      for (const { credentials } of same) await copyCredentials(context, upload, credentials);
    } finally {
      await discard(context, upload);
    }
    return "restored";
  }
  const named = await missingAmong(context, mediaList, (row) => row.filename === filename);
  const [only] = named.filter(({ deletedAt }) => deletedAt === null);
  if (only === undefined || named.length > 1) {
    await discard(context, upload);
    return "unneeded";
  }
  await replaceMedia(context, actor, only.id, upload);
  return "replaced";
}

/** Whether some medium has a digest. */
export function isKnownDigest(mediaList: MediaList): (digest: string) => Promise<boolean> {
  return async (digest) => (await mediaList.find(({ sha256 }) => sha256 === digest)).length > 0;
}

async function missingAmong(
  context: Context,
  mediaList: MediaList,
  fits: (row: MediaRow) => boolean,
): Promise<MediaState[]> {
  const missing: MediaState[] = [];
  for (const { id } of await mediaList.find(fits)) {
    const state = await findMedia(context, id);
    if (state === null || !fits(state)) continue;
    if (await context.objects.head(mediaPath(state.object)) === null) missing.push(state);
  }
  return missing;
}

async function copyBytes({ objects }: Context, upload: Upload, object: string): Promise<void> {
  const bytes = await objects.getStream(mediaPath(upload.object));
  if (bytes === null) throw new Error("The bytes of an upload are gone");
  await objects.putStream(mediaPath(object), bytes, { contentType: upload.mime });
}

/** Gives the manifest of an upload to a medium that misses it. */
async function copyCredentials(
  { objects }: Context,
  { credentials: brought }: Upload,
  missing: MediaState["credentials"],
): Promise<void> {
  if (missing === undefined || missing.sha256 !== brought?.sha256) return;
  const key = mediaPath(missing.object);
  const manifest = await objects.get(mediaPath(brought.object));
  if (manifest === null || await objects.head(key) !== null) return;
  await objects.put(key, manifest, { contentType: CREDENTIALS_MIME });
}
