/**
 * Media without bytes, for what only shows their addresses.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import { createMedia } from "../../../kv/media/media.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";

/** A medium whose bytes are never requested; returns its id. */
export async function createCover(context: Context, n: number): Promise<string> {
  const object = context.newId(context.now());
  const upload = { object, mime: "image/png" as const, bytes: 1, width: 900, height: 600 };
  const facts = { filename: `cover-${n}.png`, alt: "A lamp" };
  const medium = { ...upload, sha256: sha256(object) };
  return (await createMedia(context, UNATTENDED, medium, facts)).id;
}
