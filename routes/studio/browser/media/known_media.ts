/**
 * Runs in the browser. A cache of files, filled from the page and from API responses. It avoids repeated
 * requests, and an image has its size before it is loaded.
 *
 * @module
 */
import { call } from "../page/call.ts";

/** The properties of a file that are needed to show it. */
export interface KnownMedium {
  id: string;
  url: string;
  filename: string;
  alt: string;
  /** 0 if it is not an image. */
  width: number;
  height: number;
}

const known = new Map<string, KnownMedium>();

/** Adds the files of a response. */
export function learnMedium({ id, url, filename, alt, width, height }: KnownMedium): void {
  known.set(id, { id, url, filename, alt, width, height });
}

/** A cached file; null otherwise. */
export function knownMedium(id: string): KnownMedium | null {
  return known.get(id) ?? mediumOfPage(id);
}

/** A medium, requested from the server if it is not known yet; null if it no longer exists. */
export async function findMedium(id: string): Promise<KnownMedium | null> {
  const reply = await call<KnownMedium>("GET", `/api/admin/media/${encodeURIComponent(id)}`);
  if (!reply.ok) return null;
  learnMedium(reply.body);
  return known.get(id) ?? null;
}

function mediumOfPage(id: string): KnownMedium | null {
  const image = document.querySelector<HTMLImageElement>(`img[data-medium="${CSS.escape(id)}"]`);
  if (image === null) return null;
  const { url = "", filename = "", alt = "" } = image.dataset;
  const size = (name: string) => Number(image.getAttribute(name));
  return { id, url, filename, alt, width: size("width"), height: size("height") };
}
