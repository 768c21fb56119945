/**
 * A tarball on its way into the object store: counted while it passes, never held in memory.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { IMPORT_BYTES_MAX } from "../limits/store.ts";
import { importPath } from "../objects/paths.ts";
import { Refusal } from "../refusals.ts";

/** Stores the body of a request; answers the id under which it waits. */
export async function storeImport(
  context: Context,
  { body, headers }: { body: ReadableStream<Uint8Array> | null; headers: Headers },
  bytesMax = IMPORT_BYTES_MAX,
): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > bytesMax) {
    throw new Refusal("PAYLOAD_TOO_LARGE");
  }
  if (body === null) throw new Refusal("BODY_INVALID", { about: "it is missing" });
  const id = context.newId(context.now());
  let bytes = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength;
        if (bytes > bytesMax) throw new Refusal("PAYLOAD_TOO_LARGE");
        controller.enqueue(piece);
      },
    }),
  );
  await context.objects.putStream(importPath(id), counted, { contentType: "application/gzip" });
  if (bytes === 0) {
    await context.objects.delete(importPath(id));
    throw new Refusal("BODY_INVALID", { about: "it is missing" });
  }
  return id;
}
