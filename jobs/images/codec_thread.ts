/**
 * Runs transforms in separate threads, so that requests are not delayed and the memory of the codecs is
 * given back. Where the platform has no threads, or they do not start, small pictures are transformed
 * between requests instead, and large ones are left as they are.
 *
 * @module
 */
import {
  CODEC_START_MS_MAX,
  INLINE_CHECK_BYTES_MAX,
  INLINE_CHECK_PIXELS_MAX,
  SILENCES_MAX,
  THREADLESS_PIXELS_MAX,
  TRANSFORM_MS_MAX,
} from "../limits.ts";
import { malformedImage } from "../../kv/model/values/malformed_image.ts";
import {
  checkPicture,
  type PictureFinding,
  type PictureSource,
  type PictureWork,
  transformPicture,
} from "./codec.ts";
import type { PictureAnswer, ThreadWork } from "./codec_worker.ts";

/** Runs one transform; null where this place cannot do that much. */
export type Codec = (
  work: PictureWork & { pixels: number },
) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Decodes one picture to check it. */
export type CheckCodec = (work: PictureSource & { pixels: number }) => Promise<PictureFinding>;

/** The thread never came to the point where it could work. */
class NoThread extends Error {
  override name = "NoThread";
}

/** Nor did it say so. */
class SilentThread extends NoThread {
  override name = "SilentThread";
}

/** Runs work in threads until they prove not to work here; null if this work had none. */
class Threads {
  readonly #startThread: () => Worker;
  #silences = 0;

  constructor(startThread: () => Worker) {
    this.#startThread = startThread;
  }

  async run(work: ThreadWork): Promise<ThreadResult | null> {
    if (this.#silences >= SILENCES_MAX) return null;
    try {
      return await runInThread(this.#startThread, work);
    } catch (error) {
      if (!(error instanceof NoThread)) throw error;
      this.#silences += error instanceof SilentThread ? 1 : SILENCES_MAX;
      return null;
    }
  }
}

/** A codec for this platform; `startThread` is replaced in tests. */
export function threadedCodec(startThread: () => Worker = newThread): Codec {
  const threads = new Threads(startThread);
  return async ({ pixels, ...work }) => {
    const result = await threads.run(work);
    if (result !== null) {
      if ("bytes" in result) return result.bytes;
      if ("exhausted" in result && result.exhausted) return null;
      throw malformedImage("error" in result ? result.error : "no picture");
    }
    if (pixels > THREADLESS_PIXELS_MAX) return null;
    return await transformPicture(work).catch((error) => {
      throw malformedImage(String(error));
    });
  };
}

/**
 * Checks pictures: those that take a few milliseconds at once, all others in threads. Without threads, large
 * pictures are not decoded.
 */
export function threadedCheck(startThread: () => Worker = newThread): CheckCodec {
  const threads = new Threads(startThread);
  return async ({ pixels, ...source }) => {
    // The size of an AVIF is only known after it was decoded.
    const isSmall = source.mime !== "image/avif" && pixels <= INLINE_CHECK_PIXELS_MAX &&
      source.bytes.byteLength <= INLINE_CHECK_BYTES_MAX;
    if (isSmall) return await checkPicture(source);
    const result = await threads.run(source);
    if (result !== null) {
      if ("finding" in result) return result.finding;
      throw new Error("error" in result ? result.error : "no finding");
    }
    return pixels > THREADLESS_PIXELS_MAX ? "readable" : await checkPicture(source);
  };
}

function newThread(): Worker {
  return new Worker(new URL("./codec_worker.ts", import.meta.url), { type: "module" });
}

/** The answer to the work. */
type ThreadResult = Exclude<PictureAnswer, { ready: true }>;

async function runInThread(
  startThread: () => Worker,
  work: ThreadWork,
): Promise<ThreadResult> {
  let thread: Worker;
  try {
    thread = startThread();
  } catch (cause) {
    throw new NoThread("No thread can be made", { cause });
  }
  const answer = Promise.withResolvers<ThreadResult>();
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
    } else answer.resolve(made);
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
