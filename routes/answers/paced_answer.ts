/**
 * Answers that are sent piece by piece, for readers that take them: one that stops reading holds a connection, and
 * the file or the documents behind the answer.
 *
 * @module
 */
import { ANSWER_STALL_MS } from "../input/limits.ts";

/** The source of a streamed response. */
export interface AnswerSource<T> {
  next: () => Promise<{ value?: T | undefined; done: boolean }>;
  /** Called when the reader has gone, or takes no more. */
  cancel: (reason?: unknown) => Promise<unknown>;
}

/** The pieces of a source, until the reader takes none for `stallMs`: the connection is closed then. */
export function pacedPieces<T extends Uint8Array>(
  { next, cancel }: AnswerSource<T>,
  stallMs = ANSWER_STALL_MS,
): ReadableStream<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new ReadableStream<T>({
    async pull(controller) {
      clearTimeout(timer);
      const { value, done } = await next();
      if (done || value === undefined) return controller.close();
      controller.enqueue(value);
      timer = setTimeout(() => {
        controller.error(new Error("The client does not read the response"));
        cancel().catch(() => {});
      }, stallMs);
      Deno.unrefTimer(timer);
    },
    async cancel(reason) {
      clearTimeout(timer);
      await cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/** The same for a stream of bytes. */
export function pacedAnswer<T extends Uint8Array>(
  stream: ReadableStream<T>,
  stallMs = ANSWER_STALL_MS,
): ReadableStream<T> {
  const reader = stream.getReader();
  return pacedPieces({
    next: () => reader.read() as Promise<{ value?: T | undefined; done: boolean }>,
    cancel: (reason) => reader.cancel(reason),
  }, stallMs);
}
