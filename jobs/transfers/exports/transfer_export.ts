/**
 * TRANSFER_EXPORT: content as a file that another system reads. It is written in one step, and kept for a while.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import { TRANSFER_KEPT_MS } from "../../../kv/limits/transfers.ts";
import type { Settings } from "../../../kv/sources/settings.ts";
import type { TransferExport } from "../../../kv/jobs/payloads.ts";
import { TRANSFER_EXPORTS_PREFIX, transferExportPath } from "../../../kv/objects/paths.ts";
import { packTarball, type TarballFile } from "../../../kv/objects/tarball.ts";
import { type JobKind, jobKind, next, type OutcomeOf, type Work } from "../../runner/job_kind.ts";
import type { TransferDeps } from "../run/transfer_deps.ts";
import { ExportScope } from "./export_scope.ts";
import { jsonExport } from "./json_export.ts";
import { type ArchiveFile, markdownExport } from "./markdown_export.ts";
import { sanityLines } from "./sanity_export.ts";
import { wxrExport } from "./wxr_export.ts";

/** The names and types of files by format. */
const FILES: Readonly<Record<TransferExport["kind"], { filename: string; contentType: string }>> = {
  wxr: { filename: "content.xml", contentType: "application/xml" },
  markdown: { filename: "content.zip", contentType: "application/zip" },
  sanity: { filename: "content.tar.gz", contentType: "application/gzip" },
  json: { filename: "content.json", contentType: "application/json" },
};

/** The kind of job that exports content for another system. */
export function transferExportKind(deps: TransferDeps): JobKind<"TRANSFER_EXPORT"> {
  return jobKind("TRANSFER_EXPORT", { write: (work) => write(deps, work) }, { concurrencyMax: 1 });
}

async function write(
  deps: TransferDeps,
  { context, payload, jobId, signal }: Work<"TRANSFER_EXPORT">,
): Promise<OutcomeOf<"TRANSFER_EXPORT", "write">> {
  const scope = new ExportScope(deps, await deps.content.schema.current(), payload, signal);
  const stream = await streamOf(deps, scope, payload.kind);
  const file = await storeExport(context, jobId, stream, FILES[payload.kind]);
  const url = `/api/admin/transfers/exports/${jobId}`;
  return next({ documents: scope.documents, ...file, url });
}

/** Stores the file of an export. */
export async function storeExport<T extends { contentType: string }>(
  context: Context,
  jobId: string,
  stream: ReadableStream<Uint8Array>,
  file: T,
): Promise<T & { bytes: number }> {
  const { contentType } = file;
  const path = transferExportPath(jobId);
  const { bytes } = await context.objects.putStream(path, stream, { contentType });
  await sweepExports(context);
  return { ...file, bytes };
}

async function streamOf(
  { settings, content: { context } }: TransferDeps,
  scope: ExportScope,
  kind: TransferExport["kind"],
): Promise<ReadableStream<Uint8Array>> {
  const site = await siteOf(settings);
  if (kind === "markdown") return zipped(markdownExport(scope));
  if (kind === "sanity") return await sanityArchive(context, scope);
  const texts = kind === "wxr" ? wxrExport(scope, site) : jsonExport(scope, site.url);
  return ReadableStream.from(texts).pipeThrough(new TextEncoderStream());
}

async function siteOf(settings: Pick<Settings, "get">): Promise<{ title: string; url: string }> {
  const [title, url] = await Promise.all([
    settings.get<string>("site.title"),
    settings.get<string>("site.url"),
  ]);
  return { title, url: url.replace(/\/+$/, "") };
}

/** A zip file of files, as they are written. */
export function zipped(files: AsyncIterable<ArchiveFile>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const fill = async () => {
    const { configure, TextReader, ZipWriter } = await import("@zip.js/zip.js");
    configure({ useWebWorkers: false });
    const writer = new ZipWriter(writable as never);
    for await (const { path, content } of files) {
      await writer.add(
        path,
        (typeof content === "string" ? new TextReader(content) : content) as never,
      );
    }
    await writer.close();
  };
  // The failure arrives where the stream is read.
  fill().catch((error) => writable.abort(error).catch(() => {}));
  return readable;
}

/** A gzip tarball, whose files must announce their sizes: the lines are stored first. */
async function sanityArchive(
  context: Context,
  scope: ExportScope,
): Promise<ReadableStream<Uint8Array>> {
  const path = transferExportPath(`${context.newId(context.now())}.ndjson`);
  const lines = ReadableStream.from(sanityLines(scope)).pipeThrough(new TextEncoderStream());
  const { bytes } = await context.objects.putStream(path, lines);
  async function* files(): AsyncGenerator<TarballFile> {
    const data = await context.objects.getStream(path);
    if (data === null) throw new Error("The lines of the export are gone");
    yield { name: "export/data.ndjson", bytes, content: data };
    await context.objects.delete(path);
    for (const medium of scope.media) {
      const content = await scope.bytesOf(medium);
      const folder = medium.mime.startsWith("image/") ? "images" : "files";
      const name = `export/${folder}/${medium.id}-${medium.filename.replace(/[^\w.-]+/g, "_")}`;
      if (content !== null) yield { name, bytes: medium.bytes, content };
    }
  }
  return packTarball(files(), {
    at: Math.floor(context.now() / 1000),
    pause: () => context.store.sleep(0),
    signal: scope.signal,
  });
}

/** Exports are kept as long as uploads. */
async function sweepExports({ objects, now }: Context): Promise<void> {
  for await (const { key, modifiedAt } of objects.list(TRANSFER_EXPORTS_PREFIX)) {
    if (now() - modifiedAt > TRANSFER_KEPT_MS) await objects.delete(key);
  }
}
