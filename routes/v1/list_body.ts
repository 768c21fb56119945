/**
 * The body of a list: one text when its documents are in memory, else written document by document, so
 * that a page of large documents is never whole in memory. A document whose object is missing breaks no
 * list: `meta.unavailable` names it.
 *
 * @module
 */
import { isLarge, type Listed, readAhead } from "../../kv/documents/read_ahead.ts";
import type { Stored } from "../../kv/documents/write.ts";
import { pacedAnswer } from "../paced_answer.ts";

/** What a list says, and how. */
export interface ListBodyOptions {
  listed: readonly Listed[];
  meta: { perPage: number; total: number; [name: string]: unknown };
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
  const texts: string[] = [];
  for (const one of listed) {
    if (isLarge(one)) return streamed(options);
    texts.push(write(one));
  }
  return `{"data":[${texts.join(",")}${endOf(meta)}`;
}

function endOf(meta: ListBodyOptions["meta"] & { unavailable?: string[] }): string {
  return `],"meta":${JSON.stringify(meta)}}`;
}

function streamed(
  { listed, meta, write, failed }: ListBodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return pacedAnswer(ReadableStream.from((async function* () {
    yield encoder.encode('{"data":[');
    let separator = "";
    const unavailable: string[] = [];
    try {
      for await (const taken of readAhead(listed)) {
        if ("unavailable" in taken) {
          unavailable.push(taken.unavailable);
          continue;
        }
        yield encoder.encode(separator + write(taken.stored));
        separator = ",";
      }
    } catch (error) {
      failed(error);
      throw error;
    }
    yield encoder.encode(endOf(unavailable.length === 0 ? meta : { ...meta, unavailable }));
  })()));
}
