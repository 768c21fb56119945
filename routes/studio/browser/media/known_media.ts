/**
 * Runs in the browser. What is known of media, so that nobody asks the server for it again and a picture's size is there
 * before the picture: from the page, which carries what its texts hold, and from every answer that named one.
 *
 * @module
 */
import { call } from "../page/call.ts";

/** What of a medium shows it. */
export interface KnownMedium {
  id: string;
  url: string;
  filename: string;
  alt: string;
  /** 0 for what is no picture. */
  width: number;
  height: number;
}

const known = new Map<string, KnownMedium>();

/** Keeps what an answer has told. */
export function learnMedium({ id, url, filename, alt, width, height }: KnownMedium): void {
  known.set(id, { id, url, filename, alt, width, height });
}

/** A medium that something has told of already; null otherwise. */
export function knownMedium(id: string): KnownMedium | null {
  return known.get(id) ?? mediumOfPage(id);
}

/** A medium, from the server where nothing has told of it; null when it is gone. */
export async function findMedium(id: string): Promise<KnownMedium | null> {
  const reply = await call("GET", `/api/admin/media/${encodeURIComponent(id)}`);
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
