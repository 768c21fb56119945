/**
 * A thread that transforms or checks one picture, then answers the result or the error.
 *
 * @module
 */
/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import {
  checkPicture,
  isExhausted,
  type PictureFinding,
  type PictureSource,
  type PictureWork,
  transformPicture,
} from "./codec.ts";

/** The work of the thread: without a transform, it only checks the picture. */
export type ThreadWork = PictureWork | PictureSource;

/** The messages of the thread: first that it is ready, then the result or an error. */
export type PictureAnswer =
  | { ready: true }
  | { bytes: Uint8Array<ArrayBuffer> }
  | { finding: PictureFinding }
  /** `exhausted`: memory ran out. */
  | { error: string; exhausted: boolean };

self.onmessage = async ({ data: work }: MessageEvent<ThreadWork>) => {
  try {
    if ("transform" in work) {
      const bytes = await transformPicture(work);
      self.postMessage({ bytes } satisfies PictureAnswer, [bytes.buffer]);
    } else {
      self.postMessage({ finding: await checkPicture(work) } satisfies PictureAnswer);
    }
  } catch (error) {
    const exhausted = isExhausted(error);
    self.postMessage({ error: String(error), exhausted } satisfies PictureAnswer);
  }
};

self.postMessage({ ready: true } satisfies PictureAnswer);
