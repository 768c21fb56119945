/**
 * Where a Markdown file belongs: its collection, slug, date, language, and the addresses that it had.
 *
 * @module
 */
import { labelOf } from "../../../../kv/model/transfers/plan_check.ts";
import { slugify } from "../../../../kv/model/values/slug.ts";

/** Folders that hold content and are not part of its name. */
const ROOTS = /^(?:src\/content\/|content\/|src\/pages\/|src\/posts\/|source\/|docs\/|src\/)/;
/** A language in front of the extension. */
const LANGUAGE = /\.([a-z]{2}(?:-[a-zA-Z]{2,4})?)\.(?:md|mdx|markdown|mdown)$/;
/** The folder in which Docusaurus has the texts of a language. */
const TRANSLATED =
  /^i18n\/([a-z]{2}(?:-[A-Za-z]{2,4})?)\/docusaurus-plugin-content-(docs|blog|pages)[^/]*\/(?:current\/)?(.+)$/;
/** Words that need no capital to be a title, such as `hello-world`. */
const PLAIN_NAME = /^[a-z0-9_-]+$/;

/** Where a file belongs. */
export interface Place {
  source: string;
  slug: string;
  /** The title of a file that has none of its own. */
  title: string;
  date: string | null;
  isDraft: boolean;
  language: string | null;
  /** What a file and its translations have in common. */
  key: string;
  /** The addresses that generators of sites give it. */
  addresses: string[];
}

/** The place of a file by its path. */
export function placeOf(given: string): Place {
  const [, folderLanguage, part, inside = ""] = TRANSLATED.exec(given) ?? [];
  const path = part === undefined ? given : `${part === "pages" ? "src/pages" : part}/${inside}`;
  const language = folderLanguage ?? LANGUAGE.exec(path)?.[1] ?? null;
  const key = path.replace(LANGUAGE, ".md").replace(/\.\w+$/, "");
  const [root = ""] = ROOTS.exec(path) ?? [];
  const folders = key.slice(root.length).split("/");
  const name = folders.pop() ?? "page";
  const isIndex = name === "index" || name === "_index" || /^readme$/i.test(name);
  const own = isIndex ? folders.pop() ?? "home" : name;
  const [folder = "pages"] = folders.map((one) => one.replace(/^_/, ""));
  const [, date = null, dated = own] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(own) ?? [];
  const source = folder === "drafts" ? "posts" : folder;
  const slug = slugify(dated);
  return {
    source,
    slug,
    title: PLAIN_NAME.test(dated) ? labelOf(dated) : dated,
    date,
    isDraft: path.includes("_drafts/"),
    language,
    key,
    addresses: addressesOf({ root, folders, slug, source, isHome: own === "home" && isIndex }),
  };
}

function addressesOf(
  { root, folders, slug, source, isHome }: {
    root: string;
    folders: readonly string[];
    slug: string;
    source: string;
    isHome: boolean;
  },
): string[] {
  const named = `/${slugify(source)}/${slug}/`;
  // Jekyll's folders are not part of addresses, and the home page has that of the site.
  if (isHome || folders.some((one) => one.startsWith("_"))) return [named];
  const nested = `/${[...folders, slug].join("/")}/`;
  return [...new Set([named, nested, ...(root === "docs/" ? [`/docs${nested}`] : [])])];
}

/** The folder that everything is in. */
export function commonRoot(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.split("/")[0] ?? "";
  const isContent = /^(?:content|_posts|docs|src|posts)$/.test(top);
  const isCommon = first.includes("/") && !isContent &&
    paths.every((path) => path.startsWith(`${top}/`));
  return isCommon ? `${top}/` : "";
}

/** The addresses that Jekyll gives a post with a date. */
export function jekyllAddresses(
  { date, slug }: Pick<Place, "date" | "slug">,
  categories: readonly string[],
): string[] {
  if (date === null) return [];
  const path = `/${date.replaceAll("-", "/")}/${slug}`;
  const within = categories.map((one) => `/${slugify(one)}`).join("");
  return [...new Set([path, within + path])].flatMap((one) => [`${one}.html`, `${one}/`]);
}
