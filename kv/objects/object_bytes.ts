/**
 * Small functions over bytes and streams that every object store needs.
 *
 * @module
 */

/** Pieces in one array. */
export function joinBytes(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((total, piece) => total + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.byteLength;
  }
  return joined;
}

/**
 * A stream as full parts of `partBytes`, the last one shorter. All parts use one buffer: a part is valid
 * until the next one is asked for.
 */
export async function* fillParts(
  body: ReadableStream<Uint8Array>,
  partBytes: number,
): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; last: boolean }, void> {
  const buffer = new Uint8Array(partBytes);
  let filled = 0;
  for await (const piece of body) {
    let taken = 0;
    while (taken < piece.byteLength) {
      // A full buffer waits for one more byte, so that the last part is known as the last.
      if (filled === partBytes) {
        yield { bytes: buffer, last: false };
        filled = 0;
      }
      const next = piece.subarray(taken, taken + partBytes - filled);
      buffer.set(next, filled);
      filled += next.byteLength;
      taken += next.byteLength;
    }
  }
  if (filled > 0) yield { bytes: buffer.subarray(0, filled), last: true };
}

/** Passes a stream on; a failure, or a wait of more than `ms` for one piece, becomes `failure(cause)`. */
export function readWithin(
  stream: ReadableStream<Uint8Array>,
  ms: number,
  failure: (cause: unknown) => Error,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`Nothing arrived for ${ms} ms`)), ms);
      });
      try {
        const { value, done } = await Promise.race([reader.read(), late]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // The end of the broken stream does not matter; it must only not be left open.
        reader.cancel(error).catch(() => {});
        controller.error(failure(error));
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Ends a stream after `count` bytes. */
export function firstBytes(count: number): TransformStream<Uint8Array, Uint8Array> {
  let left = count;
  return new TransformStream({
    transform(piece, controller) {
      if (left > 0) controller.enqueue(piece.subarray(0, left));
      left -= piece.byteLength;
      if (left <= 0) controller.terminate();
    },
  });
}
