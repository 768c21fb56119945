/**
 * Runs in the browser. One thing done with several documents, a few at a time.
 *
 * @module
 */
import type { Reply } from "../page/call.ts";
import type { SelectedDocument } from "../page/selection.ts";

/** Requests that are under way at a time. */
const AT_A_TIME = 4;

/** How documents are gone through. */
export interface BulkOptions {
  work: (document: SelectedDocument) => Promise<Reply>;
  /** Called after each document with the number of completed ones. */
  onProgress: (done: number) => void;
  atATime?: number;
}

/** Goes through documents; answers the refusals in words, each with the title that it is about. */
export async function forEachDocument(
  documents: readonly SelectedDocument[],
  { work, onProgress, atATime = AT_A_TIME }: BulkOptions,
): Promise<string[]> {
  const refused: string[] = [];
  const waiting = [...documents];
  let done = 0;
  const next = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const reply = await work(one);
      if (!reply.ok) refused.push(`${one.title || "Untitled"}: ${reasonOf(reply)}`);
      onProgress(++done);
    }
  };
  await Promise.all(Array.from({ length: atATime }, next));
  return refused;
}

/** `3 documents`. */
export function countText(documents: readonly unknown[]): string {
  const { length } = documents;
  return `${length.toLocaleString("en")} ${length === 1 ? "document" : "documents"}`;
}

/** Why something was refused, in one line. */
export function reasonOf({ message, details }: Reply): string {
  return details.length === 0
    ? message
    : details.map(({ field, message }) => `${field}: ${message.toLowerCase()}`).join(", ");
}
