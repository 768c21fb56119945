/**
 * Asking for a password in a terminal, without showing it.
 *
 * @module
 */
import { createInterface } from "node:readline";
import process from "node:process";
import { Writable } from "node:stream";

/** A line of standard input; in a terminal it is asked for, and not shown. */
export function readPassword(question: string): Promise<string> {
  const isTerminal = Deno.stdin.isTerminal();
  const say = (text: string) => isTerminal && Deno.stderr.writeSync(new TextEncoder().encode(text));
  say(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: unseen,
    terminal: isTerminal,
  });
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
      say("\n");
    });
    lines.once("close", () => resolve(""));
  });
}
