/**
 * RENDER_LISTINGS: documents came or went among the older ones of a collection, so the listing pages behind
 * their places have moved: they are compared from there on, and rendered where they differ.
 *
 * @module
 */
import { listingChangePrefix } from "../../../kv/pages/page_keys.ts";
import { listingTag } from "../../../kv/model/entities/page.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  type Work,
} from "../../runner/job_kind.ts";
import { listingName } from "./listing_target.ts";
import type { Publishing } from "../publishing.ts";

/** Notes taken up at a time: each takes one of the nine checks of a commit. */
const NOTES_AT_ONCE = 8;

/** The page to go on with, and what was rendered so far; null: the notes are to be read. */
type Cursor = { page: number; pages: number } | null;

/** The kind of job that renders listing pages that have moved. */
export function renderListingsKind(publishing: Publishing): JobKind<"RENDER_LISTINGS"> {
  return jobKind("RENDER_LISTINGS", { pages: (work) => pages(publishing, work) });
}

async function pages(
  publishing: Publishing,
  { payload: target, operation, ...work }: Work<"RENDER_LISTINGS">,
): Promise<OutcomeOf<"RENDER_LISTINGS", "pages">> {
  const { store } = publishing.content.context;
  const cursor = work.cursor as Cursor;
  const range = { prefix: listingChangePrefix(listingName(target)) };
  const notes = await store.listAll(range, { limit: NOTES_AT_ONCE });
  const noted = notes.map(({ key }) => key[2] as number);
  // From now on the cursor represents them; pages noted again in the meantime stay noted.
  for (const note of notes) operation.check(note).delete(note.key);
  const start = Math.min(...noted, cursor?.page ?? Infinity);
  if (start === Infinity) return next({ pages: 0 });
  if (cursor === null || start < cursor.page) {
    return again({ page: start, pages: cursor?.pages ?? 0 });
  }
  const compared = await publishing.listings.compareFrom(target, start);
  const done = cursor.pages + compared.pages;
  if (compared.pages > 0) await purge(publishing, target.collectionId);
  if (compared.next !== null) {
    return again({ page: compared.next, pages: done }, {
      done: compared.next,
      total: compared.next,
    });
  }
  return notes.length < NOTES_AT_ONCE ? next({ pages: done }) : again(null);
}

async function purge({ content, purge }: Publishing, collectionId: string): Promise<void> {
  const collection = (await content.schema.latest()).byId.get(collectionId);
  if (collection !== undefined) await purge([listingTag(collection.slug)]);
}
