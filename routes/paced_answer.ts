/**
 * Answers that are sent piece by piece, for readers that take them: one that stops reading holds a connection, and
 * the file or the documents behind the answer.
 *
 * @module
 */
import { ANSWER_STALL_MS } from "./limits.ts";

/** The same bytes, until the reader takes none for `stallMs`: the connection is closed then. */
export function pacedAnswer<T extends Uint8Array>(
  stream: ReadableStream<T>,
  stallMs = ANSWER_STALL_MS,
): ReadableStream<T> {
  const reader = stream.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new ReadableStream<T>({
    async pull(controller) {
      clearTimeout(timer);
      const { value, done } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      timer = setTimeout(() => {
        controller.error(new Error("The answer is not read"));
        reader.cancel().catch(() => {});
      }, stallMs);
      Deno.unrefTimer(timer);
    },
    cancel(reason) {
      clearTimeout(timer);
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
