/**
 * Many media moved or tagged at once: each is a write of its own, so that what was refused for one changes
 * nothing for the others, and a repeated request continues where the first one ended.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { FOLDER_CHARS_MAX, FOLDER_LEVELS_MAX } from "../limits/media.ts";
import type { Actor } from "../model/entities/entity.ts";
import { isWithin } from "../model/entities/media_folder.ts";
import { invalid, Refusal } from "../refusals.ts";
import { ORGANIZED_MEDIA_MAX } from "../tuning.ts";
import { type Organization, organizeMedium } from "./media.ts";
import type { MediaList } from "./media_list.ts";

/** Writes that are under way at the same time. */
const AT_ONCE = 8;

/** The result of changing several media. */
export interface OrganizeResult {
  organized: number;
  /** Ids of what is not there any more. */
  missing: string[];
}

/** Moves and tags media; those that are gone are named. */
export async function organizeMedia(
  context: Context,
  actor: Actor,
  ids: readonly string[],
  change: Organization,
): Promise<OrganizeResult> {
  const missing: string[] = [];
  const waiting = ids.values();
  const work = async () => {
    for (const id of waiting) {
      try {
        await organizeMedium(context, actor, id, change);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "NOT_FOUND") throw error;
        missing.push(id);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { organized: ids.length - missing.length, missing: missing.sort() };
}

/**
 * Moves what is in a folder and below it to another path (empty: out of all folders), a request's worth at a
 * time; `remaining` says how many media a further request will find.
 */
export async function moveFolder(
  context: Context,
  actor: Actor,
  mediaList: MediaList,
  from: string,
  to: string,
): Promise<{ moved: number; remaining: number }> {
  if (isWithin(to, from)) {
    throw invalid("to", "INVALID_CHOICE", "Must not be the folder itself or a folder inside it");
  }
  const inside = await mediaList.find(({ folder, deletedAt }) =>
    deletedAt === null && isWithin(folder, from)
  );
  for (const { folder } of inside) refuseTooDeep(moved(folder ?? "", from, to));
  const now = inside.slice(0, ORGANIZED_MEDIA_MAX).map(({ id }) => id);
  // Computed from the folder at the moment of the write: another user may have moved a medium out of it.
  const { organized } = await organizeMedia(context, actor, now, {
    folder: (present) => isWithin(present, from) ? moved(present, from, to) : present,
  });
  return { moved: organized, remaining: inside.length - now.length };
}

function moved(folder: string, from: string, to: string): string {
  return `${to}${folder.slice(from.length)}`.replace(/^\//, "");
}

function refuseTooDeep(path: string): void {
  if ([...path].length > FOLDER_CHARS_MAX || path.split("/").length > FOLDER_LEVELS_MAX) {
    throw invalid("to", "TOO_LONG", `Must leave at most ${FOLDER_LEVELS_MAX} levels of folders`);
  }
}
