/**
 * The response to a bulk request. It starts with the first finished line, except for a long body:
 * once a response has started, the runtime buffers the rest of the body in memory, however slowly
 * it is read. So the first part of a long body is read before, at the pace of the writes.
 *
 * @module
 */
import { pacedAnswer } from "../../answers/paced_answer.ts";
import { BULK_ANSWER_CHARS_HELD, BULK_BYTES_UNREAD } from "../../../kv/tuning.ts";

/** A sender that stops may wait for answers, milliseconds. */
const PAUSE_MS = 2_000;

/** How much of a body was read. */
export interface BodyProgress {
  /** Total bytes; null if the request does not declare them. */
  length: number | null;
  received: number;
}

/** The body of the response, as soon as it can start. */
export async function bulkAnswer(
  answers: AsyncGenerator<string>,
  body: BodyProgress,
): Promise<ReadableStream<Uint8Array>> {
  const held: string[] = [];
  let chars = 0;
  let next: Promise<IteratorResult<string>> | undefined;
  while (leftOf(body) > BULK_BYTES_UNREAD && chars < BULK_ANSWER_CHARS_HELD) {
    next = answers.next();
    const step = await orPause(next);
    if (step === null || step.done) break;
    held.push(step.value);
    chars += step.value.length;
    next = undefined;
  }
  return pacedAnswer(ReadableStream.from(encoded(held, next, answers)));
}

function leftOf({ length, received }: BodyProgress): number {
  return length === null ? 0 : length - received;
}

/** The result of a step; null if it takes too long. */
async function orPause<T>(step: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout>;
  const pause = new Promise<null>((done) => timer = setTimeout(() => done(null), PAUSE_MS));
  return await Promise.race([step, pause]).finally(() => clearTimeout(timer));
}

/** The answers that were held back, the one that was asked for already, and the others. */
async function* encoded(
  held: string[],
  next: Promise<IteratorResult<string>> | undefined,
  answers: AsyncGenerator<string>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  try {
    if (held.length > 0) yield encoder.encode(held.splice(0).join(""));
    const step = await next;
    if (step?.done) return;
    if (step !== undefined) yield encoder.encode(step.value);
    for await (const text of answers) yield encoder.encode(text);
  } finally {
    await answers.return(undefined);
  }
}
