/**
 * Folding that leaves every character in its place, for finding words in a text that is to be shown.
 *
 * @module
 */
import { fold } from "./text_folding.ts";

const UNITS = 0x10000;
/** Code units that are put together at once. */
const PIECE = 8_192;

/** Folds texts; remembers what each character becomes. */
export class PlaceFolding {
  /** By code unit what it becomes; 0 for not known. */
  readonly #folded = new Uint16Array(UNITS);

  /** The text in lower case and without diacritics; what would become longer or shorter stays. */
  fold(text: string): string {
    let folded = "";
    const units = new Uint16Array(Math.min(text.length, PIECE));
    for (let from = 0; from < text.length; from += PIECE) {
      const count = Math.min(PIECE, text.length - from);
      for (let at = 0; at < count; at++) {
        const unit = text.charCodeAt(from + at);
        units[at] = this.#folded[unit]! || this.#learn(unit);
      }
      folded += String.fromCharCode.apply(null, units.subarray(0, count) as unknown as number[]);
    }
    return folded;
  }

  #learn(unit: number): number {
    const character = String.fromCharCode(unit);
    // Half of a surrogate pair is nothing that could be folded.
    const forms = (unit & 0xf800) === 0xd800
      ? [character]
      : [fold(character), character.toLowerCase(), character];
    return this.#folded[unit] = forms.find(({ length }) => length === 1)!.charCodeAt(0);
  }
}
