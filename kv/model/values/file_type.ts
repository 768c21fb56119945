/**
 * The types of files that are no pictures, by kind. A site's settings say which kinds may be uploaded; what a
 * browser would run (HTML, SVG, XML, scripts) is in none of them.
 *
 * @module
 */

/** The kinds of files, with the extensions of each of their types, the usual one first. */
const FILE_KINDS = {
  pdf: { "application/pdf": ["pdf"] },
  audio: {
    "audio/mpeg": ["mp3"],
    "audio/mp4": ["m4a", "mp4"],
    "audio/ogg": ["ogg", "oga", "opus"],
    "audio/wav": ["wav"],
    "audio/flac": ["flac"],
    "audio/aac": ["aac"],
  },
  video: {
    "video/mp4": ["mp4", "m4v"],
    "video/webm": ["webm"],
    "video/ogg": ["ogv", "ogg"],
    "video/quicktime": ["mov"],
  },
  office: {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
    "application/vnd.oasis.opendocument.text": ["odt"],
    "application/vnd.oasis.opendocument.spreadsheet": ["ods"],
    "application/vnd.oasis.opendocument.presentation": ["odp"],
  },
  text: {
    "text/plain": ["txt", "csv", "md", "log"],
    "text/csv": ["csv", "txt"],
  },
  archive: { "application/zip": ["zip"] },
} as const satisfies Record<string, Record<string, readonly string[]>>;

/** A kind of files. */
export type FileKind = keyof typeof FILE_KINDS;
/** The type of a file that is no picture. */
export type FileMime = { [K in FileKind]: keyof typeof FILE_KINDS[K] }[FileKind];

/** The names of the kinds. */
export const FILE_KIND_NAMES = Object.keys(FILE_KINDS) as FileKind[];
/** Every type of a file that is no picture. */
export const FILE_MIMES = Object.values(FILE_KINDS).flatMap(Object.keys) as FileMime[];

/** The types of some kinds. */
export function fileMimes(kinds: readonly FileKind[]): FileMime[] {
  return kinds.flatMap((kind) => Object.keys(FILE_KINDS[kind])) as FileMime[];
}

/** The kind that a type is of. */
export function fileKind(mime: FileMime): FileKind {
  return FILE_KIND_NAMES.find((kind) => Object.hasOwn(FILE_KINDS[kind], mime))!;
}

/** Whether a browser shows a type of file; any other is always downloaded. */
export function isPlayable(mime: FileMime): boolean {
  return ["audio", "video"].includes(fileKind(mime));
}

/** The usual extension of a type: `docx`. */
export function usualExtension(mime: FileMime): string {
  return extensionsOf(mime)[0]!;
}

function extensionsOf(mime: FileMime): readonly string[] {
  return (FILE_KINDS[fileKind(mime)] as Record<string, readonly string[]>)[mime]!;
}

/** The name under which a file is downloaded: it always ends as its type does, whatever it was called. */
export function downloadName(filename: string, mime: FileMime): string {
  const extensions = extensionsOf(mime);
  const own = /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
  return extensions.includes(own) ? filename : `${filename}.${extensions[0]}`;
}
