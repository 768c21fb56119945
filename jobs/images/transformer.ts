/**
 * Makes transforms of pictures: one at a time in a process, each once.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { pictureFacts } from "../../kv/media/formats/picture_structure.ts";
import { isPicture, type MediaState } from "../../kv/model/entities/media.ts";
import { type Transform, transformMime, transformName } from "../../kv/model/values/transform.ts";
import { mediaPath, transformPath } from "../../kv/objects/paths.ts";
import { Refusal } from "../../kv/refusals.ts";
import { malformedImage } from "../../kv/model/values/malformed_image.ts";
import { type Codec, threadedCodec } from "./codec_thread.ts";
import { PictureQueue } from "./picture_queue.ts";

/** A transform in the object store. */
export interface ReadyTransform {
  key: string;
  bytes: number;
}

/** Transforms, made when they are first asked for and kept in the object store. */
export class ImageTransformer {
  readonly #context: Context;
  readonly #codec: Codec;
  readonly #underway = new Map<string, Promise<ReadyTransform | null>>();
  readonly #queue: PictureQueue;

  constructor(context: Context, options: { codec?: Codec; queue?: PictureQueue } = {}) {
    this.#context = context;
    this.#queue = options.queue ?? new PictureQueue();
    this.#codec = options.codec ?? threadedCodec();
  }

  /**
   * The stored transform, which is created first if it does not exist. Null if the picture is too large to be
   * transformed here.
   */
  async ensure(medium: MediaState, transform: Transform): Promise<ReadyTransform | null> {
    const key = transformPath(medium.object, transformName(transform));
    const kept = await this.#context.objects.head(key);
    if (kept !== null) return { key, bytes: kept.bytes };
    let making = this.#underway.get(key);
    if (making === undefined) {
      making = this.#queue.run("transform", () => this.#make(key, medium, transform))
        .finally(() => this.#underway.delete(key));
      this.#underway.set(key, making);
    }
    return await making;
  }

  async #make(
    key: string,
    medium: MediaState,
    transform: Transform,
  ): Promise<ReadyTransform | null> {
    if (!isPicture(medium.mime)) return null;
    const bytes = await this.#context.objects.get(mediaPath(medium.object));
    if (bytes === null) throw new Refusal("NOT_FOUND");
    // A medium of an earlier release does not say whether it can only be shown as it is.
    if (pictureFacts(medium.mime, bytes).isFixed) throw malformedImage("it has no other form");
    const made = await this.#codec({
      bytes: bytes as Uint8Array<ArrayBuffer>,
      mime: medium.mime,
      transform,
      pixels: medium.width * medium.height,
    });
    if (made === null) return null;
    await this.#context.objects.put(key, made, { contentType: transformMime(transform) });
    return { key, bytes: made.byteLength };
  }
}
