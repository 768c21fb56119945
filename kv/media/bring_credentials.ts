/**
 * Content Credentials of media whose manifests are not in the object store, brought by an archive.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { CREDENTIALS_MIME } from "../model/media_credentials.ts";
import { mediaPath } from "../objects/paths.ts";
import { CredentialsCollector } from "./formats/content_credentials.ts";
import type { MediaList } from "./media_list.ts";

/** Gives a manifest to every medium that misses it, by its digest. */
export async function bringCredentials(
  { objects }: Context,
  mediaList: MediaList,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const collector = new CredentialsCollector();
  for await (const piece of content) collector.add(piece);
  const manifest = collector.bytes();
  if (manifest === null) return;
  const sha256 = createHash("sha256").update(manifest).digest("hex");
  for (const { credentials } of await mediaList.find((row) => row.credentials?.sha256 === sha256)) {
    if (credentials === undefined) continue;
    const key = mediaPath(credentials.object);
    if (await objects.head(key) !== null) continue;
    await objects.put(key, manifest, { contentType: CREDENTIALS_MIME });
  }
}
