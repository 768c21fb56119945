/**
 * The words under a picture in the text of a form, drawn by the server and again by the editor.
 *
 * @module
 */
import { OBJECT_WORDS_CHARS_MAX } from "../../input/limits.ts";

/** Its alternative text there; else that of the medium, which is null when it is gone. */
export function pictureWords(
  alt: unknown,
  medium: { alt: string; filename: string } | null,
): string {
  if (medium === null) return "This image was deleted";
  const own = typeof alt === "string" ? alt : "";
  return cutWords(own || medium.alt || `${medium.filename}, missing alt text`);
}

/** The words that a block is known by, as long as there is room for them. */
export function cutWords(words: string): string {
  return words.length > OBJECT_WORDS_CHARS_MAX
    ? `${words.slice(0, OBJECT_WORDS_CHARS_MAX)}…`
    : words;
}
