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

/** What the thread does with a picture: it checks it if there is no transform. */
export type ThreadWork = PictureWork | PictureSource;

/** What the thread says: that it has started; then the result, or what went wrong. */
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
