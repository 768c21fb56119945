/**
 * The query parameters of the admin API by name. Where a parameter of one name means different things on different
 * routes, the key says which one it is, and `name` what it is called.
 *
 * @module
 */
import { LIST_FORMATS, RICH_TEXT_FORMS } from "../../query/projection.ts";
import { JOB_STATES } from "../../../kv/jobs/job.ts";
import { JOB_TYPES } from "../../../kv/jobs/job_contracts.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";

const TEXT: JsonSchema = { type: "string" };
const FLAG: JsonSchema = { type: "boolean" };
const TIME: JsonSchema = { type: "integer", description: "Unix epoch seconds." };
const POSITIVE: JsonSchema = { type: "integer", minimum: 1 };
const oneOf = (...names: readonly string[]): JsonSchema => ({ type: "string", enum: [...names] });

interface AdminParameter {
  /** The key, unless another is given. */
  name?: string;
  description: string;
  schema: JsonSchema;
  required?: boolean;
}

/** The parameters by key. */
export const ADMIN_PARAMETERS: { [key: string]: AdminParameter } = {
  page: { description: "Page number, starting at 1.", schema: POSITIVE },
  perPage: { description: "Entries per page, 20 unless given, at most 100.", schema: POSITIVE },
  dryRun: { description: "Answer what would happen, and change nothing.", schema: FLAG },
  force: { description: "Import texts whose original has changed as well.", schema: FLAG },
  ifNew: {
    description: "Answer the medium that has the same bytes, if there is one.",
    schema: FLAG,
  },
  collection: { description: "Slugs of collections, joined by commas.", schema: TEXT },
  status: { description: "Statuses, joined by commas.", schema: TEXT },
  q: { description: "Text that the title or name contains.", schema: TEXT },
  sort: { description: "Keys, joined by commas; `-` for descending, or `random`.", schema: TEXT },
  seed: { description: "The seed of `sort=random`.", schema: TEXT },
  filter: { description: "A filter in JSON, as lists of the content API take it.", schema: TEXT },
  facets: { description: "Fields whose values are counted, joined by commas.", schema: TEXT },
  include: { description: "References to include, joined by commas or in JSON.", schema: TEXT },
  fields: { description: "Keys to answer, joined by commas.", schema: TEXT },
  counts: { description: "References to count, joined by commas.", schema: TEXT },
  richText: { description: "The form of rich text.", schema: oneOf(...RICH_TEXT_FORMS) },
  cursor: {
    description: "The `nextCursor` of the answer before; empty for the first.",
    schema: TEXT,
  },
  workingCopy: { description: "Only documents with unpublished changes.", schema: oneOf("true") },
  review: {
    description: "Only documents whose review has been requested.",
    schema: oneOf("asked"),
  },
  createdBy: {
    description: "Only documents that one of these users created: ids, joined by commas.",
    schema: TEXT,
  },
  language: { description: "Documents as this language shows them.", schema: TEXT },
  translation: {
    description: "States of the translation into `language`, joined by commas.",
    schema: TEXT,
  },
  documentFormat: {
    name: "format",
    description: "The media type of the answer.",
    schema: oneOf(...LIST_FORMATS),
  },
  event: { description: "Only this event.", schema: TEXT },
  userId: { description: "Only what this user did.", schema: TEXT },
  tokenId: { description: "Only what this token did.", schema: TEXT },
  auditFrom: { name: "from", description: "From this moment.", schema: TIME },
  auditTo: { name: "to", description: "Up to this moment.", schema: TIME },
  countedLanguage: { name: "language", description: "Only this language.", schema: TEXT },
  jobType: { name: "type", description: "Only jobs of this type.", schema: oneOf(...JOB_TYPES) },
  jobState: {
    name: "state",
    description: "Only jobs in this state.",
    schema: oneOf(...JOB_STATES),
  },
  mime: { description: "A media type; may be repeated.", schema: TEXT },
  folder: { description: "A folder with those below it; `/` for media in none.", schema: TEXT },
  tag: { description: "A tag; may be repeated, and all must match.", schema: TEXT },
  unused: { description: "Only media that are used nowhere, or only others.", schema: FLAG },
  deleted: { description: "Deleted media instead of the others.", schema: FLAG },
  alt: {
    description: "Only media with or without a text alternative.",
    schema: oneOf("missing", "present"),
  },
  mediaSort: { name: "sort", description: "A key; `-` for descending.", schema: TEXT },
  documentId: { description: "Only previews of this document.", schema: TEXT },
  testedPath: { name: "path", description: "An address to test.", schema: TEXT },
  timestamp: { description: "The moment.", schema: TIME, required: true },
  diffFrom: { name: "from", description: "The earlier moment.", schema: TIME, required: true },
  diffTo: { name: "to", description: "The later moment.", schema: TIME, required: true },
  previewPath: { name: "path", description: "The path of the page.", schema: TEXT },
  sampleCollection: {
    name: "collection",
    description: "A collection of the source.",
    schema: TEXT,
  },
  limit: { description: "Rows of the sample.", schema: POSITIVE },
  level: { description: "Only lines of this level.", schema: oneOf("failed", "warning", "all") },
  reportCollection: {
    name: "collection",
    description: "Only lines of this collection of the source.",
    schema: TEXT,
  },
  run: { description: "The job of a run instead of the newest one.", schema: TEXT },
  group: {
    description: "Answer one entry for the edits of one sitting.",
    schema: oneOf("sitting"),
  },
  versionLanguage: {
    name: "language",
    description: "Only versions that changed this language.",
    schema: TEXT,
  },
  against: {
    description: "`previous`, the default, or the id of another version of the entity.",
    schema: TEXT,
  },
  transferKind: {
    name: "kind",
    description: "The format; otherwise it is detected.",
    schema: TEXT,
  },
};
