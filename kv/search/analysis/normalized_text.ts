/**
 * The search form with every character at its offset in the text, for finding words in a text that is to be shown.
 *
 * @module
 */
import { searchForm } from "../query/search_form.ts";

const UNITS = 0x10000;
/** Code units that are put together at once. */
const PIECE = 8_192;

/** Makes aligned forms; remembers what each character becomes. */
export class NormalizedText {
  /** By code unit what it becomes; 0 for not known. */
  readonly #formOf = new Uint16Array(UNITS);

  /** The text in lower case and without diacritics; what would become longer or shorter stays. */
  of(text: string): string {
    let form = "";
    const units = new Uint16Array(Math.min(text.length, PIECE));
    for (let from = 0; from < text.length; from += PIECE) {
      const count = Math.min(PIECE, text.length - from);
      for (let at = 0; at < count; at++) {
        const unit = text.charCodeAt(from + at);
        units[at] = this.#formOf[unit]! || this.#learn(unit);
      }
      form += Reflect.apply(String.fromCharCode, null, units.subarray(0, count));
    }
    return form;
  }

  #learn(unit: number): number {
    const character = String.fromCharCode(unit);
    // Half of a surrogate pair is nothing that has another form.
    const forms = (unit & 0xf800) === 0xd800
      ? [character]
      : [searchForm(character), character.toLowerCase(), character];
    return this.#formOf[unit] = forms.find(({ length }) => length === 1)!.charCodeAt(0);
  }
}
