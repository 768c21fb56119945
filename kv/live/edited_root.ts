/**
 * The roots of edits: `title`, `slug`, `blocks` and storage keys of fields; in a translation, after its language:
 * `fr/title`. Neither languages nor storage keys contain a slash.
 *
 * @module
 */
import type { DocumentState } from "../model/entities/document.ts";
import type { Json } from "../model/entities/entity.ts";
import { isFramingRoot } from "../model/entities/working_copy.ts";
import {
  type Translation,
  translationOf,
  withTranslation,
} from "../model/languages/translation.ts";
import { ownValue } from "../model/primitives/own_value.ts";

/** A root, taken apart. */
interface RootParts {
  /** Absent for the original. */
  language?: string;
  name: string;
}

/** The root of a value in a language; without one, in the original. */
export function rootIn(language: string | undefined, name: string): string {
  return language === undefined ? name : `${language}/${name}`;
}

/** The language and the name of a root. */
export function partsOfRoot(root: string): RootParts {
  const at = root.indexOf("/");
  return at < 0 ? { name: root } : { language: root.slice(0, at), name: root.slice(at + 1) };
}

/** Whether the document has a translation; it always has its original, which is `undefined`. */
export function hasLanguage(state: DocumentState, language: string | undefined): boolean {
  return language === undefined || translationOf(state, language) !== undefined;
}

/** Whether the document has the language of a root. */
export function hasLanguageOf(state: DocumentState, root: string): boolean {
  return hasLanguage(state, partsOfRoot(root).language);
}

/** The value of a root; undefined if absent. */
export function rootValue(state: DocumentState, root: string): Json | undefined {
  const { language, name } = partsOfRoot(root);
  const side = language === undefined ? state : translationOf(state, language);
  if (side === undefined) return undefined;
  return isFramingRoot(name) ? side[name] : ownValue(side.data, name);
}

/** A state with another value for a root; the same state if it does not have the language. */
export function withRoot(state: DocumentState, root: string, value: Json): DocumentState {
  const { language, name } = partsOfRoot(root);
  if (language === undefined) return withOwn(state, name, value);
  const translation = translationOf(state, language);
  if (translation === undefined) return state;
  return withTranslation(state, language, withOwnOf(translation, name, value));
}

/** A translation without blocks of its own has no entry for them. */
function withOwnOf(translation: Translation, name: string, value: Json): Translation {
  if (name !== "blocks" || value !== null) return withOwn(translation, name, value);
  const { blocks: _own, ...rest } = translation;
  return rest;
}

function withOwn<T extends { data: DocumentState["data"] }>(side: T, name: string, value: Json): T {
  if (isFramingRoot(name)) return { ...side, [name]: value };
  const { [name]: _before, ...others } = side.data;
  return { ...side, data: value === null ? others : { ...others, [name]: value } };
}
