/**
 * Images that become media of the library: from a file, from an address, or from the address that holds them.
 *
 * @module
 */
/// <reference lib="dom" />
import { call, type Reply } from "../../browser/page/call.ts";
import { learnMedium } from "../../browser/media/known_media.ts";
import { pauseImagesDuring } from "../../browser/media/image_loading.ts";
import type { MediaView } from "../../../../kv/model/entities/media.ts";

/** The outcome of an image: the file in the library, or the error. */
export type Uploaded =
  | { medium: { id: string; filename: string; alt: string }; isNew: boolean }
  | { reason: string };

/** Uploads a file; if the library has the same bytes, the existing file is used. */
export async function uploadImage(file: File, alt = ""): Promise<Uploaded> {
  const body = new FormData();
  if (alt !== "") body.append("alt", alt);
  body.append("file", file);
  return uploaded(
    await pauseImagesDuring(() => call<MediaView>("POST", "/api/admin/media?ifNew=true", { body })),
  );
}

/** Has the service fetch an image, or uploads what its address holds. */
export async function importImage(url: string, alt: string): Promise<Uploaded> {
  if (url.startsWith("data:")) {
    const file = fileIn(url);
    return file === null ? { reason: "No image found" } : await uploadImage(file, alt);
  }
  const body = { url, ...(alt !== "" && { alt }) };
  return uploaded(await call<MediaView>("POST", "/api/admin/media/import?ifNew=true", { body }));
}

function uploaded(reply: Reply<MediaView>): Uploaded {
  if (!reply.ok) return { reason: reply.details[0]?.message ?? reply.message };
  learnMedium(reply.body);
  return { medium: reply.body, isNew: reply.status === 201 };
}

/** Decodes a `data:` URL; null if it is not one. The page's policy forbids fetching it. */
export function fileIn(address: string): File | null {
  const parts = /^data:(image\/([\w.-]+)[\w.+-]*)((?:;[^,;]*)*),/i.exec(address);
  if (parts === null) return null;
  const [head, type = "", kind = "", facts = ""] = parts;
  const text = address.slice(head.length);
  try {
    const bytes = /;\s*base64\s*$/i.test(facts)
      ? Uint8Array.from(atob(decodeURIComponent(text)), (one) => one.charCodeAt(0))
      : new TextEncoder().encode(decodeURIComponent(text));
    return new File([bytes], `pasted.${kind.toLowerCase()}`, { type: type.toLowerCase() });
  } catch {
    // Neither base64 nor percent-encoded, so it is no image.
    return null;
  }
}
