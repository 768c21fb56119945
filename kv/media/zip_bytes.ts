/**
 * Detects the type of a ZIP archive from its beginning: office documents are archives of known entries.
 *
 * @module
 */
import { FILE_MIMES, type FileMime } from "../model/values/file_type.ts";
import { textBefore } from "../model/primitives/text_before.ts";

/** Signature, and length without name and extra field, of a local file header. */
const SIGNATURE = [0x50, 0x4b, 0x03, 0x04] as const;
const HEADER_BYTES = 30;

/** Folders in which Office Open XML keeps what a document of each type consists of. */
const OOXML_FOLDERS: ReadonlyMap<string, FileMime> = new Map([
  ["word", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xl", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["ppt", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
]);

/** Whether a head is that of a ZIP archive with entries. */
export function isZip(head: Uint8Array): boolean {
  return head.length > HEADER_BYTES && SIGNATURE.every((byte, index) => head[index] === byte);
}

/** The type of a ZIP archive by its first entries; an archive of anything else is just that. */
export function zipType(head: Uint8Array): FileMime {
  const entries = [...entriesIn(head)];
  return openDocumentType(entries[0]!) ??
    entries.map(({ name }) => OOXML_FOLDERS.get(textBefore(name, "/")))
      .find((mime) => mime !== undefined) ??
    "application/zip";
}

interface ZipEntry {
  name: string;
  /** The part of its stored (compressed) data that lies within the head. */
  data: Uint8Array;
}

/** The entries whose headers are in the head, wherever an archiver has put them. */
function* entriesIn(head: Uint8Array): Generator<ZipEntry> {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const text = new TextDecoder("latin1");
  for (let at = 0; at + HEADER_BYTES < head.length; at++) {
    if (!SIGNATURE.every((byte, index) => head[at + index] === byte)) continue;
    const named = at + HEADER_BYTES;
    const begins = named + view.getUint16(at + 26, true);
    const data = begins + view.getUint16(at + 28, true);
    const size = view.getUint32(at + 18, true);
    yield {
      name: text.decode(head.subarray(named, begins)),
      data: head.subarray(data, data + size),
    };
  }
}

/** OpenDocument begins with an entry that says its type, uncompressed. */
function openDocumentType({ name, data }: ZipEntry): FileMime | undefined {
  if (name !== "mimetype") return undefined;
  const said = new TextDecoder("latin1").decode(data);
  return FILE_MIMES.find((mime) => mime === said);
}
