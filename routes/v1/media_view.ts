/**
 * A medium as the headless API shows it.
 *
 * @module
 */
import {
  altIn,
  altLanguage,
  type Focus,
  type MediaState,
  mediaUrl,
} from "../../kv/model/entities/media.ts";

/** A medium on the wire. */
export type HeadlessMedium = {
  id: string;
  filename: string;
  mime: string;
  bytes: number;
  width: number;
  height: number;
  alt: string;
  /** Alternative texts by language. Only present if there are any. */
  alts?: { [code: string]: string };
  /** Null: the middle. */
  focus: Focus | null;
  /** Path of its bytes; `?w=…` and the like ask for other sizes. */
  url: string;
  createdAt: number;
  updatedAt: number;
  /** Only present if its address has to be signed. */
  private?: true;
};

/** What the answer to a request in a language has besides. */
export type AltLanguageKeys = {
  _language?: string;
  /** Only present if `alt` comes from another language. */
  _fallback?: { alt: string };
};

/** The languages in which a request reads alternative texts. */
export interface AltLanguages {
  /** The language of the request, and those that stand in for it. */
  codes: readonly string[];
  /** The language of `alt`. */
  original: string;
}

/** Keys that are ignored in a body, so that a client can send back an asset as it received it. */
export const MEDIUM_READ_ONLY: readonly (keyof HeadlessMedium)[] = [
  "id",
  "mime",
  "bytes",
  "width",
  "height",
  "url",
  "createdAt",
  "updatedAt",
];

/** A medium as the headless API shows it, with the alternative text of a language if the request names one. */
export function headlessMedium(
  medium: Omit<MediaState, "object">,
  languages: AltLanguages | null = null,
): HeadlessMedium & AltLanguageKeys {
  const { id, filename, mime, bytes, width, height, alts, focus = null } = medium;
  const alt = altIn(medium, languages?.codes ?? []);
  const { createdAt, updatedAt } = medium;
  const url = mediaUrl(medium);
  return {
    ...{ id, filename, mime, bytes, width, height, alt },
    ...(alts !== undefined && { alts }),
    ...{ focus, url, createdAt, updatedAt },
    ...(medium.private && { private: true }),
    ...(languages !== null && languageKeys(medium, languages)),
  };
}

function languageKeys(
  medium: Omit<MediaState, "object">,
  { codes, original }: AltLanguages,
): AltLanguageKeys {
  const [code = original] = codes;
  const source = altLanguage(medium, codes) ?? original;
  return { _language: code, ...(source !== code && { _fallback: { alt: source } }) };
}
