/**
 * The beginnings of files that are no pictures, by type, as far as they tell what they are.
 *
 * @module
 */
import type { FileMime } from "../../../kv/model/values/file_type.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  joinBytes(
    parts.map((part) =>
      typeof part === "string"
        ? Uint8Array.from(part, (character) => character.charCodeAt(0))
        : Uint8Array.from(part)
    ),
  );
const isoFile = (brand: string) => bytes([0, 0, 0, 20], "ftyp", brand, [0, 0, 0, 1], brand);
const oggFile = (codec: string) =>
  bytes("OggS", [0, 2], "\0".repeat(20), [1, 30], codec, "\0".repeat(23));

const little = (value: number, count: number) =>
  Array.from({ length: count }, (_, index) => value >> 8 * index & 0xff);

/** An archive's local entries, stored, and the empty directory at its end. */
const zipFile = (...entries: [name: string, content: string][]) =>
  bytes(
    ...entries.flatMap(([name, content]) => [
      "PK\x03\x04",
      [20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [...little(content.length, 4), ...little(content.length, 4)],
      [...little(name.length, 2), 0, 0],
      name,
      content,
    ]),
    "PK\x05\x06",
    "\0".repeat(18),
  );
/** Its first entries do not reveal the type, as several programs write it. */
const ooxmlFile = (entry: string) =>
  zipFile(
    ["[Content_Types].xml", "<Types/>".repeat(100)],
    ["docProps/app.xml", "<Properties/>"],
    [entry, "<document/>"],
  );
const openDocument = (mime: string) => zipFile(["mimetype", mime], ["content.xml", "<office/>"]);

const OOXML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

/** A file of each type. */
export const FILES: Readonly<Record<FileMime, Uint8Array>> = {
  "application/pdf": bytes(
    "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\n%%EOF\n",
  ),
  "audio/mpeg": bytes("ID3", [4, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0x64], "\0".repeat(400)),
  "audio/mp4": isoFile("M4A "),
  "audio/ogg": oggFile("\x01vorbis"),
  "audio/wav": bytes("RIFF", [36, 0, 0, 0], "WAVEfmt ", [16, 0, 0, 0], "\0".repeat(16), "data"),
  "audio/flac": bytes("fLaC", [0, 0, 0, 34], "\0".repeat(34)),
  "audio/aac": bytes([0xff, 0xf1, 0x50, 0x80], "\0".repeat(60)),
  "video/mp4": isoFile("isom"),
  "video/webm": bytes([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84], "webm"),
  "video/ogg": oggFile("\x80theora"),
  "video/quicktime": isoFile("qt  "),
  [`${OOXML}.wordprocessingml.document` as const]: ooxmlFile("word/document.xml"),
  [`${OOXML}.spreadsheetml.sheet` as const]: ooxmlFile("xl/workbook.xml"),
  [`${OOXML}.presentationml.presentation` as const]: ooxmlFile("ppt/presentation.xml"),
  [`${OPEN_DOCUMENT}.text` as const]: openDocument(`${OPEN_DOCUMENT}.text`),
  [`${OPEN_DOCUMENT}.spreadsheet` as const]: openDocument(`${OPEN_DOCUMENT}.spreadsheet`),
  [`${OPEN_DOCUMENT}.presentation` as const]: openDocument(`${OPEN_DOCUMENT}.presentation`),
  "text/plain": bytes("\xef\xbb\xbfZ\xc3\xbcrich, at noon.\r\nNobody came.\n"),
  "text/csv": bytes('name;note\n"Ada; Countess";"said ""yes"""\nGrace;\n'),
  "application/zip": zipFile(["lamp.txt", "A lamp"], ["constructor/a", "word/"]),
};
