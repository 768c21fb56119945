/**
 * The change feed as server-sent events. A stream counts as one request; it ends with its token, and when
 * the process shuts down. Clients come back with `Last-Event-ID`.
 *
 * @module
 */
import { CHANGES_PER_PAGE_DEFAULT } from "../../kv/limits.ts";
import { asRefusal } from "../refusal_response.ts";
import { logFault } from "../request_log.ts";
import type { ChangeSource } from "./changes.ts";

/** How often a stream without changes says that it is there, milliseconds. */
const COMMENT_MS = 15_000;

const encoder = new TextEncoder();

/** The stream of a request; what is wrong with its cursor is refused before it begins. */
export async function eventStream(source: ChangeSource): Promise<Response> {
  const ended = new AbortController();
  const events = eventTexts(source, ended.signal);
  let ahead: IteratorResult<string> | null = await events.next();
  // A thousand of them are open: no transforms, and nothing is read ahead.
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = ahead ?? await events.next();
      ahead = null;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      ended.abort();
      await events.return(undefined);
    },
  }, { highWaterMark: 0 });
  return new Response(body, {
    headers: {
      ...source.call.headers,
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

async function* eventTexts(source: ChangeSource, ended: AbortSignal): AsyncGenerator<string> {
  const { deps, call, query } = source;
  let since = query.since;
  let { token, schema } = call;
  for (let isFirst = true;; isFirst = false) {
    const page = await deps.changes.page(
      source.reader(token, schema),
      since,
      CHANGES_PER_PAGE_DEFAULT,
    );
    // The cursor was taken: the answer begins, whether there is a change or not.
    if (isFirst) yield ": \n\n";
    for await (const element of page.elements) {
      yield `id: ${element.cursor}\nevent: change\ndata: ${source.text(element, schema)}\n\n`;
    }
    const end = page.end();
    // An id without data moves `Last-Event-ID` and is no event.
    if (end.cursor !== since) yield `id: ${end.cursor}\n\n`;
    since = end.cursor;
    while (!end.hasMore && !(await deps.changeSignal.wait(end.stamp, COMMENT_MS, ended))) {
      if (deps.changeSignal.closing.aborted || ended.aborted || !(await isValid(source))) return;
      yield ": \n\n";
    }
    const renewed = await renew(source);
    if (renewed === null) return;
    [token, schema] = renewed;
  }
}

/** The token and the schema now; null when the token has ended. */
async function renew({ deps, call }: ChangeSource) {
  try {
    return await Promise.all([call.renewed(), deps.content.schema.current()]);
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal.code !== "UNAUTHENTICATED") logFault(deps.content.context.log, call.http, refusal);
    return null;
  }
}

async function isValid(source: ChangeSource): Promise<boolean> {
  return await renew(source) !== null;
}
