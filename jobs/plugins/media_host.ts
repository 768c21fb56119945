/**
 * A plugin's access to media: the facts of each, and its bytes, a piece at a time. Requires the capability to
 * read media; deleted media are excluded.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Context } from "../../kv/context.ts";
import { findMedia } from "../../kv/media/media.ts";
import type { MediaList } from "../../kv/media/media_list.ts";
import { type MediaState, mediaView } from "../../kv/model/entities/media.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { mediaPath } from "../../kv/objects/paths.ts";

/** The dependencies of these functions. */
export interface MediaHostParts {
  context: Context;
  mediaList: MediaList;
}

async function living({ context }: MediaHostParts, id: string): Promise<MediaState | null> {
  const medium = await findMedia(context, id);
  return medium === null || medium.deletedAt !== null ? null : medium;
}

/** The facts about a medium; null if it does not exist. */
export async function getMedium(parts: MediaHostParts, id: string): Promise<Json> {
  const medium = await living(parts, id);
  return medium && mediaView(medium);
}

/** A page of the media, newest first. */
export async function listMedia(
  { mediaList }: MediaHostParts,
  { page, perPage }: { page: number; perPage: number },
): Promise<Json> {
  const offset = (page - 1) * perPage;
  const { media, total } = await mediaList.list({ deleted: false, offset, limit: perPage });
  return { data: media.map(mediaView), meta: { page, perPage, total } };
}

/** A piece of a medium's bytes, as base64; null when the medium is not there. */
export async function pieceOfMedium(
  parts: MediaHostParts,
  { id, offset, length }: { id: string; offset: number; length: number },
): Promise<Json> {
  const medium = await living(parts, id);
  if (medium === null) return null;
  const end = Math.min(medium.bytes, offset + length);
  if (offset >= end) return { base64: "", offset, total: medium.bytes };
  const stream = await parts.context.objects.getStream(mediaPath(medium.object), {
    start: offset,
    end,
  });
  if (stream === null) return null;
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return { base64: Buffer.from(bytes).toString("base64"), offset, total: medium.bytes };
}
