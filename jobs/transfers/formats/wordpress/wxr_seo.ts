/**
 * What plugins for search engines keep with an item of WXR: Yoast SEO and Rank Math.
 *
 * @module
 */
import type { JsonObject } from "../../../../kv/model/values/json_object.ts";
import { phpValue } from "../../text/php_value.ts";

/** Texts, and the names that they get. */
const TEXTS: Readonly<Record<string, string>> = {
  _yoast_wpseo_title: "title",
  _yoast_wpseo_metadesc: "description",
  _yoast_wpseo_canonical: "canonical",
  "_yoast_wpseo_opengraph-title": "ogTitle",
  "_yoast_wpseo_opengraph-description": "ogDescription",
  rank_math_title: "title",
  rank_math_description: "description",
  rank_math_canonical_url: "canonical",
};

const YOAST_NOINDEX = "_yoast_wpseo_meta-robots-noindex";
const RANK_MATH_ROBOTS = "rank_math_robots";

/** A variable of a template: `%%title%%` with Yoast, `%title%` with Rank Math. */
const VARIABLE = /%%([a-z_]+)%%|%([a-z_]+)%/g;

/** Variables that have no words here: a title is one without the name of the site. */
const NOT_PART = ["page", "sitename", "sitedesc"];

/** Whether a field of an item belongs to such a plugin, and is not one that people added. */
export function isSeoField(key: string): boolean {
  return Object.hasOwn(TEXTS, key) || key === RANK_MATH_ROBOTS;
}

/** The texts of an item for search engines; `title` and `link` are its own. */
export function seoOf(
  meta: ReadonlyMap<string, string>,
  { title, link }: { title: string; link: string },
): JsonObject {
  const seo: JsonObject = {};
  for (const [key, name] of Object.entries(TEXTS)) {
    const value = withoutVariables(meta.get(key)?.trim() ?? "", title);
    // A page that repeats itself stands at another address here.
    const isOwn = name === "canonical" && value === link;
    if (value !== "" && !isOwn && seo[name] === undefined) seo[name] = value;
  }
  if (isHidden(meta)) seo.noindex = true;
  return seo;
}

/** A text with its title in it. Separators at the ends go, and a text with an unknown variable is none. */
function withoutVariables(text: string, title: string): string {
  if (!text.includes("%")) return text;
  const known = new Map<string, string>([
    ["title", title],
    ["sep", "–"],
    ...NOT_PART.map((name) => [name, ""] as const),
  ]);
  let isKnown = true;
  const filled = text.replaceAll(VARIABLE, (_, yoast?: string, rankMath?: string) => {
    const value = known.get(yoast ?? rankMath ?? "");
    isKnown &&= value !== undefined;
    return value ?? "";
  });
  if (filled === text) return text;
  return isKnown ? filled.replace(/\s+/g, " ").replace(/^[\s–|-]+|[\s–|-]+$/g, "") : "";
}

function isHidden(meta: ReadonlyMap<string, string>): boolean {
  const robots = phpValue(meta.get(RANK_MATH_ROBOTS) ?? "") ?? null;
  const words = robots !== null && typeof robots === "object" ? Object.values(robots) : [];
  return meta.get(YOAST_NOINDEX)?.trim() === "1" || words.includes("noindex");
}
