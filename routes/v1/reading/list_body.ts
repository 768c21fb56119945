/**
 * The body of a list: one text when its documents are in memory, else written document by document, so
 * that a page of large documents is never whole in memory. A document whose object is missing breaks no
 * list: `meta.unavailable` names it.
 *
 * @module
 */
import { isLarge, type ListedOrLarge, readAhead } from "../../../kv/documents/read_ahead.ts";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import { READ_AHEAD_BYTES_MAX } from "../../../kv/tuning.ts";
import { pacedAnswer } from "../../answers/paced_answer.ts";
import { publicTag, PublicTagHash } from "./etag.ts";

/** The documents and metadata of a list, and how to serialize them. */
export interface ListBodyOptions {
  listed: readonly ListedOrLarge[];
  meta: { perPage: number; total: number; [name: string]: unknown };
  /** A document as JSON. */
  write: (stored: StoredDocument) => string;
  /** Called with an error after the response has started; the response is then cut off. */
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

/**
 * A list whose tag is a hash of its bytes, which must be known before the first byte is sent. A
 * large list is serialized once for the tag and again for the response; a small one is kept.
 */
export async function publicListBody(
  options: ListBodyOptions,
  query: string,
): Promise<{ etag: string; body: () => ReturnType<typeof listBody> }> {
  if (!options.listed.some(isLarge)) {
    const text = listBody(options) as string;
    return { etag: publicTag(query, text), body: () => text };
  }
  const digest = new PublicTagHash(query);
  let texts: string[] | null = [];
  let chars = 0;
  for await (const text of pieces(options)) {
    digest.add(text);
    chars += text.length;
    if (chars > READ_AHEAD_BYTES_MAX) texts = null;
    texts?.push(text);
  }
  const whole = texts?.join("");
  return { etag: digest.tag(), body: () => whole ?? streamed(options) };
}

function streamed(options: ListBodyOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return pacedAnswer(ReadableStream.from((async function* () {
    try {
      for await (const text of pieces(options)) yield encoder.encode(text);
    } catch (error) {
      options.failed(error);
      throw error;
    }
  })()));
}

/** The envelope document by document. */
async function* pieces({ listed, meta, write }: ListBodyOptions): AsyncGenerator<string> {
  yield '{"data":[';
  let separator = "";
  const unavailable: string[] = [];
  for await (const taken of readAhead(listed)) {
    if ("unavailable" in taken) {
      unavailable.push(taken.unavailable);
      continue;
    }
    yield separator + write(taken.stored);
    separator = ",";
  }
  yield endOf(unavailable.length === 0 ? meta : { ...meta, unavailable });
}
