/**
 * Content Credentials of an upload on their way into the object store.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { CREDENTIALS_MIME, type MediaCredentials } from "../model/media_credentials.ts";
import { mediaPath } from "../objects/paths.ts";
import { readCredentials } from "./formats/content_credentials.ts";

/** Stores a manifest under a key of its own and answers what it says. */
export async function storeCredentials(
  context: Context,
  manifest: Uint8Array,
  isEmbedded: boolean,
): Promise<MediaCredentials> {
  const object = context.newId(context.now());
  await context.objects.put(mediaPath(object), manifest, { contentType: CREDENTIALS_MIME });
  return {
    object,
    bytes: manifest.byteLength,
    sha256: createHash("sha256").update(manifest).digest("hex"),
    ...await readCredentials(manifest),
    ...(isEmbedded && { embedded: true }),
  };
}
