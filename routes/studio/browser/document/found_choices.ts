/**
 * Runs in the browser. Documents and media as what can be chosen; the server finds them, a page at a time.
 *
 * @module
 */
import { call, type Reply } from "../call.ts";
import { type KnownMedium, learnMedium } from "../known_media.ts";
import { thumbnailUrl } from "../../picture_address.ts";
import { nameOf } from "./create_in_place.ts";

/** A thing that can be chosen. */
export interface Choice {
  id: string;
  title: string;
  note: string;
  image?: string;
}

/** A part of what was found. */
export interface FoundPage {
  choices: Choice[];
  /** How many there are in all. */
  total: number;
  /** What leads to the next part; null at the end. */
  next: string | null;
  /** Why nothing could be found; an empty text when it could. */
  failure: string;
}

/** Finds the first part, or the one that `from` leads to. */
export type Find = (from: string | null, signal: AbortSignal) => Promise<FoundPage>;

/** Answers of the API, as far as they are read here. */
type Wire = Record<string, string>;

const DOCUMENTS_AT_ONCE = 20;
const MEDIA_AT_ONCE = 60;

/** Finds documents whose titles have a text, those that were changed last first. */
export function documentsWith(text: string, collection: string | undefined): Find {
  const query = new URLSearchParams({
    q: text.trim(),
    sort: "-updatedAt",
    perPage: String(DOCUMENTS_AT_ONCE),
    fields: "id,title,collection,status",
  });
  if (collection) query.set("collection", collection);
  return async (from, signal) => {
    query.set("cursor", from ?? "");
    const reply = await call("GET", `/api/admin/documents?${query}`, { signal });
    return pageOf(reply, documentChoice, reply.body?.meta?.nextCursor ?? null);
  };
}

/** Finds media of some types by name or description, the newest first. */
export function mediaWith(text: string, mimes: readonly string[]): Find {
  const query = new URLSearchParams({ q: text.trim(), perPage: String(MEDIA_AT_ONCE) });
  for (const mime of mimes) query.append("mime", mime);
  return async (from, signal) => {
    const page = Number(from ?? 1);
    query.set("page", String(page));
    const reply = await call("GET", `/api/admin/media?${query}`, { signal });
    const isLast = page * MEDIA_AT_ONCE >= (reply.body?.meta?.total ?? 0);
    return pageOf(reply, mediumChoice, isLast ? null : String(page + 1));
  };
}

function pageOf<Found>(
  reply: Reply,
  choiceOf: (one: Found) => Choice,
  next: string | null,
): FoundPage {
  if (!reply.ok) return { choices: [], total: 0, next: null, failure: reply.message };
  const { data, meta } = reply.body;
  return { choices: data.map(choiceOf), total: meta.total, next, failure: "" };
}

/** A document of the API as what can be chosen. */
export function documentChoice({ id, title, collection, status }: Wire): Choice {
  const name = nameOf(collection!) ?? collection;
  return { id: id!, title: title || "Untitled", note: `${name} · ${status}` };
}

/** A medium of the API as what can be chosen. */
export function mediumChoice(medium: KnownMedium & { mime: string }): Choice {
  const { id, filename, mime, alt, url } = medium;
  learnMedium(medium);
  const choice: Choice = { id, title: filename, note: alt || "No alternative text yet" };
  return mime.startsWith("image/")
    ? { ...choice, image: thumbnailUrl(url, 320) }
    : { ...choice, note: alt || mime };
}
