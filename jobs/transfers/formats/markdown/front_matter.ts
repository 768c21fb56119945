/**
 * The front matter of a Markdown file: YAML, TOML or JSON.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../../kv/model/values/json_object.ts";
import { parseJson } from "../../reading/json_text.ts";

/** Aliases that the YAML of a file may repeat. */
const ALIASES = 100;

/** Front matter between two lines that say what it is written in. */
const FENCED =
  /^(---|\+\+\+|;;;)[ \t]*(json|yaml|toml)?[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?\1[ \t]*(?:\r?\n|$)([\s\S]*)$/;

/** The front matter of a text, and what is below it. */
export interface FrontMatter {
  front: JsonObject;
  body: string;
}

/** Splits a text; throws if its front matter cannot be read. */
export async function splitFrontMatter(text: string): Promise<FrontMatter> {
  const [, fence, named, given = "", body = ""] = FENCED.exec(text) ?? [];
  if (fence === undefined) return bareJson(text);
  const language = named ?? (fence === "---" ? "yaml" : fence === "+++" ? "toml" : "json");
  const value = language === "yaml"
    ? (await import("yaml")).parse(given, { maxAliasCount: ALIASES, logLevel: "error" })
    : language === "toml"
    ? (await import("smol-toml")).parse(given)
    : JSON.parse(given);
  // Dates and other objects of the parsers become texts.
  const front = JSON.parse(JSON.stringify(value ?? {})) as Json;
  return { front: isJsonObject(front) ? front : {}, body };
}

/** Hugo writes JSON without fences: the object that a text begins with. */
function bareJson(text: string): FrontMatter {
  const nothing = { front: {}, body: text };
  if (!/^\{\s*["}]/.test(text)) return nothing;
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[{}]/g)) {
    if (mark === "{") depth += 1;
    if (mark === "}") depth -= 1;
    if (depth > 0) continue;
    const front = parseJson(text.slice(0, index + 1));
    return isJsonObject(front) ? { front, body: text.slice(index + 1) } : nothing;
  }
  return nothing;
}
