/**
 * A JSON parser that reports the position of errors. Engines report no position for many errors,
 * and accept repeated keys.
 *
 * @module
 */
import { BODY_DEPTH_MAX } from "../../kv/limits/requests.ts";

const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;

/** Parses a JSON text; `fail` gets the error and the index of the character, counted from 0. */
export function parseJsonAt(
  text: string,
  fail: (fault: string, position: number) => never,
): unknown {
  const end = new Scan(text, fail).value(skipSpace(text, 0), 0);
  const rest = skipSpace(text, end);
  if (rest < text.length) fail("nothing may follow", rest);
  return JSON.parse(text);
}

/** Validates a text from left to right; each step returns the end of what it has read. */
class Scan {
  constructor(
    readonly text: string,
    readonly fail: (fault: string, position: number) => never,
  ) {}

  value(at: number, depth: number): number {
    if (depth > BODY_DEPTH_MAX) this.fail("it is nested too deeply", at);
    const first = this.text[at];
    if (first === "{") return this.list(at, "}", (from, keys) => this.member(from, keys, depth));
    if (first === "[") return this.list(at, "]", (from) => this.value(from, depth + 1));
    return this.end(STRING, at) ?? this.end(SCALAR, at) ??
      this.fail(first === undefined ? "it ends too soon" : "a value is expected", at);
  }

  /** Elements with commas between them. */
  list(start: number, close: string, element: (at: number, keys: Set<string>) => number): number {
    const keys = new Set<string>();
    let at = skipSpace(this.text, start + 1);
    if (this.text[at] === close) return at + 1;
    for (;;) {
      at = skipSpace(this.text, element(at, keys));
      if (this.text[at] === close) return at + 1;
      if (this.text[at] !== ",") this.fail(`, or ${close} is expected`, at);
      at = skipSpace(this.text, at + 1);
    }
  }

  member(at: number, keys: Set<string>, depth: number): number {
    const end = this.end(STRING, at) ?? this.fail("a key in quotation marks is expected", at);
    const key = JSON.parse(this.text.slice(at, end)) as string;
    if (keys.has(key)) this.fail("the key comes twice", at);
    keys.add(key);
    const colon = skipSpace(this.text, end);
    if (this.text[colon] !== ":") this.fail(": is expected", colon);
    return this.value(skipSpace(this.text, colon + 1), depth + 1);
  }

  end(pattern: RegExp, at: number): number | null {
    pattern.lastIndex = at;
    return pattern.test(this.text) ? pattern.lastIndex : null;
  }
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}
