/**
 * Prepares pasted HTML before it is parsed. The page's policy forbids inline styles and handlers, even in a
 * detached document, and the browser reports each one.
 *
 * @module
 */

/** The attribute that holds the style of a pasted element. */
export const PASTED_STYLE = "data-pasted-style";

const TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^'"<>])*>/gi;
const ATTRIBUTE = /(?<=[\s"'/])([^\s"'<>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?/g;

/** The same HTML, the styles of its elements under another name, without handlers and style sheets. */
export function withoutForbidden(html: string): string {
  const parts = html.split(/<\/style\s*>/i).map((part) => part.split(/<style[\s/>]/i, 1)[0] ?? "");
  return parts.join("").replace(
    TAG,
    (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string, value = "") => {
        if (/^on/i.test(name)) return "";
        return /^style$/i.test(name) ? PASTED_STYLE + value : attribute;
      }),
  );
}
