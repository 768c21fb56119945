/**
 * The plan of a transfer: which rows of the source become documents of which collections, and how. The analysis
 * makes it, and people change it before the run.
 *
 * @module
 */
import { z } from "zod";
import { FIELDS_MAX, ID_CHARS_MAX, SLUG_CHARS_MAX } from "../../limits/content.ts";
import {
  TRANSFER_HOSTS_MAX,
  TRANSFER_MAPPING_MAX,
  TRANSFER_NAME_CHARS_MAX,
  TRANSFER_OFFERS_MAX,
  TRANSFER_SOURCES_MAX,
} from "../../limits/transfers.ts";
import { FIELD_TYPE_NAMES } from "../fields/field_definition.ts";

/** The kinds of sources, in the order in which they are recognized. */
export const TRANSFER_KINDS = [
  "csv",
  "tsv",
  "json",
  "ndjson",
  "markdown",
  "wxr",
  "ghost",
  "contentful",
  "sanity",
  "strapi",
  "directus",
  "payload",
  "cms",
] as const;

/** A kind of source. */
export type TransferKind = typeof TRANSFER_KINDS[number];

/** The kinds of sources whose API can be read. */
export const LIVE_KINDS = [
  "wxr",
  "ghost",
  "contentful",
  "sanity",
  "strapi",
  "directus",
  "payload",
] as const satisfies readonly TransferKind[];

/** A kind of source whose API can be read. */
export type LiveKind = typeof LIVE_KINDS[number];

/** Whether the API of a kind of source can be read. */
export function hasApi(kind: TransferKind | null): kind is LiveKind {
  return LIVE_KINDS.some((one) => one === kind);
}

const text = z.string().max(TRANSFER_NAME_CHARS_MAX);
const path = text.min(1);
const pathOrNothing = path.nullable().default(null);

const CONVERSIONS =
  /^(?:html|markdown|gutenberg|lexical|mobiledoc|contentful|portable|json|split:[\s\S]+|date:.+)$/;

const PlanField = z.strictObject({
  from: path,
  to: text,
  type: z.enum(FIELD_TYPE_NAMES),
  options: z.record(z.string(), z.json()).default({}),
  localized: z.boolean().exactOptional(),
  convert: text.regex(CONVERSIONS, "Unknown conversion").exactOptional(),
  default: z.json().exactOptional(),
});

const map = (value: z.ZodType<string | null>) =>
  z.record(text, value).refine(
    (entries) => Object.keys(entries).length <= TRANSFER_MAPPING_MAX,
    `At most ${TRANSFER_MAPPING_MAX} entries`,
  );

const STATUSES = ["draft", "published", "scheduled", "archived"] as const;

const PlanCollection = z.strictObject({
  source: path,
  target: z.union([
    z.string().max(SLUG_CHARS_MAX),
    z.strictObject({ slug: z.string().max(SLUG_CHARS_MAX), name: text }),
  ]),
  mode: z.enum(["upsert", "create", "skip"]).default("upsert"),
  match: z.string().max(TRANSFER_NAME_CHARS_MAX).regex(/^(?:source|slug|field:\w+)$/)
    .default("source"),
  status: z.union([
    z.enum(["keep", "draft"]),
    z.strictObject({
      from: path,
      map: map(z.enum(STATUSES)) as z.ZodType<Record<string, typeof STATUSES[number]>>,
    }),
  ]).default("keep"),
  fields: z.array(PlanField).max(FIELDS_MAX),
  title: pathOrNothing,
  slug: pathOrNothing,
  publishedAt: pathOrNothing,
  createdAt: pathOrNothing,
  language: path.nullable().exactOptional(),
  sourceId: pathOrNothing,
  nulls: z.array(text).max(TRANSFER_HOSTS_MAX).exactOptional(),
});

/** The settings that a source can offer values for. */
const OFFERED_SETTINGS = [
  "site.title",
  "site.description",
  "site.language",
  "site.timezone",
  "site.accent",
  "site.menu",
  "site.logo",
  "site.icon",
  "site.image",
] as const;

/** A setting that the source has a value for; it is written only if the plan applies it. */
const PlanSetting = z.strictObject({
  key: z.enum(OFFERED_SETTINGS),
  /** Where it comes from in the source, such as the name of a menu. */
  source: text,
  /** As the setting has it; images are addresses in the source. */
  value: z.json(),
  apply: z.boolean().default(false),
});

/** A host, with or without a port, as it stands in an address. */
const host = text.refine(
  (text) => URL.parse(`http://${text}`)?.host === text,
  "Must be a host such as example.org or example.org:8080",
);

/** The schema of a plan. */
export const Plan = z.strictObject({
  sourceKey: text.min(1),
  collections: z.array(PlanCollection).max(TRANSFER_SOURCES_MAX),
  authors: z.strictObject({
    collection: z.string().max(SLUG_CHARS_MAX).nullable(),
    mapping: map(z.string().max(ID_CHARS_MAX).nullable()),
  }),
  media: z.strictObject({
    from: z.array(z.enum(["archive", "addresses"])).max(2),
    hosts: z.array(host).max(TRANSFER_HOSTS_MAX),
    skipMissing: z.boolean(),
    folder: text,
  }),
  languages: map(z.string().max(ID_CHARS_MAX).nullable()),
  redirects: z.boolean(),
  /** `target` is the name of a block definition, `json` or `drop`. */
  blocks: z.array(z.strictObject({ source: path, target: text })).max(TRANSFER_MAPPING_MAX)
    .default([]),
  settings: z.array(PlanSetting).max(TRANSFER_OFFERS_MAX).default([]),
  nulls: z.array(text).max(TRANSFER_HOSTS_MAX).exactOptional(),
});

/** A plan. */
export type Plan = z.infer<typeof Plan>;
/** One kind of rows in a plan. */
export type PlanCollection = z.infer<typeof PlanCollection>;
/** A setting in a plan. */
export type PlanSetting = z.infer<typeof PlanSetting>;
/** One field in a plan. */
export type PlanField = z.infer<typeof PlanField>;

/** The slugs of the collections that a field refers to. */
export function referredSlugs({ options: { collection, collections } }: PlanField): string[] {
  return [
    ...(typeof collection === "string" ? [collection] : []),
    ...(Array.isArray(collections) ? collections.map(String) : []),
  ];
}

/** The slug of the collection that rows become documents of. */
export function targetSlug({ target }: Pick<PlanCollection, "target">): string {
  return typeof target === "string" ? target : target.slug;
}
