/**
 * Files as text: decoded by their byte order mark, and split into lines.
 *
 * @module
 */
import { TRANSFER_ROW_CHARS_MAX } from "../../../kv/limits/transfers.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { BadSource, type ReadableFile } from "./source_file.ts";

/** Bytes that the kind of a file is recognized by. */
const HEAD_BYTES = 65_536;

/** The text of a file, piece by piece. Bytes that are no UTF-8 are read as Windows-1252. */
export async function* textOf(file: ReadableFile): AsyncGenerator<string> {
  const stream = (await file.open()).values();
  try {
    const pieces = await takeHead(stream);
    const head = headOf(pieces);
    const decoder = new TextDecoder(encodingOf(head, head.byteLength < file.bytes));
    const first = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("");
    if (first !== "") yield first;
    for await (const piece of stream) {
      const text = decoder.decode(piece, { stream: true });
      if (text !== "") yield text;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } finally {
    await stream.return?.();
  }
}

/** The first bytes of a file as text. */
export async function headText(file: ReadableFile): Promise<string> {
  const head = await headBytes(file);
  return new TextDecoder(encodingOf(head, true)).decode(head);
}

/** The first bytes of a file. */
export async function headBytes(file: ReadableFile): Promise<Uint8Array> {
  const stream = (await file.open()).values();
  try {
    return headOf(await takeHead(stream));
  } finally {
    await stream.return?.();
  }
}

/** The pieces that the first bytes are in. */
async function takeHead(stream: AsyncIterator<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < HEAD_BYTES) {
    const { done, value } = await stream.next();
    if (done) break;
    pieces.push(value);
    bytes += value.byteLength;
  }
  return pieces;
}

function headOf(pieces: Uint8Array[]): Uint8Array {
  return joinBytes(pieces).subarray(0, HEAD_BYTES);
}

function encodingOf(head: Uint8Array, isCut: boolean): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  // Without a mark, UTF-16 shows by the zeros of its Latin letters.
  if (head[0] !== 0 && head[1] === 0 && head[3] === 0) return "utf-16le";
  if (head[0] === 0 && head[1] !== 0 && head[2] === 0) return "utf-16be";
  try {
    // A character may be cut in two at the end.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: isCut });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** The whole text of a small file. */
export async function wholeText(file: ReadableFile, charsMax = TRANSFER_ROW_CHARS_MAX) {
  let text = "";
  for await (const piece of textOf(file)) {
    text += piece;
    if (text.length > charsMax) throw new BadSource(`${file.path} is too large`);
  }
  return text;
}

/** The lines of a file that are not empty; null for one that is too long. */
export async function* linesOf(file: ReadableFile): AsyncGenerator<string | null> {
  let rest = "";
  let isSkipping = false;
  for await (const piece of textOf(file)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (isSkipping) isSkipping = false;
      else if (line.trim() !== "") yield line.trim();
    }
    if (rest.length > TRANSFER_ROW_CHARS_MAX) {
      if (!isSkipping) yield null;
      isSkipping = true;
      rest = "";
    }
  }
  if (!isSkipping && rest.trim() !== "") yield rest.trim();
}
