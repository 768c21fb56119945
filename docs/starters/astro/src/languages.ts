/** The languages of the site: `CMS_LANGUAGES=en,fr`. The first has no prefix; without any there is one language. */
export const LANGUAGES = (process.env.CMS_LANGUAGES ?? "").split(",")
  .map((code) => code.trim()).filter((code) => code !== "");

/** The public address of the site, for links between its languages: behind a proxy, Astro does not know it. */
export const SITE = process.env.SITE_URL;

/** A document in one of its languages, as `_languages` names it. */
export interface Edition {
  slug: string;
  title: string;
}

/** A page in one of the languages, for menus; `isSame` where it is the same page and not the language's home. */
export interface LanguageLink {
  code: string;
  name: string;
  path: string;
  isSame: boolean;
}

/** The language of a path's prefix: undefined on a site in one language, null if there is no such language. */
export function languageOf(prefix: string | undefined): string | undefined | null {
  if (prefix === undefined) return LANGUAGES[0];
  return LANGUAGES.slice(1).find((code) => code.toLowerCase() === prefix) ?? null;
}

/** What the paths of a language begin with. */
export function prefixOf(language: string | undefined): string {
  return LANGUAGES.indexOf(language ?? "") > 0 ? `/${language?.toLowerCase()}` : "";
}

/** The same page in every language, as the path behind the prefix. */
export function pageIn(path: string): LanguageLink[] {
  return LANGUAGES.map((code) => ({
    code,
    name: nameOf(code),
    path: prefixOf(code) + path || "/",
    isSame: true,
  }));
}

/** A document in every language; one that it is not translated into leads to its home page. */
export function documentIn(editions: Record<string, Edition> = {}): LanguageLink[] {
  return LANGUAGES.map((code) => {
    const edition = editions[code];
    const path = edition === undefined ? "" : `/posts/${encodeURIComponent(edition.slug)}`;
    const isSame = edition !== undefined;
    return { code, name: nameOf(code), path: prefixOf(code) + path || "/", isSame };
  });
}

/** The name of a language in itself. */
export function nameOf(code: string): string {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

const RIGHT_TO_LEFT = new Set(["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm"]);

/** The direction of a language's script. */
export function directionOf(code: string): "ltr" | "rtl" {
  const { script } = new Intl.Locale(code).maximize();
  return RIGHT_TO_LEFT.has(script ?? "") ? "rtl" : "ltr";
}
