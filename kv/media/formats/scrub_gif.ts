/**
 * A GIF without its metadata: comments, and application blocks but for those that tell how an animation
 * repeats and which colors it means.
 *
 * @module
 */
import { malformedImage } from "../../model/values/malformed_image.ts";
import { viewOf } from "../bmff_box.ts";
import type { ByteSource } from "../byte_source.ts";
import { colorTableBytes } from "./picture_structure.ts";
import type { CredentialsCollector } from "./content_credentials.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
/** Application blocks to keep, by identifier and code. */
const KEPT = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);
const CREDENTIALS = "C2PA_GIF\x01\0\0";

/** Passes on what belongs to the picture, up to its end. */
export async function* scrubGif(
  source: ByteSource,
  credentials: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  const head = await source.take(13);
  if (head.byteLength < 13) throw malformedImage();
  yield head;
  yield* source.pass(colorTableBytes(viewOf(head).getUint8(10)));
  for (;;) {
    const [kind] = await source.take(1);
    if (kind === undefined) return;
    if (kind === TRAILER) {
      yield Uint8Array.of(TRAILER);
      return await source.skip();
    }
    if (kind === EXTENSION) yield* scrubExtension(source, credentials);
    else if (kind === IMAGE) {
      const descriptor = await source.take(9);
      if (descriptor.byteLength < 9) return;
      yield Uint8Array.of(IMAGE);
      yield descriptor;
      yield* source.pass(colorTableBytes(viewOf(descriptor).getUint8(8)) + 1);
      yield* passBlocks(source);
    } else throw malformedImage();
  }
}

async function* scrubExtension(
  source: ByteSource,
  credentials: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  const [label] = await source.take(1);
  if (label === undefined) return;
  if (label === COMMENT) return await skipBlocks(source);
  if (label !== APPLICATION) {
    yield Uint8Array.of(EXTENSION, label);
    return yield* passBlocks(source);
  }
  const [size = 0] = await source.take(1);
  const name = String.fromCharCode(...await source.take(size));
  if (size === 11 && KEPT.has(name)) {
    yield Uint8Array.of(EXTENSION, APPLICATION, size);
    yield new TextEncoder().encode(name);
    return yield* passBlocks(source);
  }
  if (name === CREDENTIALS) await collectBlocks(source, credentials);
  else if (size > 0) await skipBlocks(source);
}

async function collectBlocks(source: ByteSource, credentials: CredentialsCollector): Promise<void> {
  for (;;) {
    const [size = 0] = await source.take(1);
    if (size === 0) return;
    credentials.add(await source.take(size));
  }
}

/** Passes sub-blocks on, the empty one at their end too. */
async function* passBlocks(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (;;) {
    const [size] = await source.take(1);
    if (size === undefined) return;
    yield Uint8Array.of(size);
    if (size === 0) return;
    yield* source.pass(size);
  }
}

async function skipBlocks(source: ByteSource): Promise<void> {
  for await (const _ of passBlocks(source));
}
