/**
 * `languages` of the versions of a document, and `language`, which narrows lists of them.
 *
 * @module
 */
import type { SiteLanguages } from "../../kv/model/languages/language.ts";
import type { VersionHead } from "../../kv/versioning/versions.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Parameters } from "./parameters.ts";

/** The language that a list of versions is narrowed to; null for all. */
export function parseVersionLanguage(
  parameters: Parameters,
  languages: SiteLanguages | undefined,
): string | null {
  if (languages === undefined) return null;
  const code = parameters.single("language");
  if (code === undefined) return null;
  if (languages.byCode.has(code)) return code;
  const known = languages.all.map(({ code }) => code).join(", ");
  throw new Refusal("LANGUAGE_INVALID", { about: `${code.slice(0, 35)} is not one of ${known}` });
}

/** The languages that a version changed; `original` is that of the document. */
export function languagesOfVersion(
  { languages = [""] }: Pick<VersionHead, "languages">,
  original: string,
): string[] {
  return languages.map((code) => code === "" ? original : code);
}
