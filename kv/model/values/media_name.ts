/**
 * File names of media: which are refused, and what is kept of the others.
 *
 * @module
 */
import { FILENAME_CHARS_MAX } from "../../limits/media.ts";
import { Refusal } from "../../refusals.ts";

/** Extensions that some browser or server would run as code, wherever they stand in a name. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  ...["html", "htm", "xhtml", "xht", "shtml", "mhtml", "hta"],
  ...["svg", "svgz", "xml", "xsl", "xslt"],
  ...["js", "mjs", "cjs", "jsx", "ts", "mts", "tsx", "wasm"],
]);

/** Characters that a file system, an old server or a reader may take for the start of an extension. */
const SEPARATORS = /[.:;\u3002\u0000-\u001f\u007f]/;

/** The name to keep of a given one: its last part, without anything invisible or reserved. */
export function mediaFilename(given: string): string {
  const normal = given.toWellFormed().normalize("NFC");
  const last = normal.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? "";
  if (isForbidden(last)) {
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { about: "the file name" });
  }
  const visible = last
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*\ufffd]/gu, "")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  return shortened(visible) || "image";
}

/** Whether some part after the first dot is an extension that may not be uploaded. */
function isForbidden(name: string): boolean {
  const parts = unescaped(name).normalize("NFKC").toLowerCase().split(SEPARATORS).slice(1);
  return parts.some((part) => FORBIDDEN.has(part.replace(/[\s\p{Cf}]+/gu, "")));
}

/** Percent escapes are decoded as often as other software might. */
function unescaped(name: string): string {
  let text = name;
  for (let round = 0; round < 3 && /%[0-9a-f]{2}/i.test(text); round++) {
    text = text.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  }
  return text;
}

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= FILENAME_CHARS_MAX) return name;
  const extension = /\.[a-z0-9]{1,5}$/i.exec(name)?.[0] ?? "";
  return characters.slice(0, FILENAME_CHARS_MAX - extension.length).join("") + extension;
}
