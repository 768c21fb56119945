/**
 * The settings that a package declares, and values for them.
 *
 * @module
 */
import { z } from "zod";
import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from "../../limits/content.ts";
import { SETTING_CHARS_MAX, SETTING_CHOICES_MAX } from "../../limits/packages.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import { ownValue } from "../primitives/own_value.ts";
import type { Json } from "./entity.ts";
import { zodDetails } from "../input/zod_details.ts";

const Choice = z.union([z.string().max(NAME_CHARS_MAX), z.number()]);

/** A declared setting; what else it says of itself is left out. */
export const SettingDefinition = z.object({
  type: z.enum(["text", "string", "url", "email", "number", "integer", "boolean", "select"])
    .default("text"),
  label: z.string().max(NAME_CHARS_MAX).default(""),
  help: z.string().max(DESCRIPTION_CHARS_MAX).default(""),
  secret: z.boolean().default(false),
  required: z.boolean().default(false),
  choices: z.array(Choice).max(SETTING_CHOICES_MAX).default([]),
  default: z.union([z.string().max(SETTING_CHARS_MAX), z.number(), z.boolean(), z.null()])
    .default(null),
});
export type SettingDefinition = z.infer<typeof SettingDefinition>;

/** Declared settings by key. */
export type SettingDefinitions = Record<string, SettingDefinition>;

/** Keys of settings. */
export const SETTING_KEY = /^[a-zA-Z][a-zA-Z0-9_.-]{0,63}$/;

/** Whether a setting's value never leaves the service. */
export function isSecret(key: string, { secret }: SettingDefinition): boolean {
  return secret || key.startsWith("secret.");
}

function schemaOf({ type, choices }: SettingDefinition): z.ZodType<Json> {
  switch (type) {
    case "number":
      return z.number();
    case "integer":
      return z.int();
    case "boolean":
      return z.boolean();
    case "select":
      return z.union([z.string(), z.number()]).refine((value) => choices.includes(value), {
        message: `Must be one of ${choices.join(", ").slice(0, 500)}`,
        params: { code: "INVALID_CHOICE" },
      });
    case "url":
      return z.url({ protocol: /^https?$/ }).max(SETTING_CHARS_MAX);
    case "email":
      return z.email().max(SETTING_CHARS_MAX);
    case "text":
    case "string":
      return z.string().max(SETTING_CHARS_MAX);
  }
}

/** Values of settings, secret ones apart. */
export interface SettingValues {
  values: Record<string, Json>;
  secrets: Record<string, Json>;
}

/**
 * Reads a body with values for all settings. One that is left out gets its default; a secret one stays
 * as it is, also when it is `true`, which is what reading it answers; `null` clears it.
 */
export function parseSettingValues(
  definitions: SettingDefinitions,
  body: Record<string, Json>,
  kept: Record<string, Json>,
): SettingValues {
  const details: Detail[] = [];
  const parsed: SettingValues = { values: {}, secrets: {} };
  for (const key of Object.keys(body)) {
    if (Object.hasOwn(definitions, key)) continue;
    details.push({ field: key, code: "UNKNOWN_KEY", message: "Unknown setting" });
  }
  for (const [key, definition] of Object.entries(definitions)) {
    const given = ownValue(body, key);
    const secret = isSecret(key, definition);
    const stays = secret && (given === undefined || (given === true && Object.hasOwn(kept, key)));
    const target = secret ? parsed.secrets : parsed.values;
    const value = stays ? kept[key] ?? null : given ?? null;
    if (value === null) {
      if (definition.required && definition.default === null) {
        details.push({ field: key, code: "REQUIRED", message: "Required" });
      }
      continue;
    }
    const result = schemaOf(definition).safeParse(value);
    if (result.success) target[key] = result.data;
    else details.push(...zodDetails(result.error, key, value));
  }
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return parsed;
}

/** The values as they are shown: of the secret ones only whether they are set. */
export function shownValues(
  definitions: SettingDefinitions,
  { values, secrets }: SettingValues,
): Record<string, Json> {
  const shown: Record<string, Json> = {};
  for (const [key, definition] of Object.entries(definitions)) {
    shown[key] = isSecret(key, definition)
      ? Object.hasOwn(secrets, key)
      : values[key] ?? definition.default;
  }
  return shown;
}

/** The values as the plugin itself sees them. */
export function ownValues(
  definitions: SettingDefinitions,
  { values, secrets }: SettingValues,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(definitions).map(([key, definition]) => [
      key,
      values[key] ?? secrets[key] ?? definition.default,
    ]),
  );
}
