/**
 * The check of the parts of a plan that map one thing to another: authors, languages, blocks and settings.
 *
 * @module
 */
import type { Detail } from "../../refusals.ts";
import type { Schema } from "../entities/collection.ts";
import { findSetting } from "../entities/setting.ts";
import { BLOCK_NAME } from "../fields/types/block.ts";
import { below, zodDetails } from "../input/zod_details.ts";
import { isUlid } from "../values/ulid.ts";
import type { Plan, PlanSetting } from "./plan.ts";

/** Settings whose value is an asset: a plan has its address in the source. */
const ASSETS: ReadonlySet<string> = new Set(["site.logo", "site.icon", "site.image"]);

/** Everything that is wrong with the mappings of a plan; `targets` are the slugs of its collections. */
export function mappingDetails(
  plan: Plan,
  schema: Schema,
  targets: ReadonlySet<string>,
): Detail[] {
  return [
    ...authorDetails(plan, schema, targets),
    ...languageDetails(plan, schema),
    ...blockDetails(plan),
    ...allowedDetails(plan, schema),
    ...plan.settings.flatMap((setting, index) =>
      settingDetails(setting, plan.settings.slice(0, index)).map((detail) =>
        below(`plan.settings.${index}`, detail)
      )
    ),
  ];
}

function authorDetails(
  { authors: { collection, mapping } }: Plan,
  { bySlug }: Schema,
  targets: ReadonlySet<string>,
): Detail[] {
  const details: Detail[] = [];
  if (collection !== null && !bySlug.has(collection) && !targets.has(collection)) {
    const message = "Neither the site nor the plan has this collection";
    details.push({ field: "plan.authors.collection", code: "INVALID_CHOICE", message });
  }
  for (const [author, target] of Object.entries(mapping)) {
    if (target === null || isUlid(target)) continue;
    const message = "Must be the ID of a document or a user, or null";
    details.push({ field: `plan.authors.mapping.${author}`, code: "INVALID_TYPE", message });
  }
  return details;
}

function languageDetails({ languages }: Plan, { languages: own }: Schema): Detail[] {
  return Object.entries(languages).flatMap(([language, code]): Detail[] => {
    if (code === null || own?.byCode.has(code)) return [];
    const message = "The site does not have this language";
    return [{ field: `plan.languages.${language}`, code: "INVALID_CHOICE", message }];
  });
}

function blockDetails({ blocks }: Plan): Detail[] {
  return blocks.flatMap(({ source, target }, index): Detail[] => {
    const field = `plan.blocks.${index}`;
    if (!BLOCK_NAME.test(target)) {
      const message = "Must be the name of a block, json or drop";
      return [{ field: `${field}.target`, code: "PATTERN_MISMATCH", message }];
    }
    const isTwice = blocks.findIndex((one) => one.source === source) < index;
    if (!isTwice) return [];
    return [{ field: `${field}.source`, code: "NOT_UNIQUE", message: "Is listed twice" }];
  });
}

/** Fields that allow blocks which neither the site has nor the plan makes. */
function allowedDetails({ collections, blocks }: Plan, schema: Schema): Detail[] {
  const known = new Set([...schema.blocks.keys(), ...blocks.map(({ target }) => target)]);
  return collections.flatMap(({ fields, mode }, index) =>
    fields.flatMap(({ type, options }, position): Detail[] => {
      const allowed = Array.isArray(options.allowed) ? options.allowed.map(String) : [];
      const isKnown = type !== "block" || allowed.every((name) => known.has(name));
      if (mode === "skip" || isKnown) return [];
      const field = `plan.collections.${index}.fields.${position}.options.allowed`;
      const message = "Neither the site nor the plan has one of these blocks";
      return [{ field, code: "INVALID_CHOICE", message }];
    })
  );
}

function settingDetails(
  { key, value, apply }: PlanSetting,
  before: readonly PlanSetting[],
): Detail[] {
  if (apply && before.some((one) => one.key === key && one.apply)) {
    const message = "Only one value of a setting can be applied";
    return [{ field: "apply", code: "NOT_UNIQUE", message }];
  }
  if (ASSETS.has(key)) {
    if (typeof value === "string" && value !== "") return [];
    return [{ field: "value", code: "INVALID_TYPE", message: "Must be an address" }];
  }
  const result = findSetting(key)?.schema.safeParse(value);
  return result?.error === undefined ? [] : zodDetails(result.error, "value", value);
}

/** Whether the value of a setting is an asset. */
export function isAssetSetting(key: string): boolean {
  return ASSETS.has(key);
}

/** Whether a value can be offered for a setting. */
export function isOffer(setting: PlanSetting): boolean {
  return settingDetails(setting, []).length === 0;
}
