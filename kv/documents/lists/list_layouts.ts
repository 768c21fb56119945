/**
 * Layouts of document lists: the columns of a collection that a user wants to see, in which order and how
 * wide. Like saved views they are tools of people and no content: they have no history, do not travel with
 * backups, and stay when the site goes back in time.
 *
 * @module
 */
import { z } from "zod";
import type { Context } from "../../context.ts";
import { ALL_DOCUMENTS, listLayoutKey } from "../../keys.ts";
import { LAYOUT_COLUMNS_MAX, NAME_CHARS_MAX } from "../../limits/content.ts";
import { parseBody } from "../../model/input/zod_details.ts";
import { Operation } from "../../store/operation.ts";

/** A layout. Its columns may no longer exist. */
export interface ListLayout {
  /** Names of the columns after the title, in their order; empty for those that everybody sees first. */
  columns: string[];
  /** Percent of the table's width by the name of the column. */
  widths: Record<string, number>;
}

const name = z.string().min(1).max(NAME_CHARS_MAX);

const percent = z.number().positive().refine((value) => value <= 100, {
  message: "Must be a part of 100",
});

const Input = z.strictObject({
  collection: z.string().max(NAME_CHARS_MAX).nullable(),
  columns: z.array(name).max(LAYOUT_COLUMNS_MAX).optional(),
  widths: z.record(name, percent)
    .refine((widths) => Object.keys(widths).length <= LAYOUT_COLUMNS_MAX, {
      message: `Must have at most ${LAYOUT_COLUMNS_MAX} entries`,
    }).optional(),
});

/** A change of a layout; `collection` is a slug, null for the list of all documents. */
export type ListLayoutInput = z.infer<typeof Input>;

/** Parses a body. */
export function parseListLayout(body: unknown): ListLayoutInput {
  return parseBody(Input, body);
}

/** The layout of a user's list of a collection, or of all documents. */
export async function listLayout(
  { store }: Context,
  userId: string,
  collectionId: string | null,
): Promise<ListLayout> {
  const { value } = await store.get<ListLayout>(keyOf(userId, collectionId));
  return value ?? { columns: [], widths: {} };
}

/** Changes the parts of a layout that are given; the last of two changes at once stays. */
export async function saveListLayout(
  context: Context,
  userId: string,
  collectionId: string | null,
  { columns, widths }: Pick<ListLayoutInput, "columns" | "widths">,
): Promise<void> {
  const before = await listLayout(context, userId, collectionId);
  const layout = { columns: columns ?? before.columns, widths: widths ?? before.widths };
  await context.store.commit(new Operation().set(keyOf(userId, collectionId), layout));
}

function keyOf(userId: string, collectionId: string | null) {
  return listLayoutKey(userId, collectionId ?? ALL_DOCUMENTS);
}
