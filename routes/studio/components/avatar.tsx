/**
 * People as a circle with their initials.
 *
 * @module
 */

/** How many colors there are. */
const TONES = 6;

/** A user. The color derives from the id, so that it is the same everywhere. */
export function Avatar(
  { id, name, size }: { id: string; name: string; size?: "small" | "large" },
) {
  const class_ = size === undefined ? "avatar" : `avatar ${size}`;
  return <span class={class_} data-tone={toneOf(id)} aria-hidden="true">{initials(name)}</span>;
}

/** At most two letters of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word = "") => [...word][0]);
  return letters.join("").toUpperCase();
}

function toneOf(id: string): number {
  return [...id].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997, 7) %
    TONES;
}
