/**
 * Saved views: named filters of lists. They are tools of people and no
 * content, so they have no history, do not travel with backups, and stay when the site goes back in time.
 * A user has their own; shared ones belong to everybody.
 *
 * @module
 */
import { z } from "zod";
import { type Context, seconds } from "../../context.ts";
import { savedViewKey, savedViewPrefix, SHARED_VIEWS } from "../../keys.ts";
import {
  NAME_CHARS_MAX,
  VIEW_NAME_CHARS_MAX,
  VIEW_QUERY_CHARS_MAX,
  VIEWS_MAX,
} from "../../limits/content.ts";
import { nameText } from "../../model/values/text_check.ts";
import { parseBody } from "../../model/input/zod_details.ts";
import { Refusal } from "../../refusals.ts";
import { type Entry, Operation } from "../../store/operation.ts";

/** A view; `collectionId` is null for the list of all documents. */
export interface SavedView {
  id: string;
  name: string;
  collectionId: string | null;
  /** The list's address without its path: filters, sort, columns. */
  query: string;
  shared: boolean;
  /** The user who saved it. */
  userId: string;
  createdAt: number;
}

/** The body of a new view. */
export const NewView = z.strictObject({
  name: nameText(VIEW_NAME_CHARS_MAX),
  collection: z.string().max(NAME_CHARS_MAX).nullable(),
  query: z.string().max(VIEW_QUERY_CHARS_MAX),
  shared: z.boolean().default(false),
});

/** The input to save a view; `collection` is a slug. */
export type SavedViewInput = z.infer<typeof NewView>;

/** Parses a body; a query keeps neither its page nor what is empty. */
export function parseSavedView(body: unknown): SavedViewInput {
  const input = parseBody(NewView, body);
  const params = new URLSearchParams(input.query);
  params.delete("page");
  const kept = new URLSearchParams([...params].filter(([, value]) => value !== ""));
  return { ...input, query: kept.toString() };
}

/** The views that a user sees: their own, then the shared ones, by name. */
export async function listViews({ store }: Context, userId: string): Promise<SavedView[]> {
  const found = await Promise.all([userId, SHARED_VIEWS].map(async (owner) => {
    const entries = await store.listAll<SavedView>({ prefix: savedViewPrefix(owner) });
    return entries.map(({ value }) => value).sort((a, b) => a.name < b.name ? -1 : 1);
  }));
  return found.flat();
}

/** Saves a view; refuses with CONFLICT when the owner has too many. */
export async function saveView(
  context: Context,
  userId: string,
  { name, query, shared }: SavedViewInput,
  collectionId: string | null,
): Promise<SavedView> {
  const owner = shared ? SHARED_VIEWS : userId;
  const range = { prefix: savedViewPrefix(owner) };
  const present = await context.store.listAll(range, { limit: VIEWS_MAX });
  if (present.length === VIEWS_MAX) {
    throw new Refusal("CONFLICT", {
      about: `there are ${VIEWS_MAX} views, the maximum, already exist`,
    });
  }
  const id = context.newId(context.now());
  const createdAt = seconds(context);
  const view = { id, name, collectionId, query, shared, userId, createdAt };
  await context.store.commit(new Operation().set(savedViewKey(owner, id), view));
  return view;
}

/** Forgets a view that the user sees; `mayShare` says of a shared one whether they look after it. */
export async function removeView(
  { store }: Context,
  userId: string,
  id: string,
  mayShare: (view: SavedView) => boolean,
): Promise<void> {
  const keys = [savedViewKey(userId, id), savedViewKey(SHARED_VIEWS, id)];
  const found = (await store.getMany(keys) as Entry<SavedView>[])
    .find(({ value }) => value !== null);
  const view = found?.value ?? null;
  if (found === undefined || view === null) throw new Refusal("NOT_FOUND");
  if (view.shared && view.userId !== userId && !mayShare(view)) throw new Refusal("FORBIDDEN");
  await store.commit(new Operation().delete(found.key));
}
