/**
 * Imports an asset from a URL. It is fetched with the same protection as packages, then stored like
 * an upload. All errors are reported for `url`.
 *
 * @module
 */
import { z } from "zod";
import { REDIRECTS_MAX } from "../../jobs/limits.ts";
import { MEDIA_BYTES_MAX } from "../../kv/limits/media.ts";
import { ADDRESS_CHARS_MAX } from "../../kv/limits/packages.ts";
import { storeUpload } from "../../kv/media/upload.ts";
import { AltText, isPicture } from "../../kv/model/entities/media.ts";
import { mediaFilename } from "../../kv/model/values/media_name.ts";
import { invalid, Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps/deps.ts";
import { MEDIA_DOWNLOAD_MS_MAX } from "./limits.ts";
import { storeOptions } from "./media_types.ts";
import type { Received } from "./media_upload.ts";

/** The URL of an asset, and its metadata. */
export const MediaAddress = z.strictObject({
  url: z.string().max(ADDRESS_CHARS_MAX),
  alt: AltText.default(""),
  filename: z.string().optional(),
  private: z.boolean().optional(),
});

/** Dependencies of imports. */
export type DownloadDeps = Pick<Deps, "content" | "packages" | "pictures" | "settings">;

/** Fetches and stores an asset. If it fails, nothing remains. */
export async function downloadMedia(
  deps: DownloadDeps,
  { url, alt, filename, private: isPrivate = false }: z.infer<typeof MediaAddress>,
): Promise<Received> {
  const { content: { context }, packages } = deps;
  const name = mediaFilename(filename ?? nameIn(url));
  const store = await storeOptions(deps);
  let bytes: Uint8Array;
  try {
    const { status, body } = await packages.request({
      url,
      bytesMax: MEDIA_BYTES_MAX,
      msMax: MEDIA_DOWNLOAD_MS_MAX,
      redirectsMax: REDIRECTS_MAX,
    });
    if (status !== 200) throw new Error(`The URL returned ${status}`);
    bytes = body;
  } catch (error) {
    // The response must not reveal whether an internal host exists.
    context.log.info("media import from URL failed", { reason: String(error) });
    throw invalid(
      "url",
      "PATTERN_MISMATCH",
      store.types.every(isPicture)
        ? "Must be a public URL of an image"
        : "Must be a public URL of a file",
    );
  }
  try {
    const upload = await storeUpload(context, once(bytes), store);
    return { upload, filename: name, alt, ...(isPrivate && { private: true as const }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw invalid("url", "PATTERN_MISMATCH", error.message);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function nameIn(url: string): string {
  const last = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || "image";
  } catch {
    return "image";
  }
}
