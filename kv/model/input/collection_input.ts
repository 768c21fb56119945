/**
 * Bodies that define a collection, whole or in part.
 *
 * @module
 */
import { COLLECTION_ICONS } from "./collection_icon.ts";
import { writable } from "./definition_body.ts";
import { z } from "zod";
import {
  COLLECTION_GROUP_CHARS_MAX,
  COLLECTION_POSITION_MAX,
  FIELDS_MAX,
  LANGUAGES_MAX,
  NAME_CHARS_MAX,
  SLUG_CHARS_MAX,
  UNIQUE_FIELDS_MAX,
} from "../../limits/content.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import { type FieldInput, readFieldInput } from "../fields/field_input.ts";
import { SLUG } from "../values/slug.ts";
import { labels } from "../languages/labels.ts";
import { boundedText } from "../values/text_check.ts";
import { below, parseBody, zodDetails } from "./zod_details.ts";

/** Slugs that no collection may have: the site uses these addresses itself. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  "search",
  "media",
  "admin",
  "api",
  "feed",
  "sitemap",
  "robots",
  "healthz",
  "assets",
  "page",
  "preview",
  "mcp",
  "llms",
  "scim",
  "oauth",
]);

const slug = z.string().max(SLUG_CHARS_MAX)
  .regex(SLUG, "Must be lower-case letters and digits, joined by single hyphens")
  .refine((text) => !RESERVED_SLUGS.has(text), {
    message: "The slug is reserved",
    params: { code: "INVALID_CHOICE" },
  });
const name = boundedText(1, 200);
const description = boundedText(0, 2_000);
const icon = z.enum(COLLECTION_ICONS).nullable().exactOptional();

const inStudio = {
  /** Absent or null for what goes with its name. */
  icon,
  /** Absent, null or empty for none. */
  singular: boundedText(0, NAME_CHARS_MAX).nullable().exactOptional(),
  /** Absent, null or empty for no group. */
  group: boundedText(0, COLLECTION_GROUP_CHARS_MAX).nullable().exactOptional(),
  /** Absent or null for none. */
  position: z.number().int().min(0).max(COLLECTION_POSITION_MAX).nullable().exactOptional(),
};

const marks = {
  /** Whether it holds one document and no more; absent for no. */
  singleton: z.boolean().exactOptional(),
  /** Whether it has no pages on the public site; absent for no. */
  pageless: z.boolean().exactOptional(),
  /** Whether the site's menu leaves it out; absent for no. */
  unlisted: z.boolean().exactOptional(),
  /** Whether publication dates are hidden; absent for no. */
  undated: z.boolean().exactOptional(),
};

const inLanguages = {
  /** Whether its documents have translations; absent for no. */
  localized: z.boolean().exactOptional(),
  /** The languages that its documents may have; absent or null for all. */
  languages: z.array(z.string()).min(1).max(LANGUAGES_MAX).nullable().exactOptional(),
  labels: labels.exactOptional(),
};

/** The body of a new collection, without its fields. */
export const NewCollection = z.strictObject({
  slug,
  name,
  description: description.default(""),
  exposed: z.boolean().default(true),
  ...inStudio,
  ...marks,
  ...inLanguages,
});

/** A collection as its author defines it. */
export type CollectionInput = z.infer<typeof NewCollection> & { fields: FieldInput[] };

/** A partial body. */
export const CollectionChange = z.strictObject({
  slug: slug.exactOptional(),
  name: name.exactOptional(),
  description: description.exactOptional(),
  exposed: z.boolean().exactOptional(),
  ...inStudio,
  ...marks,
  ...inLanguages,
});

/** A patch of a collection; its fields are changed one by one. */
export type CollectionPatch = z.infer<typeof CollectionChange>;

/** Parses the definition of a new collection; all failures of it and of its fields come together. */
export function parseCollection(body: unknown): CollectionInput {
  const { fields = [], ...rest } = writable(body) as { fields?: unknown };
  const parsed = NewCollection.safeParse(rest);
  const details = parsed.success ? [] : zodDetails(parsed.error, "", rest);
  const inputs = readFields(fields, details);
  if (parsed.success && details.length === 0) return { ...parsed.data, fields: inputs };
  // A taken name is a conflict, whether an existing field or another one in the same body has it.
  const isTaken = details.every(({ field, code }) =>
    code === "NOT_UNIQUE" && /^fields\.\d+\.name$/.test(field)
  );
  throw new Refusal(isTaken ? "CONFLICT" : "VALIDATION_FAILED", { details });
}

/** Parses a change of a collection. */
export function parseCollectionPatch(body: unknown): CollectionPatch {
  return parseBody(CollectionChange, writable(body));
}

function readFields(fields: unknown, details: Detail[]): FieldInput[] {
  if (!Array.isArray(fields)) {
    details.push({ field: "fields", code: "INVALID_TYPE", message: "Must be an array" });
    return [];
  }
  if (fields.length > FIELDS_MAX) {
    details.push({ field: "fields", code: "TOO_LONG", message: `At most ${FIELDS_MAX} fields` });
    return [];
  }
  const inputs: FieldInput[] = [];
  for (const [position, field] of fields.entries()) {
    const { input, details: failures } = readFieldInput(field);
    details.push(...failures.map((detail) => below(`fields.${position}`, detail)));
    if (input === null) continue;
    const path = `fields.${position}.name`;
    if (inputs.some((other) => other.name === input.name)) {
      details.push({ field: path, code: "NOT_UNIQUE", message: "Is listed twice" });
    }
    inputs.push(input);
  }
  if (inputs.filter((input) => input.unique).length > UNIQUE_FIELDS_MAX) {
    const message = `At most ${UNIQUE_FIELDS_MAX} fields may be unique`;
    details.push({ field: "fields", code: "TOO_LONG", message });
  }
  return inputs;
}
