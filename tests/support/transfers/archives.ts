/**
 * Archives for tests of transfers.
 *
 * @module
 */
import { BlobWriter, configure, TextReader, Uint8ArrayReader, ZipWriter } from "@zip.js/zip.js";
import { packTar } from "modern-tar";
import { gzipSync } from "node:zlib";

/** A zip file with these files. */
export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Uint8Array> {
  configure({ useWebWorkers: false });
  const writer = new ZipWriter(new BlobWriter("application/zip"));
  for (const [name, content] of Object.entries(files)) {
    const reader = typeof content === "string"
      ? new TextReader(content)
      : new Uint8ArrayReader(content);
    await writer.add(name, reader as never);
  }
  const blob = await writer.close();
  return new Uint8Array(await blob.arrayBuffer());
}

/** A gzip tarball with these files. */
export async function tarballOf(files: Record<string, string | Uint8Array>): Promise<Uint8Array> {
  const packed = await packTar(
    Object.entries(files).map(([name, content]) => {
      const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
      return { header: { name, size: body.byteLength, type: "file" as const }, body };
    }),
  );
  return gzipSync(packed);
}
