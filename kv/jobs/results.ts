/**
 * The results of job steps: stored in the job's record under the step's name, and shown in the admin
 * application.
 *
 * @module
 */
import { z } from "zod";

/** Nothing, or a word about why there was nothing to do. */
export const Note = z.object({ note: z.string() }).optional();
/** The version of a document that was found. */
export const Version = z.object({ version: z.number() });
/** Whether search finds a document from now on. */
export const Searchable = z.object({ indexed: z.boolean() });
/** Whether a page is another than before. */
export const Changed = z.object({ changed: z.boolean() });
/** Surrogate keys of what has changed. */
export const Tags = z.object({ tags: z.array(z.string()) });
/** The pages that were rendered. */
export const ListingPages = z.object({ pages: z.number() });
/** The tags purged from caches, and the receiver; null if there is no cache in front of the service. */
export const Purged = z.object({
  tags: z.array(z.string()),
  sentTo: z.string().nullable(),
  /** The cache could not be reached yet. */
  collected: z.literal(true).optional(),
});
/** The job that continues with what has changed. */
export const StartedJob = z.object({ jobId: z.string() });
/** Documents that were done. */
export const Documents = z.object({ documents: z.number() });
/** Portions that a compaction took. */
export const Portions = z.object({ pieces: z.number() });
/** Things that were removed. */
export const Removed = z.object({ removed: z.number() });
/** Whether a mail has gone out, and why not. */
export const Sent = z.object({ sent: z.boolean(), reason: z.string().optional() });

/** The counts of a group of entities in a restore of the site. */
export const Restored = z.object({
  minted: z.number(),
  removed: z.number(),
  kept: z.number(),
  left: z.number(),
  named: z.array(z.object({ type: z.string(), id: z.string(), reason: z.string() })),
  validAgain: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
});

/** The results for the documents of a release; skipped ones are named. */
export const Released = z.object({
  documents: z.number(),
  changed: z.number(),
  left: z.array(z.object({ id: z.string(), title: z.string(), reason: z.string() })),
});
export type Released = z.infer<typeof Released>;

/** The installed package, with its new capabilities and the previous version. */
export const Installed = z.object({
  id: z.string(),
  packageId: z.string(),
  version: z.string(),
  added: z.array(z.string()),
  previous: z.string().nullable(),
});

/** The rows of a source, by kind. */
export const Analysed = z.object({ rows: z.record(z.string(), z.number()) });
/** How many rows of a transfer ended how. */
export const Transferred = z.object({
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  skipped: z.number(),
  failed: z.number(),
  warnings: z.number(),
});
/** What the undo of a transfer took back; what stays is named. */
export const Undone = z.object({
  documents: z.number(),
  media: z.number(),
  redirects: z.number(),
  fields: z.number(),
  collections: z.number(),
  blocks: z.number().default(0),
  settings: z.number().default(0),
  left: z.array(z.object({ id: z.string(), title: z.string(), reason: z.string() })),
});
export type Undone = z.infer<typeof Undone>;

/** The file of an export for another system. */
export const TransferExported = z.object({
  documents: z.number(),
  bytes: z.number(),
  filename: z.string(),
  contentType: z.string(),
  url: z.string(),
});

/** What became of imported translations. */
export const TranslationsImported = z.object({
  /** Documents whose translation was written. */
  documents: z.number(),
  /** Texts that were taken. */
  units: z.number(),
  /** Texts and documents that were refused. */
  refused: z.number(),
  /** The first of these. */
  left: z.array(z.object({
    id: z.string(),
    unit: z.string().optional(),
    reason: z.string(),
  })),
});
export type TranslationsImported = z.infer<typeof TranslationsImported>;
