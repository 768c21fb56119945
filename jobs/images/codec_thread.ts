/**
 * Runs transforms in separate threads, so that requests are not delayed and the memory of the codecs is
 * given back. Where the platform has no threads, or they do not start, small pictures are transformed
 * between requests instead, and large ones are left as they are.
 *
 * @module
 */
import {
  CODEC_START_MS_MAX,
  SILENCES_MAX,
  THREADLESS_PIXELS_MAX,
  TRANSFORM_MS_MAX,
} from "../limits.ts";
import { malformedImage } from "../../kv/model/values/malformed_image.ts";
import { type PictureWork, transformPicture } from "./codec.ts";
import type { PictureAnswer } from "./codec_worker.ts";

/** Runs one transform; null where this place cannot do that much. */
export type Codec = (
  work: PictureWork & { pixels: number },
) => Promise<Uint8Array<ArrayBuffer> | null>;

/** The thread never came to the point where it could work. */
class NoThread extends Error {
  override name = "NoThread";
}

/** Nor did it say so. */
class SilentThread extends NoThread {
  override name = "SilentThread";
}

/** A codec for this platform; `startThread` is replaced in tests. */
export function threadedCodec(startThread: () => Worker = newThread): Codec {
  let silences = 0;
  return async ({ pixels, ...work }) => {
    if (silences < SILENCES_MAX) {
      try {
        return await runInThread(startThread, work);
      } catch (error) {
        if (!(error instanceof NoThread)) throw error;
        silences += error instanceof SilentThread ? 1 : SILENCES_MAX;
      }
    }
    if (pixels > THREADLESS_PIXELS_MAX) return null;
    return await transformPicture(work).catch((error) => {
      throw malformedImage(String(error));
    });
  };
}

function newThread(): Worker {
  return new Worker(new URL("./codec_worker.ts", import.meta.url), { type: "module" });
}

async function runInThread(
  startThread: () => Worker,
  work: PictureWork,
): Promise<Uint8Array<ArrayBuffer>> {
  let thread: Worker;
  try {
    thread = startThread();
  } catch (cause) {
    throw new NoThread("No thread can be made", { cause });
  }
  const answer = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  let hasStarted = false;
  const silent = new SilentThread("The thread is silent");
  let timer = setTimeout(() => answer.reject(silent), CODEC_START_MS_MAX);
  thread.onmessage = ({ data: made }: MessageEvent<PictureAnswer>) => {
    if ("ready" in made) {
      hasStarted = true;
      clearTimeout(timer);
      const late = new Error(`A transform took more than ${TRANSFORM_MS_MAX} ms`);
      timer = setTimeout(() => answer.reject(late), TRANSFORM_MS_MAX);
      thread.postMessage(work);
    } else if ("bytes" in made) answer.resolve(made.bytes);
    else answer.reject(malformedImage(made.error));
  };
  thread.onerror = (event) => {
    event.preventDefault();
    const words = `The transform thread failed: ${event.message}`;
    answer.reject(hasStarted ? new Error(words) : new NoThread(words));
  };
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    thread.terminate();
  }
}
