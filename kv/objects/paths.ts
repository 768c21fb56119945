/**
 * Every object key on one page, and what a key may look like at all. No other file spells one.
 *
 * @module
 */
import { OBJECT_KEY_BYTES_MAX, OBJECT_KEY_PART_BYTES_MAX } from "../limits/store.ts";
import type { DocumentPart } from "../model/entities/document.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";

/** The live copy of a spilled part of a document. */
export const documentPartPath = (id: string, part: DocumentPart): string =>
  `documents/${id}/${part}.json`;
/** All live copies of document parts. */
export const DOCUMENTS_PREFIX = "documents/";

/** The spilled state of one version; written once, never changed. */
export const snapshotPath = (type: EntityType, id: string, versionId: string): string =>
  `versions/${type}/${id}/${versionId}.json`;
/** All spilled states. */
export const SNAPSHOTS_PREFIX = "versions/";

/**
 * Bytes of an upload; written once. Media with the same bytes share one object: the row of their content
 * hash leads to it.
 */
export const mediaPath = (uploadId: string): string => `media/${uploadId}`;
/** All bytes of media. */
export const MEDIA_PREFIX = "media/";

/** A smaller or re-encoded form of an object of media; can be made again at any time. */
export const transformPath = (uploadId: string, name: string): string =>
  `transforms/${uploadId}/${name}`;
/** All transforms of one object of media. */
export const transformsPrefix = (uploadId: string): string => `transforms/${uploadId}/`;
/** All transforms. */
export const TRANSFORMS_PREFIX = "transforms/";

/** Bytes of a prerendered page too large for its row; written once. */
export const pageObjectPath = (id: string): string => `pages/${id}`;
/** All bytes of pages. */
export const PAGES_PREFIX = "pages/";

/** A backup tarball. */
export const exportPath = (id: string): string => `exports/${id}.tar.gz`;
/** All backups. */
export const EXPORTS_PREFIX = "exports/";

/** Rows of a backup that is being written. */
export const backupPartPath = (id: string, part: string): string => `backup-parts/${id}/${part}`;
/** All of them. */
export const BACKUP_PARTS_PREFIX = "backup-parts/";

/** A tarball that waits to be imported. */
export const importPath = (id: string): string => `imports/${id}.tar.gz`;
/** Rows of a checked tarball that wait to be replayed. */
export const importRowsPath = (id: string, table: string, chunk: number): string =>
  `imports/${id}/${table}/${String(chunk).padStart(8, "0")}`;
/** Accounts as they were before an import. */
export const importAccountsPath = (id: string): string => `imports/${id}/accounts/before`;
/** All of them. */
export const importRowsPrefix = (id: string): string => `imports/${id}/`;
/** All tarballs that wait. */
export const IMPORTS_PREFIX = "imports/";

/** The bytes of a package that was verified, by their digest; every version of it leads to its own. */
export const packagePath = (digest: string): string => `packages/${digest}.tar.gz`;
/** All packages. */
export const PACKAGES_PREFIX = "packages/";

/** The bytes of a package that waits to be verified. */
export const packageUploadPath = (id: string): string => `package-uploads/${id}.tar.gz`;
/** All of those. */
export const PACKAGE_UPLOADS_PREFIX = "package-uploads/";

/** The answers of an API that are stored while it is read. */
export const transferAnswersPrefix = (id: string): string => `transfers/${id}/files/api-`;
/** One of them; those of an earlier reading are never taken for it. */
export const transferAnswerPath = (id: string, generation: string, hash: string): string =>
  `${transferAnswersPrefix(id)}${generation}-${hash}`;
/** A file that was uploaded for a transfer. */
export const transferFilePath = (id: string, file: string): string =>
  `transfers/${id}/files/${file}`;
/** A file out of an uploaded archive. */
export const transferEntryPath = (id: string, generation: string, number: number): string =>
  `transfers/${id}/${generation}/entries/${String(number).padStart(6, "0")}`;
/** Rows of an upload that were read once, of one kind. */
export const transferRowsPath = (
  id: string,
  generation: string,
  source: number,
  part: number,
): string => `transfers/${id}/${generation}/rows/${source}/${String(part).padStart(8, "0")}`;
/** What an analysis has found. */
export const transferFactsPath = (id: string, generation: string): string =>
  `transfers/${id}/${generation}/facts.json`;
/** A plan; written once. */
export const transferPlanPath = (id: string, planId: string): string =>
  `transfers/${id}/plans/${planId}.json`;
/** A part of the report of a run. */
export const transferReportPath = (id: string, jobId: string, part: string): string =>
  `transfers/${id}/reports/${jobId}/${part}`;
/** The report of a run. */
export const transferReportPrefix = (id: string, jobId: string): string =>
  `transfers/${id}/reports/${jobId}/`;
/** Everything of a transfer. */
export const transferObjectsPrefix = (id: string): string => `transfers/${id}/`;
/** Content for another system, as one file. */
export const transferExportPath = (jobId: string): string => `transfer-exports/${jobId}`;
/** All of those. */
export const TRANSFER_EXPORTS_PREFIX = "transfer-exports/";

/** The files of a push of the schema, with those before. */
export const schemaPushPath = (id: string): string => `schema-pushes/${id}.json`;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Throws unless every object store can hold `key`: non-empty parts, no dot parts, no control characters. */
export function assertObjectKey(key: string): void {
  const wellFormed = key.isWellFormed() && !/[\x00-\x1f\x7f]/.test(key);
  const parts = key.split("/");
  if (!wellFormed || parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new RangeError(`Malformed object key: ${JSON.stringify(key)}`);
  }
  const tooLong = parts.some((part) => escapedLength(part) > OBJECT_KEY_PART_BYTES_MAX);
  if (tooLong || encoder.encode(key).byteLength > OBJECT_KEY_BYTES_MAX) {
    throw new RangeError(`Object key is too long: ${key.slice(0, 80)}…`);
  }
}

/** A part of a key as a file name: nothing but letters, digits, `_`, `-` and inner dots stays as it is. */
export function escapePart(part: string): string {
  const bytes = encoder.encode(part);
  return Array.from(bytes, (byte, index) => {
    const character = String.fromCharCode(byte);
    const outerDot = character === "." && (index === 0 || index === bytes.byteLength - 1);
    if (/[A-Za-z0-9_.-]/.test(character) && !outerDot) return character;
    return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** The part that {@linkcode escapePart} made a file name of; null for an unrelated file. */
export function unescapePart(name: string): string | null {
  const bytes = name.match(/%[0-9A-F]{2}|[A-Za-z0-9_.-]/g) ?? [];
  const part = decoder.decode(
    Uint8Array.from(
      bytes,
      (byte) => byte.length === 3 ? parseInt(byte.slice(1), 16) : byte.charCodeAt(0),
    ),
  );
  return escapePart(part) === name ? part : null;
}

function escapedLength(part: string): number {
  return escapePart(part).length;
}
