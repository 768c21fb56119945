/**
 * The body of a list: one text when its documents are at hand, else written document by document, so that
 * a page of large documents is never whole in memory.
 *
 * @module
 */
import type { Listed } from "../../kv/documents/reader.ts";
import type { Stored } from "../../kv/documents/write.ts";

/** What a list says, and how. */
export interface ListBodyOptions {
  listed: readonly Listed[];
  meta: { page: number; perPage: number; total: number };
  /** A document as JSON. */
  write: (stored: Stored) => string;
  /** Told of an error that comes when the answer has begun; the answer is then cut off. */
  failed: (error: unknown) => void;
}

/** The list envelope as JSON. */
export function listBody(
  options: ListBodyOptions,
): string | ReadableStream<Uint8Array<ArrayBuffer>> {
  const { listed, meta, write } = options;
  const end = `],"meta":${JSON.stringify(meta)}}`;
  const texts: string[] = [];
  for (const one of listed) {
    if (typeof one === "function") return streamed(options, end);
    texts.push(write(one));
  }
  return `{"data":[${texts.join(",")}${end}`;
}

function streamed(
  { listed, write, failed }: ListBodyOptions,
  end: string,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return ReadableStream.from((async function* () {
    yield encoder.encode('{"data":[');
    let separator = "";
    try {
      for (const one of listed) {
        const stored = typeof one === "function" ? await one() : one;
        if (stored === null) continue;
        yield encoder.encode(separator + write(stored));
        separator = ",";
      }
    } catch (error) {
      failed(error);
      throw error;
    }
    yield encoder.encode(end);
  })());
}
