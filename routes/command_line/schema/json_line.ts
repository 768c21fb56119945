/**
 * The line of a value in a JSON text, by its path: for messages about files.
 *
 * @module
 */

/** The line, from 1, of the value that a dotted path leads to, or of the innermost one on the way to it. */
export function lineOfPath(text: string, path: string): number {
  const walk = new JsonWalk(text);
  const at = walk.find(path === "" ? [] : path.split("."));
  return lineOfPosition(text, at);
}

/** The line of a character, from 1. */
export function lineOfPosition(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

/** Walks a text that is valid JSON. */
class JsonWalk {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the value of a path begins. */
  find(steps: readonly string[]): number {
    this.#space();
    const start = this.#at;
    const [step, ...rest] = steps;
    const open = this.#text[start];
    if (step === undefined || (open !== "{" && open !== "[")) return start;
    this.#at += 1;
    for (let index = 0;; index++) {
      this.#space();
      if (this.#text[this.#at] === (open === "{" ? "}" : "]")) return start;
      let key = String(index);
      if (open === "{") {
        key = JSON.parse(this.#string()) as string;
        this.#space();
        this.#at += 1;
      }
      if (key === step) return this.find(rest);
      this.#skip();
      this.#space();
      if (this.#text[this.#at] === ",") this.#at += 1;
    }
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  /** Passes over a value. */
  #skip(): void {
    this.#space();
    let depth = 0;
    do {
      const character = this.#text[this.#at];
      if (character === '"') {
        this.#string();
        continue;
      }
      if (character === "{" || character === "[") depth += 1;
      else if (character === "}" || character === "]") depth -= 1;
      if (depth < 0) return;
      this.#at += 1;
    } while (
      this.#at < this.#text.length && (depth > 0 || !/[,}\]]/.test(this.#text[this.#at] ?? ","))
    );
  }
}
