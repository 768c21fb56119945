/**
 * Files as text: decoded by their byte order mark, and split into lines.
 *
 * @module
 */
import { TRANSFER_ROW_CHARS_MAX } from "../../../kv/limits/transfers.ts";
import { BadSource, type ReadableFile } from "./source_file.ts";

/** Bytes that the kind of a file is recognized by. */
const HEAD_BYTES = 65_536;

/** The text of a file, piece by piece. Bytes that are no UTF-8 are read as Windows-1252. */
export async function* textOf(file: ReadableFile): AsyncGenerator<string> {
  const head = await headBytes(file);
  const encoding = encodingOf(head, head.byteLength < file.bytes);
  const stream = await file.open();
  const decoder = new TextDecoder(encoding);
  for await (const piece of stream) {
    const text = decoder.decode(piece, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

/** The first bytes of a file as text. */
export async function headText(file: ReadableFile): Promise<string> {
  const head = await headBytes(file);
  return new TextDecoder(encodingOf(head, true)).decode(head);
}

/** The first bytes of a file. */
export async function headBytes(file: ReadableFile): Promise<Uint8Array> {
  const stream = await file.open();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes >= HEAD_BYTES) break;
  }
  const head = new Uint8Array(Math.min(bytes, HEAD_BYTES));
  let at = 0;
  for (const piece of pieces) {
    head.set(piece.subarray(0, head.byteLength - at), at);
    at += Math.min(piece.byteLength, head.byteLength - at);
  }
  return head;
}

function encodingOf(head: Uint8Array, isCut: boolean): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
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
