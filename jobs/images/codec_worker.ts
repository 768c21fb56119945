/**
 * A thread that transforms one picture and answers its bytes, or what went wrong.
 *
 * @module
 */
/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { type PictureWork, transformPicture } from "./codec.ts";

/** What the thread says: that it has started; then the bytes, or what went wrong. */
export type PictureAnswer =
  | { ready: true }
  | { bytes: Uint8Array<ArrayBuffer> }
  | { error: string };

self.onmessage = async ({ data: work }: MessageEvent<PictureWork>) => {
  try {
    const bytes = await transformPicture(work);
    self.postMessage({ bytes } satisfies PictureAnswer, [bytes.buffer]);
  } catch (error) {
    self.postMessage({ error: String(error) } satisfies PictureAnswer);
  }
};

self.postMessage({ ready: true } satisfies PictureAnswer);
