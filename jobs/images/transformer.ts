/**
 * Makes transforms of pictures: one at a time in a process, each once, in a thread of its own, so that
 * requests go on meanwhile and the memory of the codecs is given back.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import type { MediaState } from "../../kv/model/media.ts";
import { type Transform, transformMime, transformName } from "../../kv/model/transform.ts";
import { mediaPath, transformPath } from "../../kv/objects/paths.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { PictureWork } from "./codec.ts";
import type { PictureAnswer } from "./codec_worker.ts";

/** Transforms that wait for their turn; more are refused for the moment. */
const WAITING_MAX = 50;
/** How long one transform may take, milliseconds. */
const TRANSFORM_MS_MAX = 30_000;

/** Runs one transform; replaced in tests. */
export type Codec = (work: PictureWork) => Promise<Uint8Array<ArrayBuffer>>;

/** A transform in the object store. */
export interface ReadyTransform {
  key: string;
  bytes: number;
}

/** Transforms, made when they are first asked for and kept in the object store. */
export class ImageTransformer {
  readonly #context: Context;
  readonly #codec: Codec;
  readonly #underway = new Map<string, Promise<ReadyTransform>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(context: Context, options: { codec?: Codec } = {}) {
    this.#context = context;
    this.#codec = options.codec ?? runInThread;
  }

  /** Where the transform is kept; it is made first when it is not there. */
  async ensure(medium: MediaState, transform: Transform): Promise<ReadyTransform> {
    const key = transformPath(medium.object, transformName(transform));
    const kept = await this.#context.objects.head(key);
    if (kept !== null) return { key, bytes: kept.bytes };
    let making = this.#underway.get(key);
    if (making === undefined) {
      making = this.#inTurn(() => this.#make(key, medium, transform))
        .finally(() => this.#underway.delete(key));
      this.#underway.set(key, making);
    }
    return await making;
  }

  #inTurn(work: () => Promise<ReadyTransform>): Promise<ReadyTransform> {
    if (this.#underway.size >= WAITING_MAX) {
      return Promise.reject(new Refusal("UNAVAILABLE", { retryAfterSeconds: 5 }));
    }
    const mine = this.#turn.then(work);
    // The next one's turn comes whether this one succeeds or not; its own caller hears of the failure.
    this.#turn = mine.catch(() => {});
    return mine;
  }

  async #make(key: string, medium: MediaState, transform: Transform): Promise<ReadyTransform> {
    const bytes = await this.#context.objects.get(mediaPath(medium.object));
    if (bytes === null) throw new Refusal("NOT_FOUND");
    const made = await this.#codec({
      bytes: bytes as Uint8Array<ArrayBuffer>,
      mime: medium.mime,
      transform,
    });
    await this.#context.objects.put(key, made, { contentType: transformMime(transform) });
    return { key, bytes: made.byteLength };
  }
}

async function runInThread(work: PictureWork): Promise<Uint8Array<ArrayBuffer>> {
  const worker = new Worker(new URL("./codec_worker.ts", import.meta.url), { type: "module" });
  const answer = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const timer = setTimeout(
    () => answer.reject(new Error(`A transform took more than ${TRANSFORM_MS_MAX} ms`)),
    TRANSFORM_MS_MAX,
  );
  worker.onmessage = ({ data: made }: MessageEvent<PictureAnswer>) => {
    if ("bytes" in made) answer.resolve(made.bytes);
    else answer.reject(malformed(made.error));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    answer.reject(new Error(`The transform thread failed: ${event.message}`));
  };
  try {
    worker.postMessage(work);
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

function malformed(cause: string): Refusal {
  return new Refusal("UNSUPPORTED_MEDIA_TYPE", { about: "the image is malformed" }, { cause });
}
