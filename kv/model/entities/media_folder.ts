/**
 * Folders and tags of media. A folder is nothing but the path that its media name: it is there as long as
 * something is in it, and is versioned, exported and restored with what is in it.
 *
 * @module
 */
import { z } from "zod";
import {
  FOLDER_CHARS_MAX,
  FOLDER_LEVELS_MAX,
  TAG_CHARS_MAX,
  TAGS_MAX,
} from "../../limits/media.ts";

/** Characters that folder names and tags may not contain. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const one = (text: string) => text.normalize("NFC").replace(/\s+/gu, " ").trim();
const characters = (text: string) => [...text].length;
const legible = (text: string) => text.isWellFormed() && !INVISIBLE.test(text);
const ILLEGIBLE = {
  message: "Must not contain control characters",
  params: { code: "PATTERN_MISMATCH" },
};
const tooLong = (charsMax: number) => ({
  message: `Must be at most ${charsMax} characters`,
  params: { code: "TOO_LONG" },
});

/** The names of a path, outermost first, without the empty ones. */
function namesOf(path: string): string[] {
  return path.split("/").map(one).filter((name) => name !== "");
}

/** A path as it is kept: `Press/2026`; empty for no folder at all. */
export const MediaFolder = z.string()
  .refine(legible, ILLEGIBLE)
  .transform((path) => namesOf(path).join("/"))
  .refine((path) => characters(path) <= FOLDER_CHARS_MAX, tooLong(FOLDER_CHARS_MAX))
  .refine((path) => namesOf(path).length <= FOLDER_LEVELS_MAX, {
    message: `Must be at most ${FOLDER_LEVELS_MAX} levels deep`,
    params: { code: "TOO_LONG" },
  })
  .refine((path) => !namesOf(path).some((name) => name === "." || name === ".."), {
    message: "Folder names must not be . or ..",
    params: { code: "PATTERN_MISMATCH" },
  });

const MediaTag = z.string()
  .refine(legible, ILLEGIBLE)
  .transform(one)
  .refine((tag) => tag !== "", { message: "Must not be empty", params: { code: "TOO_SHORT" } })
  .refine((tag) => characters(tag) <= TAG_CHARS_MAX, tooLong(TAG_CHARS_MAX));

/** Tags as they are kept: each once, whatever its case. */
export const MediaTags = z.array(MediaTag).max(TAGS_MAX).transform(distinctTags);

/** Two spellings of a tag are one tag. */
export function tagForm(tag: string): string {
  return tag.toLowerCase();
}

/** Tags without those that stand there before in another case. */
export function distinctTags(tags: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const tag of tags) if (!seen.has(tagForm(tag))) seen.set(tagForm(tag), tag);
  return [...seen.values()];
}

/** Whether a folder is another one, or lies in it. */
export function isWithin(folder: string | undefined, outer: string): boolean {
  return folder === outer || (folder?.startsWith(`${outer}/`) ?? false);
}
