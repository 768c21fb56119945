/**
 * Encrypted archives of Strapi, with the key that they were exported with.
 *
 * @module
 */
import { createDecipheriv, scryptSync } from "node:crypto";
import { BadSource } from "./source_file.ts";

/** What `strapi export` encrypts with. */
const ALGORITHM = "aes-128-ecb";
const KEY_BYTES = 16;

/** The plain bytes of an archive; fails with a wrong key, whose bytes have no end. */
export function decrypted(
  stream: ReadableStream<Uint8Array>,
  key: string,
): ReadableStream<Uint8Array> {
  const cipher = createDecipheriv(ALGORITHM, scryptSync(key, "", KEY_BYTES), null);
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const plain = cipher.update(piece);
        if (plain.byteLength > 0) controller.enqueue(plain);
      },
      flush(controller) {
        try {
          controller.enqueue(cipher.final());
        } catch (cause) {
          throw new BadSource("The key of the archive is wrong", { cause });
        }
      },
    }),
  );
}
