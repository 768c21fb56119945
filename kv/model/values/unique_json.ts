/**
 * JSON in which no object names a key twice. Parsers disagree about which of the two counts, so a text
 * that was checked by one of them could mean something else to another.
 *
 * @module
 */
import { BODY_DEPTH_MAX } from "../../limits/requests.ts";

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Parses a JSON text; throws a SyntaxError for bad JSON, a repeated key, or nesting without end. */
export function parseUniqueJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const open: Set<string>[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      open.push(new Set());
      if (open.length > BODY_DEPTH_MAX) throw new SyntaxError("The JSON is nested too deeply");
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token === ":") {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) throw new SyntaxError(`The JSON has the key ${last.slice(0, 80)} twice`);
      keys?.add(key);
    }
    last = token;
  }
  return value;
}
