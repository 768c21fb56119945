/**
 * What the admin API answers about documents, translations, releases, versions and media.
 *
 * @module
 */
import { z } from "zod";
import { NOTIFICATION_KINDS } from "../../../../kv/documents/notifications.ts";
import { STATUSES } from "../../../../kv/model/entities/document.ts";
import {
  count,
  id,
  idOrNull,
  openObject,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  times,
} from "./answer_parts.ts";

const status = z.enum(STATUSES);
const Review = z.object({
  state: text,
  note: text,
  askedBy: id,
  askedAt: time,
  reviewers: z.array(id).optional(),
  answer: textOrNull,
  returnedBy: idOrNull,
  returnedAt: timeOrNull,
});
const planned = {
  publishAt: timeOrNull,
  unpublishAt: timeOrNull.optional(),
  hasWorkingCopy: z.boolean(),
  _review: Review.optional(),
};
const framing = {
  id,
  slug: text,
  title: text,
  status,
  ...times,
  publishedAt: timeOrNull,
  ...planned,
};

const Document = z.object({
  ...framing,
  collection: text,
  blocks: z.array(openObject),
  inRelease: z.object({ id, name: text }).optional(),
}).catchall(z.unknown()).meta({ description: "A document with the values of its fields." });
const Translation = z.object({
  ...framing,
  publishAt: timeOrNull.optional(),
  hasWorkingCopy: z.boolean().optional().meta({ description: "Absent for the original language." }),
  _language: text,
  blocks: z.array(openObject).optional(),
}).catchall(z.unknown()).meta({
  description: "A translation with the values of its localized fields.",
});

const TextPosition = z.object({ key: text, offset: count, path: texts.optional() });
const textRange = { start: TextPosition, end: TextPosition };

const Comment = z.object({
  id,
  createdBy: id,
  createdAt: time,
  field: textOrNull,
  language: text.optional().meta({
    description: "The language that it is about; absent for shared fields and all languages.",
  }),
  anchor: z.object({ ...textRange, quote: text }).optional().meta({
    description: "The words that it is about, as they were; absent for a whole field or document.",
  }),
  anchoredAt: z.object({ ...textRange, quote: text.optional() }).nullable().optional().meta({
    description:
      "In lists: where these words are now, and `quote` if they were corrected; null if " +
      "they were removed.",
  }),
  replyTo: idOrNull,
  text,
  mentions: z.array(id),
  editedAt: timeOrNull,
  resolvedBy: idOrNull,
  resolvedAt: timeOrNull,
});

const ReleaseDocument = z.object({
  id,
  collection: textOrNull.meta({ description: "Null if the document is gone." }),
  title: text,
  action: z.enum(["publish", "unpublish"]),
  languages: z.union([texts, z.literal("*")]).optional(),
  left: text.optional(),
});

const ListedVersion = z.object({
  id,
  version_number: count,
  changed_by: textOrNull.meta({ description: "The id of a user, or of what acted for one." }),
  editor: textOrNull.meta({ description: "The name of who changed it." }),
  change_summary: textOrNull,
  changed_at: time,
  name: textOrNull.optional(),
  count: count.optional(),
  since: time.optional(),
  published: z.boolean().optional(),
  languages: texts.optional(),
});
const Version = ListedVersion.extend({
  entity_type: text,
  entity_id: text,
  state: openObject.nullable(),
  state_r2_key: textOrNull,
});

const share = z.number();
const Medium = z.object({
  id,
  filename: text,
  mime: text,
  bytes: count,
  width: count.nullable(),
  height: count.nullable(),
  alt: text,
  alts: z.record(z.string(), text).optional(),
  url: text,
  title: text.optional(),
  folder: text.optional(),
  tags: texts.optional(),
  focus: z.object({ x: share, y: share }).optional(),
  crops: z.record(z.string(), z.object({ x: share, y: share, width: share, height: share }))
    .optional(),
  private: z.literal(true).optional(),
  credentials: openObject.optional(),
  deletedAt: time.optional(),
  createdAt: time,
});

const Sample = z.object({ count, sample: z.array(openObject) });

/** Every key but the id depends on `fields`. */
const ListedDocument = Document.partial().required({ id: true }).catchall(z.unknown())
  .meta({ description: "A document with the keys that `fields` names; all of them without it." });

/** The answers by component name. */
export const CONTENT_ANSWERS = {
  Document,
  ListedDocument,
  DocumentPage: z.object({
    data: z.array(ListedDocument),
    meta: z.object({
      page: count.optional().meta({ description: "Absent where a cursor was given." }),
      perPage: count,
      total: count,
      nextCursor: textOrNull.optional(),
      facets: openObject.optional(),
      incomplete: z.literal(true).optional(),
      unavailable: z.array(id).optional().meta({
        description: "Documents that cannot be read at the moment.",
      }),
    }),
  }),
  Translation,
  TranslationState: z.object({
    language: text,
    slug: textOrNull,
    title: textOrNull,
    status: status.nullable(),
    publishedAt: timeOrNull,
    updatedAt: timeOrNull,
    state: z.enum(["complete", "incomplete", "missing", "outdated"]).nullable(),
    missing: texts.nullable(),
    outdated: z.array(z.object({ field: text, since: time })).nullable(),
    publishAt: timeOrNull.optional(),
    unpublishAt: timeOrNull.optional(),
    hasWorkingCopy: z.boolean().optional(),
    _review: Review.optional(),
  }),
  TranslationCount: z.object({
    collection: text,
    language: text,
    documents: count,
    missing: count,
    incomplete: count,
    outdated: count,
    published: count,
  }),
  Preview: z.object({
    id,
    documentId: id.optional(),
    releaseId: id.optional(),
    createdBy: idOrNull,
    createdAt: time,
    expiresAt: time,
  }),
  NewPreview: z.object({ id, url: text, token: text, expiresAt: time }),
  Comment,
  Release: z.object({
    id,
    name: text,
    description: text,
    state: text,
    publishAt: timeOrNull,
    reason: textOrNull,
    jobId: idOrNull,
    publishedAt: timeOrNull,
    documents: z.array(ReleaseDocument),
    ...times,
  }),
  ReleaseCheck: z.object({
    ok: z.boolean(),
    documents: z.array(z.object({
      id,
      action: z.enum(["publish", "unpublish"]),
      languages: texts.optional(),
      errors: z.array(z.object({ field: text, code: text, message: text })),
    })),
  }),
  Notifications: z.object({
    data: z.array(z.object({
      kind: z.enum(NOTIFICATION_KINDS),
      documentId: id,
      collection: text,
      language: text.optional().meta({
        description: "The language of the translation that it is about; absent for the original.",
      }),
      title: text,
      text: text.meta({ description: "The note, the comment, or why a schedule failed." }),
      by: idOrNull.meta({ description: "The user who caused it; null for a schedule." }),
      at: time,
      read: z.boolean(),
    })),
    meta: z.object({ unread: count }),
  }),
  View: z.object({
    id,
    name: text,
    collection: textOrNull,
    query: text,
    shared: z.boolean(),
    createdAt: time,
  }),
  ListedVersion,
  Version,
  VersionDiff: z.object({
    from: z.object({ id, version_number: count, changed_at: time }).nullable(),
    to: z.object({ id, version_number: count, changed_at: time }).nullable(),
    changes: z.array(z.object({ path: text, kind: text, before: z.unknown(), after: z.unknown() })),
    truncated: z.boolean(),
  }),
  SiteState: z.object({
    timestamp: time,
    entities: z.record(z.string(), Sample.extend({ complete: z.boolean().optional() })),
    complete: z.boolean().optional(),
  }),
  SiteDiff: z.object({
    from: time,
    to: time,
    entities: z.record(
      z.string(),
      z.object({
        created: Sample,
        changed: Sample,
        removed: Sample,
        complete: z.boolean().optional(),
      }),
    ),
    complete: z.boolean().optional(),
  }),
  Medium,
  MediaLimits: z.object({ maxBytes: count, allowedMimes: texts, transformsEnabled: z.boolean() }),
  MediaFolders: z.object({
    folders: z.array(z.object({ path: text, media: count })),
    tags: z.array(z.object({ tag: text, media: count })),
  }),
  MovedFolder: z.object({ moved: count, remaining: count }),
  OrganizedMedia: z.object({ organized: count, missing: z.array(id) }),
  RestoredMedia: z.object({ restored: count, replaced: count, unneeded: count }),
  MediaUse: z.object({ id, title: text, collection: text, status, fields: texts }),
};
