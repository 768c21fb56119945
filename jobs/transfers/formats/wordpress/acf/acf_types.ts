/**
 * What the fields of ACF become: the type of each as far as its definition tells it, kept as facts of the source.
 *
 * @module
 */
import {
  CHOICES_MAX,
  NESTED_FIELDS_MAX,
  REFERENCES_MAX,
} from "../../../../../kv/limits/content.ts";
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import type { PlanField } from "../../../../../kv/model/transfers/plan.ts";
import { fieldName, type FieldType } from "../../../mapping/infer_plan.ts";
import type { SourceBlock } from "../../../mapping/source_blocks.ts";
import { type AcfField, choicesOf, isMultiple, layoutsOf } from "./acf_definition.ts";

/** Kinds of rows by their names, or all that are posts, or terms. */
export type AcfTargets = string[] | "posts" | "terms";
/** The collections that kinds of rows become. */
export type SlugsOf = (targets: AcfTargets) => string[];

const TYPES: Readonly<Record<string, FieldType>> = {
  text: { type: "text" },
  textarea: { type: "text", options: { multiline: true } },
  number: { type: "number" },
  range: { type: "number" },
  email: { type: "email" },
  url: { type: "url" },
  oembed: { type: "url" },
  image: { type: "media" },
  file: { type: "media" },
  gallery: { type: "repeater", options: { fields: [{ name: "file", type: "media" }] } },
  wysiwyg: { type: "rich_text", convert: "gutenberg" },
  true_false: { type: "boolean" },
  date_picker: { type: "datetime" },
  date_time_picker: { type: "datetime" },
  time_picker: { type: "text" },
  color_picker: { type: "text" },
  icon_picker: { type: "text" },
  google_map: { type: "json" },
  link: {
    type: "group",
    options: {
      fields: [
        { name: "title", type: "text" },
        { name: "url", type: "text" },
        { name: "target", type: "text" },
      ],
    },
  },
};

/** Types that refer to rows of one kind. */
const TARGETS: ReadonlyMap<string, AcfTargets> = new Map([["user", ["authors"]]]);

const CHOICES: ReadonlySet<string> = new Set(["select", "checkbox", "radio", "button_group"]);

/** The type of the field that a field of ACF becomes; null for one that is not known. */
export function acfType(field: AcfField, slugsOf: SlugsOf, isNested = false): FieldType | null {
  const { type, fields } = field;
  if (CHOICES.has(type)) return choiceType(field);
  if (type === "repeater" || type === "group" || type === "clone") {
    if (fields.length === 0) return null;
    const nested = nestedFields(fields, slugsOf).map(({ to, type, options }) => ({
      name: to,
      type,
      options,
    }));
    return {
      type: type === "repeater" ? "repeater" : "group",
      options: { fields: nested as Json },
    };
  }
  if (type === "flexible_content") {
    return isNested ? { type: "json" } : { type: "block", options: {} };
  }
  const targets = targetsOf(field);
  if (targets !== undefined) return referenceType(slugsOf(targets), isMultiple(field));
  return TYPES[type] ?? null;
}

/** The fields inside of a field. */
function nestedFields(fields: readonly AcfField[], slugsOf: SlugsOf): PlanField[] {
  const names = new Set<string>();
  return fields.slice(0, NESTED_FIELDS_MAX).map((inner) => {
    const known = acfType(inner, slugsOf, true) ?? { type: "text" };
    const { name: from } = inner;
    return { options: {}, ...known, from, to: fieldName(from, names, true) };
  });
}

function choiceType(field: AcfField): FieldType {
  const choices = choicesOf(field);
  // Editors can be allowed to add choices of their own.
  const isOpen = Boolean(Number(field.settings.allow_custom ?? field.settings.other_choice ?? 0));
  if (isOpen || choices.length === 0 || choices.length > CHOICES_MAX) return { type: "text" };
  return { type: isMultiple(field) ? "multi_select" : "select", options: { choices } };
}

/** The kinds of rows that a field refers to; undefined if it refers to none. */
function targetsOf({ type, settings }: AcfField): AcfTargets | undefined {
  if (type === "taxonomy") {
    return typeof settings.taxonomy === "string" ? [settings.taxonomy] : "terms";
  }
  const fixed = TARGETS.get(type);
  if (fixed !== undefined || !/^(?:post_object|relationship|page_link)$/.test(type)) return fixed;
  const { post_type: types } = settings;
  const named = (Array.isArray(types) ? types : [types ?? ""]).map(String)
    .filter((one) => one !== "");
  return named.length === 0 ? "posts" : named;
}

function referenceType(slugs: string[], isMultiple: boolean): FieldType | null {
  const [only] = slugs;
  if (only === undefined) return { type: "json" };
  if (isMultiple) {
    return { type: "references", options: { collections: slugs, maxItems: REFERENCES_MAX } };
  }
  return { type: "reference", options: slugs.length === 1 ? { collection: only } : {} };
}

/** The blocks that the layouts of flexible content are. References in blocks name kinds of rows. */
export function layoutBlocks(fields: Iterable<AcfField>): SourceBlock[] {
  const blocks = new Map<string, SourceBlock>();
  const slugsOf: SlugsOf = (targets) => typeof targets === "string" ? [] : targets;
  for (const field of fields) {
    if (field.type !== "flexible_content") continue;
    for (const { name, label, fields } of layoutsOf(field)) {
      if (blocks.has(name)) continue;
      blocks.set(name, { source: name, label, fields: nestedFields(fields, slugsOf) });
    }
  }
  return [...blocks.values()];
}
