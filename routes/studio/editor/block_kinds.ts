/**
 * The block types of rich text: images and the types that the site defines. The page contains a form template
 * for each.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { CONTROL_FACETS } from "../browser/document/control_facets.ts";
import { controlType, ownFields } from "../browser/document/control_values.ts";
import { all, dataOf } from "../browser/page/elements.ts";
import type { JsonObject } from "./schema.ts";

/** A kind of block with fields that can be filled in. */
export interface BlockKind {
  /** The `_type` of such blocks. */
  name: string;
  label: string;
  template: HTMLTemplateElement;
  /** Whether it is the service's own image, not one that the site has defined. */
  isBuiltIn: boolean;
  /** Whether the user may upload files for such a block. */
  isFetched: boolean;
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
    const isBuiltIn = template.dataset.builtIn !== undefined;
    const isFetched = template.dataset.mayUpload !== undefined;
    return [name, { name, label, template, isBuiltIn, isFetched }];
  });
  return new Map(kinds.filter(([name]) => !TEXT_TYPES.has(name)));
}

/** The first medium that a block holds, or null. */
export function firstMedium({ template }: BlockKind, raw: JsonObject): string | null {
  const row = template.content.firstElementChild!;
  const names = ownFields(row).filter((field) => previewOf(field) === "medium")
    .map((field) => dataOf(field, "name"));
  const ids = names.map((name) => raw[name]).filter((id) => typeof id === "string");
  return ids[0] ?? null;
}

/** The first words that a block holds, to know it by. */
export function firstWords({ template }: BlockKind, raw: JsonObject): string {
  const row = template.content.firstElementChild!;
  for (const field of ownFields(row)) {
    const value = raw[dataOf(field, "name")];
    if (typeof value === "string" && previewOf(field) === "words") return value;
    const isRich = previewOf(field) === "rich words";
    const parts = isRich && Array.isArray(value) ? value : [];
    for (const part of parts.filter(isJsonObject)) {
      const spans = Array.isArray(part.children) ? part.children.filter(isJsonObject) : [];
      const words = spans.map(({ text }) => typeof text === "string" ? text : "").join("");
      if (words.trim() !== "") return words;
    }
  }
  return "";
}

function previewOf(field: HTMLElement) {
  return CONTROL_FACETS[controlType(field)].preview;
}
