/**
 * JSON inside a page, for the browser's code to read. No text in it can end its element.
 *
 * @module
 */
import { raw } from "@hono/hono/html";

/** A value as a script element that does not run. */
export function EmbeddedJson({ of: value, name }: { of: unknown; name?: string }) {
  return <script type="application/json" data-json={name}>{raw(jsonText(value))}</script>;
}

/** JSON in which nothing means anything to an HTML parser. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
