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

/** The members of the type of an asset. */
export function mediumMembers(): string {
  const members = Object.entries(MEDIUM_TYPES).map(([name, type]) =>
    `  ${name}${name === "private" || name === "alts" ? "?" : ""}: ${type};`
  );
  for (const name of ["focus", "url"] as const) {
    const at = members.findIndex((member) => member.startsWith(`  ${name}:`));
    members.splice(at, 0, `  /** ${MEDIUM_PROPERTIES[name].description} */`);
  }
  return members.join("\n");
}
