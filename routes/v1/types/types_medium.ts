/**
 * The type of media in the types module.
 *
 * @module
 */
import type { HeadlessMedium } from "../media_view.ts";
import { MEDIUM_PROPERTIES } from "../openapi/media_paths.ts";

/** The TypeScript types of an asset's properties. */
const MEDIUM_TYPES: { readonly [key in keyof HeadlessMedium]: string } = {
  id: "string",
  filename: "string",
  mime: "string",
  bytes: "number",
  width: "number",
  height: "number",
  alt: "string",
  alts: "{ [language: string]: string }",
  focus: "{ x: number; y: number } | null",
  url: "string",
  createdAt: "number",
  updatedAt: "number",
  private: "true",
};

const OPTIONAL: ReadonlySet<string> = new Set(["alts", "private"]);

/** Members with a comment. */
const NOTES: ReadonlyMap<string, string> = new Map(
  (["focus", "url"] as const).map((name) => [
    name,
    `  /** ${MEDIUM_PROPERTIES[name].description} */\n`,
  ]),
);

/** The members of the type of an asset. */
export function mediumMembers(): string {
  return Object.entries(MEDIUM_TYPES).map(([name, type]) =>
    `${NOTES.get(name) ?? ""}  ${name}${OPTIONAL.has(name) ? "?" : ""}: ${type};`
  ).join("\n");
}
