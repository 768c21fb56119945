/**
 * Writing a back-up: the tables are gone through twice, once to count and to hash them for the manifest,
 * which comes first in the tarball, and once to write them; nothing is ever whole in memory.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import {
  BACKUP_FORMAT,
  type Manifest,
  MANIFEST_NAME,
  MEDIA_FOLDER,
  MEDIA_NAME,
  type TableFacts,
  type TableName,
  tablePath,
  TABLES,
} from "../model/backup.ts";
import { exportPath, mediaPath, packagePath } from "../objects/paths.ts";
import {
  assertUnreplaced,
  type Instant,
  mediaAt,
  mediaLines,
  packagesAt,
  SnapshotGone,
  tableLines,
  takeInstant,
} from "./rows.ts";
import { withVersionsHeld } from "./version_holds.ts";
import { packTarball, type TarballFile } from "./tarball.ts";

/** Lines after which the hold on versions is renewed, if it is time. */
const LINES_PER_RENEWAL = 1_000;

/** What a back-up is to hold. */
export interface BackupOptions {
  /** Without hashes, secret settings and mail addresses. */
  redacted: boolean;
  /** With the bytes of the media. */
  media: boolean;
  signal?: AbortSignal;
}

/** Writes a back-up of the site as it is now to {@linkcode exportPath} of `id`. */
export function writeBackup(
  context: Context,
  id: string,
  options: BackupOptions,
): Promise<{ manifest: Manifest; bytes: number }> {
  return withVersionsHeld(context, id, (keep) => writeHeld(context, id, options, keep));
}

async function writeHeld(
  context: Context,
  id: string,
  options: BackupOptions,
  keep: () => Promise<void>,
): Promise<{ manifest: Manifest; bytes: number }> {
  const instant = await takeInstant(context);
  await assertUnreplaced(context, instant);
  const manifest = await measure(context, instant, options, keep);
  const tarball = packTarball(files(context, instant, manifest, options), {
    at: instant.at,
    pause: async () => {
      await keep();
      await context.store.sleep(0);
    },
    ...(options.signal !== undefined && { signal: options.signal }),
  });
  const { bytes } = await context.objects.putStream(exportPath(id), tarball, {
    contentType: "application/gzip",
  });
  await assertUnreplaced(context, instant);
  return { manifest, bytes };
}

async function measure(
  context: Context,
  instant: Instant,
  options: BackupOptions,
  keep: () => Promise<void>,
): Promise<Manifest> {
  const tables = {} as Record<TableName, TableFacts>;
  for (const table of TABLES) {
    options.signal?.throwIfAborted();
    tables[table] = await factsOf(tableLines(context, table, instant, options), keep);
  }
  const media = await factsOf(mediaLines(context, instant), keep);
  return {
    format: "cms-backup",
    formatVersion: BACKUP_FORMAT,
    createdAt: instant.at,
    redacted: options.redacted,
    tables,
    media: { ...media, included: options.media },
  };
}

async function factsOf(
  lines: AsyncIterable<Uint8Array>,
  keep: () => Promise<void>,
): Promise<TableFacts> {
  const count = new Count();
  for await (const line of lines) {
    count.add(line);
    if (count.rows % LINES_PER_RENEWAL === 0) await keep();
  }
  return count.facts();
}

/** Counts and hashes lines. */
export class Count {
  readonly #hash = createHash("sha256");
  rows = 0;
  bytes = 0;

  add(line: Uint8Array): void {
    this.#hash.update(line);
    this.rows += 1;
    this.bytes += line.byteLength;
  }

  facts(): TableFacts {
    return { rows: this.rows, bytes: this.bytes, sha256: this.#hash.digest("hex") };
  }
}

async function* files(
  context: Context,
  instant: Instant,
  manifest: Manifest,
  options: BackupOptions,
): AsyncGenerator<TarballFile> {
  yield textFile(MANIFEST_NAME, JSON.stringify(manifest, null, 2));
  for (const table of TABLES) {
    const lines = tableLines(context, table, instant, options);
    yield linesFile(tablePath(table), manifest.tables[table]!, lines);
  }
  yield linesFile(MEDIA_NAME, manifest.media, mediaLines(context, instant));
  if (options.media) yield* mediaFiles(context, instant);
  // Without its packages a site would come back without its looks; a redacted back-up brings none back.
  if (options.redacted) return;
  for (const digest of await packagesAt(context, instant)) {
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

/** Lines as a file; they must be the ones that were measured. */
function linesFile(
  name: string,
  expected: TableFacts,
  lines: AsyncIterable<Uint8Array>,
): TarballFile {
  const checked = async function* () {
    const count = new Count();
    for await (const line of lines) {
      count.add(line);
      if (count.bytes > expected.bytes) break;
      yield line;
    }
    if (count.facts().sha256 !== expected.sha256) {
      throw new SnapshotGone(`Rows of ${name} were pruned meanwhile`);
    }
  };
  return { name, bytes: expected.bytes, content: checked() };
}

/** The bytes of the media, each object once; those that are missing are left out. */
async function* mediaFiles(context: Context, instant: Instant): AsyncGenerator<TarballFile> {
  const seen = new Set<string>();
  for await (const { object } of mediaAt(context, instant)) {
    if (seen.has(object)) continue;
    seen.add(object);
    yield* objectFile(context, `${MEDIA_FOLDER}${object}`, mediaPath(object));
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
