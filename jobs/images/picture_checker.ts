/**
 * Decodes each uploaded picture once, up to the size at which pictures are transformed: refuses broken
 * ones, and finds those that the codec cannot read although they are whole.
 *
 * @module
 */
import type { PictureCheck } from "../../kv/media/upload.ts";
import { isPicture } from "../../kv/model/entities/media.ts";
import { malformedImage } from "../../kv/model/values/malformed_image.ts";
import { isTransformable } from "../../kv/model/values/transform.ts";
import { mediaPath } from "../../kv/objects/paths.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Context } from "../../kv/context.ts";
import { REMEMBERED_CHECKS_MAX } from "../limits.ts";
import { decodedBytes } from "./decoded_bytes.ts";
import { type CheckCodec, threadedCheck } from "./codec_thread.ts";
import { PictureQueue } from "./picture_queue.ts";

/** The result of decoding a picture; an `unsupported` one has no variants. */
type Finding = "readable" | "unsupported" | "malformed";

/** Checks uploads. The same bytes are decoded once per process, however often they are uploaded. */
export class PictureChecker {
  readonly #findings = new Map<string, Promise<Finding>>();
  readonly #context: Pick<Context, "objects" | "log">;
  readonly #queue: PictureQueue;
  readonly #codec: CheckCodec;

  constructor(
    context: Pick<Context, "objects" | "log">,
    options: { queue?: PictureQueue; codec?: CheckCodec } = {},
  ) {
    this.#context = context;
    this.#queue = options.queue ?? new PictureQueue();
    this.#codec = options.codec ?? threadedCheck();
  }

  /** Throws UNSUPPORTED_MEDIA_TYPE for a picture whose pixels are broken or incomplete. */
  readonly check: PictureCheck = async (upload) => {
    if (!isTransformable(upload)) return {};
    const { sha256 } = upload;
    let finding = this.#findings.get(sha256);
    if (finding === undefined) {
      finding = this.#queue.run("upload", () => this.#decode(upload));
      this.#remember(sha256, finding);
    }
    switch (await finding) {
      case "readable":
        return {};
      case "unsupported":
        return { asIs: true };
      case "malformed":
        throw malformedImage("its pixels cannot be decoded");
    }
  };

  async #decode(
    { object, mime, width, height }: Parameters<PictureCheck>[0],
  ): Promise<Finding> {
    if (!isPicture(mime)) return "readable";
    const stream = await this.#context.objects.getStream(mediaPath(object));
    if (stream === null) throw new Error("The bytes of an upload are gone");
    const bytes = await decodedBytes(mime, stream);
    try {
      return await this.#codec({ bytes, mime, pixels: width * height });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // It took too long, or ended its thread: a transform of it would, too.
      this.#context.log.warn("an image cannot be decoded", { object, reason: String(error) });
      return "unsupported";
    }
  }

  #remember(sha256: string, finding: Promise<Finding>): void {
    this.#findings.set(sha256, finding);
    if (this.#findings.size > REMEMBERED_CHECKS_MAX) {
      const [oldest] = this.#findings.keys();
      this.#findings.delete(oldest!);
    }
    // A failure of the object store says nothing of the picture.
    finding.catch(() => this.#findings.delete(sha256));
  }
}
