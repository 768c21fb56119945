/**
 * The kinds of blocks that may stand in rich text: images, and what the site has defined. The page
 * carries a template for the fields of each.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { ownFields } from "../browser/document/control_values.ts";
import { all } from "../browser/elements.ts";
import { isObject } from "./from_portable.ts";
import type { JsonObject } from "./schema.ts";

/** A kind of block with fields that can be filled in. */
export interface BlockKind {
  /** The `_type` of such blocks. */
  name: string;
  label: string;
  template: HTMLTemplateElement;
  /** Whether it is the service's own image, not one that the site has defined. */
  isBuiltIn: boolean;
}

/** Kinds by name, in the order in which they are offered. */
export type BlockKinds = ReadonlyMap<string, BlockKind>;

/** Types that are parts of text itself. */
const TEXT_TYPES: ReadonlySet<string> = new Set(["block", "span"]);

/** The kinds that the page has templates for. */
export function kindsOfPage(): BlockKinds {
  const templates = all<HTMLTemplateElement>(document, "template[data-block-template]");
  const kinds = templates.map((template): [string, BlockKind] => {
    const { blockTemplate: name = "", label = name } = template.dataset;
    return [name, { name, label, template, isBuiltIn: template.dataset.builtIn !== undefined }];
  });
  return new Map(kinds.filter(([name]) => !TEXT_TYPES.has(name)));
}

/** The first medium that a block holds, or null. */
export function firstMedium({ template }: BlockKind, raw: JsonObject): string | null {
  const row = template.content.firstElementChild!;
  const names = ownFields(row).filter(({ dataset }) => dataset.type === "media")
    .map(({ dataset }) => dataset.name!);
  const ids = names.map((name) => raw[name]).filter((id) => typeof id === "string");
  return ids[0] ?? null;
}

/** The first words that a block holds, to know it by. */
export function firstWords({ template }: BlockKind, raw: JsonObject): string {
  const row = template.content.firstElementChild!;
  for (const { dataset: { name, type } } of ownFields(row)) {
    const value = raw[name!];
    if (typeof value === "string" && ["text", "url", "email", "select"].includes(type!)) {
      return value;
    }
    const parts = type === "rich_text" && Array.isArray(value) ? value : [];
    for (const part of parts.filter(isObject)) {
      const spans = Array.isArray(part.children) ? part.children.filter(isObject) : [];
      const words = spans.map(({ text }) => typeof text === "string" ? text : "").join("");
      if (words.trim() !== "") return words;
    }
  }
  return "";
}
