/**
 * Writing a backup: first its rows are read once, part after part, and kept as objects, so that another
 * process can continue; then they are packed into the tarball. Its manifest, which comes first, has sums of what
 * comes after. Nothing is ever whole in memory.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import {
  ASCII_BACKUP_FORMAT,
  BACKUP_FORMAT,
  type Manifest,
  MANIFEST_NAME,
  MEDIA_FOLDER,
  MEDIA_NAME,
  objectsOfLine,
  type TableFacts,
  type TableName,
  tablePath,
  TABLES,
} from "../model/entities/backup.ts";
import { exportPath, mediaPath, packagePath } from "../objects/paths.ts";
import type { Operation } from "../store/operation.ts";
import { allSettledOrThrow } from "../store/concurrency.ts";
import { BackupParts, PartBuffer, removeParts } from "./backup_parts.ts";
import {
  assertUnreplaced,
  type Instant,
  mediaAt,
  packagesAt,
  SnapshotGone,
  type TableLine,
  tableLines,
  takeInstant,
} from "./rows.ts";
import { withVersionsHeld } from "../versioning/version_holds.ts";
import { packTarball, type TarballFile } from "../objects/tarball.ts";

/** Lines after which the hold on versions is renewed, if it is time. */
const LINES_PER_RENEWAL = 1_000;
/** One character a byte, wherever a piece ends. */
const decoder = new TextDecoder("latin1");
/** The sections of a backup, in reading order. */
const SECTIONS = [...TABLES, "media"] as const;

/** Options of a backup. */
export interface BackupOptions {
  /** Without hashes, secret settings and mail addresses. */
  redacted: boolean;
  /** With the bytes of the media. */
  media: boolean;
  signal?: AbortSignal;
}

/** The position that writing a backup has reached. */
export type BackupPosition = {
  instant: Instant;
  /** The section that is being read; behind the last one the tarball is to be made. */
  section: number;
  /** The key of the last line of that section that is in a part. */
  after: TableLine["key"] | null;
  /** How many parts there are. */
  parts: number;
};

/** The result of one portion: a position to continue from, null to start again, or the backup. */
export type BackupProgress =
  | { isDone: false; place: BackupPosition | null }
  | { isDone: true; manifest: Manifest; bytes: number };

/** Of how many sections those before a place are read. */
export function sectionsRead(position: BackupPosition | null): { done: number; total: number } {
  return { done: position?.section ?? 0, total: SECTIONS.length };
}

/**
 * Continues a backup of the site as it was when it was begun, to {@linkcode exportPath} of `id`: one part of its
 * rows, or its tarball. What it answers as the place is to be committed with `operation`; its parts are the caller's to
 * remove once the backup counts.
 */
export async function writeBackup(
  context: Context,
  operation: Operation,
  id: string,
  position: BackupPosition | null,
  options: BackupOptions,
): Promise<BackupProgress> {
  const written = withVersionsHeld<BackupProgress>(context, id, async (hold) => {
    if (position !== null && !hold.hasStood) return { isDone: false, place: null };
    try {
      const { set, renew } = hold;
      const from = position ?? beginning(set ?? await takeInstant(context));
      if (from.section < SECTIONS.length) {
        const part = readPart(context, operation, id, from, options, renew);
        const [following] = await allSettledOrThrow([
          part,
          assertUnreplaced(context, from.instant),
        ]);
        return { isDone: false, place: following };
      }
      return { isDone: true, ...await writeTarball(context, id, from, options, renew) };
    } catch (error) {
      // Starting over helps only if this backup was under way.
      if (error instanceof SnapshotGone && position !== null) return { isDone: false, place: null };
      throw error;
    }
  });
  // Leftovers of an earlier start are removed at the same time.
  const removed = position === null ? removeParts(context, id) : Promise.resolve();
  return (await allSettledOrThrow([written, removed]))[0];
}

function beginning(instant: Instant): BackupPosition {
  return { instant, section: 0, after: null, parts: 0 };
}

/** Reads until a part is full or nothing is left, and stores it. */
async function readPart(
  context: Context,
  operation: Operation,
  id: string,
  { instant, section, after, parts }: BackupPosition,
  { redacted, signal }: BackupOptions,
  renew: () => Promise<void>,
): Promise<BackupPosition> {
  const buffer = new PartBuffer();
  let lines = 0;
  const position = await (async () => {
    await using tables = new TablesAhead(
      SECTIONS.slice(section).map((table, n) => {
        return tableLines(context, table, instant, { redacted, after: n === 0 ? after : null });
      }),
      context.store.isRemote,
    );
    for (const [n, table] of SECTIONS.slice(section).entries()) {
      for await (const { line, key } of tables.next()) {
        signal?.throwIfAborted();
        if (++lines % LINES_PER_RENEWAL === 0) await renew();
        if (buffer.add(table, line)) return { section: section + n, after: key };
      }
    }
    return { section: SECTIONS.length, after: null };
  })();
  await buffer.store(context, operation, id, parts);
  return { instant, ...position, parts: parts + 1 };
}

/** The lines of tables, one table after the other; the first ones of all may be asked for together: most have few. */
class TablesAhead {
  readonly #tables: AsyncGenerator<TableLine>[];
  readonly #firsts: Promise<IteratorResult<TableLine>>[];
  #at = 0;

  constructor(tables: AsyncGenerator<TableLine>[], areTogether: boolean) {
    this.#tables = tables;
    this.#firsts = areTogether ? tables.map((table) => table.next()) : [];
    // The reader of the table gets its failure.
    for (const first of this.#firsts) first.catch(() => {});
  }

  async *next(): AsyncGenerator<TableLine> {
    const table = this.#tables[this.#at]!;
    const first = this.#firsts[this.#at++];
    let { done, value } = await (first ?? table.next());
    for (; !done; { done, value } = await table.next()) yield value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#tables.map((table) => table.return(undefined)));
  }
}

async function writeTarball(
  context: Context,
  id: string,
  { instant, parts: count }: BackupPosition,
  options: BackupOptions,
  renew: () => Promise<void>,
): Promise<{ manifest: Manifest; bytes: number }> {
  // Without its packages a site would come back without its looks; a redacted backup brings none back.
  const named = options.redacted
    ? Promise.resolve(new Set<string>())
    : packagesAt(context, instant);
  const opened = BackupParts.open(context, id, count);
  const [parts, packages] = await allSettledOrThrow([
    opened,
    named,
    assertUnreplaced(context, instant),
  ]);
  const pause = async () => {
    await renew();
    await context.store.sleep(0);
  };
  const manifest = await measure(parts, instant, options, pause);
  const tarball = packTarball(files(context, { parts, instant, manifest, packages }, options), {
    at: instant.at,
    pause,
    ...(options.signal !== undefined && { signal: options.signal }),
  });
  const { bytes } = await context.objects.putStream(exportPath(id), tarball, {
    contentType: "application/gzip",
  });
  await assertUnreplaced(context, instant);
  return { manifest, bytes };
}

async function measure(
  parts: BackupParts,
  instant: Instant,
  options: BackupOptions,
  pause: () => Promise<void>,
): Promise<Manifest> {
  const slugSetting = new TextSearch('"key":"slugs"');
  const factsOf = async (table: typeof SECTIONS[number]): Promise<TableFacts> => {
    const hash = createHash("sha256");
    for await (const piece of parts.contentOf(table)) {
      options.signal?.throwIfAborted();
      hash.update(piece);
      if (table === "setting") slugSetting.add(piece);
      await pause();
    }
    return { ...parts.sizeOf(table), sha256: hash.digest("hex") };
  };
  const tables = {} as Record<TableName, TableFacts>;
  for (const table of TABLES) tables[table] = await factsOf(table);
  return {
    format: "cms-backup",
    // Earlier releases know neither the setting nor the slugs that it allows.
    formatVersion: slugSetting.isFound ? BACKUP_FORMAT : ASCII_BACKUP_FORMAT,
    createdAt: instant.at,
    redacted: options.redacted,
    tables,
    media: { ...await factsOf("media"), included: options.media },
  };
}

/** Looks for an ASCII text in bytes that come in pieces. */
class TextSearch {
  readonly #text: string;
  #tail = "";
  isFound = false;

  constructor(text: string) {
    this.#text = text;
  }

  add(piece: Uint8Array): void {
    if (this.isFound) return;
    const text = this.#tail + decoder.decode(piece);
    this.isFound = text.includes(this.#text);
    this.#tail = text.slice(-this.#text.length);
  }
}

/** The contents of the tarball. */
interface Contents {
  parts: BackupParts;
  instant: Instant;
  manifest: Manifest;
  /** Digests. */
  packages: ReadonlySet<string>;
}

async function* files(
  context: Context,
  { parts, instant, manifest, packages }: Contents,
  options: BackupOptions,
): AsyncGenerator<TarballFile> {
  yield textFile(MANIFEST_NAME, JSON.stringify(manifest, null, 2));
  for (const table of SECTIONS) {
    const name = table === "media" ? MEDIA_NAME : tablePath(table);
    yield { name, bytes: parts.sizeOf(table).bytes, content: parts.contentOf(table) };
  }
  if (options.media) yield* mediaFiles(context, instant);
  for (const digest of packages) {
    const key = packagePath(digest);
    yield* objectFile(context, key, key);
  }
}

function textFile(name: string, text: string): TarballFile {
  const bytes = new TextEncoder().encode(text);
  const content = async function* () {
    yield bytes;
  };
  return { name, bytes: bytes.byteLength, content: content() };
}

/** The bytes of the media, each object once; those that are missing are left out. */
async function* mediaFiles(context: Context, instant: Instant): AsyncGenerator<TarballFile> {
  const seen = new Set<string>();
  for await (const { medium } of mediaAt(context, instant)) {
    for (const { object } of objectsOfLine(medium)) {
      if (seen.has(object)) continue;
      seen.add(object);
      yield* objectFile(context, `${MEDIA_FOLDER}${object}`, mediaPath(object));
    }
  }
}

async function* objectFile(
  { objects }: Context,
  name: string,
  key: string,
): AsyncGenerator<TarballFile> {
  const info = await objects.head(key);
  const content = info && await objects.getStream(key);
  if (content) yield { name, bytes: info.bytes, content };
}
