/**
 * A backup checked as a whole before anything is changed: its format, every count and checksum, the order
 * and form of every row, and whether a site could live with what it would put in place.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { MANIFEST_BYTES_MAX } from "../limits/packages.ts";
import {
  BACKUP_FORMAT,
  Manifest,
  MANIFEST_NAME,
  MEDIA_FOLDER,
  MEDIA_NAME,
  type TableFacts,
  type TableName,
  tablePath,
  TABLES,
} from "../model/entities/backup.ts";
import { firstIssue } from "../model/input/first_issue.ts";
import { BACKUP_ERRORS_MAX } from "../tuning.ts";
import { splitLines } from "./lines.ts";
import { MediaCheck } from "./media_check.ts";
import { isPackageName, packageFault } from "./package_bytes.ts";
import { SiteCheck } from "./site_check.ts";
import { TableCheck } from "./table_check.ts";
import { BadTarball, type UnpackedFile, unpackTarball } from "../objects/tarball.ts";

/** Rows, and bytes of rows, after which others have their turn: a few milliseconds' work. */
const ROWS_AT_ONCE = 40;
const ROW_BYTES_AT_ONCE = 200_000;

/** One thing that is wrong with a backup. */
export interface BackupError {
  /** The file, and the row where there is one. */
  path: string;
  message: string;
}

/** The size of a table in a backup. */
export interface TableCount {
  rows: number;
  /** Entities that are alive in it; rows where a table holds no versions. */
  entities: number;
}

/** The result of the check. */
export interface BackupCheck {
  /** False when it is no gzip tarball at all. */
  isTarball: boolean;
  errors: BackupError[];
  manifest: Manifest | null;
  tables: { [table in TableName]?: TableCount };
}

/** Takes the rows of a backup while they are being checked. */
export interface RowSink {
  /** `last`: no further version of the same entity follows. */
  row(table: TableName, line: Uint8Array, last: boolean): Promise<void>;
  end(table: TableName): Promise<void>;
}

/** Checks a backup to its end, or to the point where nothing can be said any more. */
export async function checkBackup(
  packed: ReadableStream<Uint8Array>,
  options: { pause: () => Promise<void>; sink?: RowSink; signal?: AbortSignal },
): Promise<BackupCheck> {
  const check = new Check(options);
  try {
    for await (const file of unpackTarball(packed, options)) await check.file(file);
    check.finish();
  } catch (error) {
    if (!(error instanceof BadTarball)) throw error;
    check.end(error.message);
  }
  return check.result;
}

class Check {
  readonly result: BackupCheck = { isTarball: false, errors: [], manifest: null, tables: {} };
  readonly #sink: RowSink | undefined;
  readonly #pause: () => Promise<void>;
  readonly #facts = new Map<string, TableFacts>();
  readonly #site = new SiteCheck();
  readonly #media = new MediaCheck();

  constructor({ sink, pause }: { sink?: RowSink; pause: () => Promise<void> }) {
    this.#sink = sink;
    this.#pause = pause;
  }

  fail(path: string, message: string): void {
    this.result.errors.push({ path, message });
    if (this.result.errors.length >= BACKUP_ERRORS_MAX) {
      throw new BadTarball("It has too many errors");
    }
  }

  /** The last word. */
  end(message: string): void {
    this.result.errors.push({ path: "", message });
  }

  async file(file: UnpackedFile): Promise<void> {
    this.result.isTarball = true;
    const table = TABLES.find((name) => tablePath(name) === file.name);
    if (file.name === MANIFEST_NAME) await this.#readManifest(file);
    else if (table !== undefined) await this.#readTable(table, file);
    else if (file.name === MEDIA_NAME) await this.#readMediaList(file);
    else if (file.name.startsWith(MEDIA_FOLDER)) {
      await this.#media.bytes(file.name.slice(MEDIA_FOLDER.length), file.content);
    } else if (isPackageName(file.name)) {
      const fault = await packageFault(file.name, file.content);
      if (fault !== null) this.fail(file.name, fault);
    } else throw new BadTarball(`It contains ${file.name}, which is not part of a backup`);
  }

  async #readManifest(file: UnpackedFile): Promise<void> {
    if (file.bytes > MANIFEST_BYTES_MAX) throw new BadTarball("Its manifest is far too long");
    const text = await new Response(ReadableStream.from(file.content)).text();
    const manifest = parseJson(text);
    const version = (manifest as { formatVersion?: unknown } | null)?.formatVersion;
    if (typeof version === "number" && version > BACKUP_FORMAT) {
      throw new BadTarball(
        `It has format ${version}; this service reads formats up to ${BACKUP_FORMAT}`,
      );
    }
    const parsed = Manifest.safeParse(manifest);
    if (parsed.success) this.result.manifest = parsed.data;
    else {
      const { path, message } = firstIssue(parsed.error);
      throw new BadTarball(`Its manifest is wrong: ${path} ${message}`);
    }
    if (parsed.data.redacted) this.fail(MANIFEST_NAME, "A redacted backup cannot be imported");
  }

  async #readTable(table: TableName, file: UnpackedFile): Promise<void> {
    const check = new TableCheck(
      table,
      (row, message) => this.fail(`${file.name}:${row}`, message),
    );
    const count = new Count();
    const batch = { rows: 0, bytes: 0 };
    let held: Uint8Array | null = null;
    for await (const line of splitLines(file.content)) {
      count.add(line);
      const { isNew } = check.row(count.rows, line, (version) => this.#site.entity(version));
      // A row is passed on once the next one shows whether its entity continues.
      if (held !== null) await this.#sink?.row(table, held, isNew);
      held = line.slice();
      if (count.rows - batch.rows < ROWS_AT_ONCE && count.bytes - batch.bytes < ROW_BYTES_AT_ONCE) {
        continue;
      }
      Object.assign(batch, { rows: count.rows, bytes: count.bytes });
      await this.#pause();
    }
    check.end((version) => this.#site.entity(version));
    if (held !== null) await this.#sink?.row(table, held, true);
    await this.#sink?.end(table);
    this.result.tables[table] = { rows: count.rows, entities: check.entities };
    this.#facts.set(table, count.facts());
  }

  async #readMediaList(file: UnpackedFile): Promise<void> {
    const count = new Count();
    for await (const line of splitLines(file.content)) {
      count.add(line);
      const fault = this.#media.line(parseJson(new TextDecoder().decode(line)));
      if (fault !== null) this.fail(`${MEDIA_NAME}:${count.rows}`, fault);
    }
    this.#facts.set(MEDIA_NAME, count.facts());
  }

  /** Checks the totals, once everything has been read. */
  finish(): void {
    const { manifest } = this.result;
    if (manifest === null) throw new BadTarball("It has no manifest");
    for (const table of TABLES) this.#compare(tablePath(table), table, manifest.tables[table]);
    this.#compare(MEDIA_NAME, MEDIA_NAME, manifest.media);
    for (const message of this.#site.faults()) this.fail("", message);
    for (const message of this.#media.faults()) this.fail(MEDIA_NAME, message);
  }

  #compare(path: string, name: string, expected: TableFacts | undefined): void {
    const found = this.#facts.get(name);
    if (expected === undefined) {
      if (found !== undefined) this.fail(path, "The manifest does not tell of it");
    } else if (found === undefined) this.fail(path, "It is missing");
    else if (found.rows !== expected.rows) {
      this.fail(path, `It has ${found.rows} rows, the manifest says ${expected.rows}`);
    } else if (found.sha256 !== expected.sha256 || found.bytes !== expected.bytes) {
      this.fail(path, "Its checksum is not the manifest's");
    }
  }
}

/** Undefined when it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts and hashes lines. */
class Count {
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
