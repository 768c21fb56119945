/**
 * Decodes JPEG. The decoder fills missing pixels with gray and only prints a line about them, so its lines
 * are read.
 *
 * @module
 */

/** A JPEG whose coding or colors the decoder does not support. */
export class UnsupportedJpeg extends Error {
  override name = "UnsupportedJpeg";
}

/** The lines that the decoder printed about the current picture. */
let lines: string[] = [];
let isReady = false;
let previous: Promise<unknown> = Promise.resolve();

/** A decoded JPEG, and whether some of its data is missing. */
export interface DecodedJpeg {
  /** Rotated as its orientation says. */
  picture: ImageData;
  isCut: boolean;
}

/** Decodes one picture at a time, so that the decoder's lines belong to it. */
export function decodeJpeg(buffer: ArrayBuffer): Promise<DecodedJpeg> {
  const decoding = previous.then(() => decodeAlone(buffer));
  previous = decoding.catch(() => {});
  return decoding;
}

async function decodeAlone(buffer: ArrayBuffer): Promise<DecodedJpeg> {
  const { default: decode, init } = await import("@jsquash/jpeg/decode.js");
  if (!isReady) {
    await init({ printErr: (line: string) => lines.push(line) });
    isReady = true;
  }
  lines = [];
  try {
    const picture = await decode(buffer, { preserveOrientation: true });
    return { picture, isCut: lines.some((line) => /premature end/i.test(line)) };
  } catch (error) {
    const reason = lines.join("; ");
    if (/unsupported/i.test(reason)) throw new UnsupportedJpeg(reason, { cause: error });
    throw new Error(reason || String(error), { cause: error });
  }
}
