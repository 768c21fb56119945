/**
 * Runs in the browser. Documents and files as choices of a picker, fetched from the server page by page.
 *
 * @module
 */
import { call, type ListBody, type Reply } from "../page/call.ts";
import { type KnownMedium, learnMedium } from "../media/known_media.ts";
import { thumbnailUrl } from "../../picture_address.ts";
import type { DocumentChoice } from "../../document_choice.ts";
import type { MediaView } from "../../../../kv/model/entities/media.ts";

/** A thing that can be chosen. */
export interface Choice {
  id: string;
  title: string;
  /** The text shown with the chosen item. */
  note: string;
  /** Address of its picture. */
  image?: string;
  /** The text shown in a list of documents. */
  listed?: {
    status: string;
    statusLabel: string;
    note: string;
    /** Whether others of its collection have pictures. */
    isFramed: boolean;
  };
}

/** One page of results. */
export interface FoundPage {
  choices: Choice[];
  /** How many there are in all. */
  total: number;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** Why nothing could be found; an empty text when it could. */
  failure: string;
}

/** Finds the first part, or the one that `from` leads to. */
export type Find = (from: string | null, signal: AbortSignal) => Promise<FoundPage>;

const DOCUMENTS_AT_ONCE = 20;
const MEDIA_AT_ONCE = 60;

/** Finds documents whose titles contain a text, most recently changed first. */
export function documentsWith(text: string, collection: string | undefined): Find {
  const query = new URLSearchParams({
    q: text.trim(),
    sort: "-updatedAt",
    perPage: String(DOCUMENTS_AT_ONCE),
  });
  if (collection) query.set("collection", collection);
  return async (from, signal) => {
    query.set("cursor", from ?? "");
    const reply = await call<ListBody<DocumentChoice>>("GET", `/admin/choices?${query}`, {
      signal,
    });
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
    const reply = await call<ListBody<MediaView>>("GET", `/api/admin/media?${query}`, { signal });
    const isLast = page * MEDIA_AT_ONCE >= (reply.body?.meta?.total ?? 0);
    return pageOf(reply, mediumChoice, isLast ? null : String(page + 1));
  };
}

function pageOf<Found>(
  reply: Reply<ListBody<Found>>,
  choiceOf: (one: Found) => Choice,
  next: string | null,
): FoundPage {
  if (!reply.ok) return { choices: [], total: 0, next: null, failure: reply.message };
  const { data, meta } = reply.body;
  return { choices: data.map(choiceOf), total: meta.total, next, failure: "" };
}

/** The document with an id; null if it cannot be read. */
export async function findDocument(id: string): Promise<Choice | null> {
  const query = new URLSearchParams({ filter: JSON.stringify({ id }), status: "any" });
  const reply = await call<ListBody<DocumentChoice>>("GET", `/admin/choices?${query}`);
  const [found] = reply.body?.data ?? [];
  return found === undefined ? null : documentChoice(found);
}

function documentChoice({ collection, note, image, ...document }: DocumentChoice): Choice {
  const { id, title, status, statusLabel } = document;
  return {
    id,
    title,
    note: `${collection} · ${statusLabel}`,
    listed: { status, statusLabel, note, isFramed: image !== undefined },
    ...(image && { image: thumbnailUrl(image, 320) }),
  };
}

/** The file with an id; null if it cannot be read. */
export async function findMediumChoice(id: string): Promise<Choice | null> {
  const reply = await call<MediaView>("GET", `/api/admin/media/${id}`);
  return reply.ok ? mediumChoice(reply.body) : null;
}

/** Converts a file of the API to a choice. */
export function mediumChoice(medium: KnownMedium & { mime: string }): Choice {
  const { id, filename, mime, alt, url } = medium;
  learnMedium(medium);
  const choice: Choice = { id, title: filename, note: alt || "No alt text yet" };
  return mime.startsWith("image/")
    ? { ...choice, image: thumbnailUrl(url, 320) }
    : { ...choice, note: alt || mime };
}
