/**
 * Which folders and tags a library has.
 *
 * @module
 */
import { sortForm } from "../index/segments/texts.ts";
import { compareTexts } from "../model/values/compare_texts.ts";
import { tagForm } from "../model/entities/media_folder.ts";
import type { MediaRow } from "../versioning/media_row.ts";

/** A folder with how many media are in it or below it. */
export interface FolderCount {
  path: string;
  media: number;
}

/** A tag with how many media have it. */
export interface TagCount {
  tag: string;
  media: number;
}

/** The folders of these media, those that have only other folders in them too, each before what is in it. */
export function countFolders(media: readonly MediaRow[]): FolderCount[] {
  const counts = new Map<string, number>();
  for (const { folder } of media) {
    for (const path of outwards(folder)) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return [...counts].map(([path, count]) => ({ path, media: count, key: sortForm(path) }))
    .sort((a, b) => compareTexts(a.key, b.key) || compareTexts(a.path, b.path))
    .map(({ path, media }) => ({ path, media }));
}

/** A folder and those around it. */
function outwards(folder: string | undefined): string[] {
  const names = folder?.split("/") ?? [];
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

/** The tags of these media in alphabetical order, as the oldest medium that has one spells it. */
export function countTags(media: readonly MediaRow[]): TagCount[] {
  const counts = new Map<string, TagCount>();
  for (const { tags = [] } of media.toSorted(byAge)) {
    for (const tag of tags) {
      const found = counts.get(tagForm(tag)) ?? { tag, media: 0 };
      counts.set(tagForm(tag), { ...found, media: found.media + 1 });
    }
  }
  return [...counts].sort(([a], [b]) => compareTexts(sortForm(a), sortForm(b)))
    .map(([, count]) => count);
}

function byAge(a: MediaRow, b: MediaRow): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
