/**
 * The change feed as server-sent events. A stream counts as one request; it ends with its token, and when
 * the process shuts down. Clients come back with `Last-Event-ID`.
 *
 * @module
 */
import type {
  ChangeElement,
  ChangePage,
  ChangePageEnd,
} from "../../../kv/change_feed/change_feed.ts";
import { CHANGES_PER_PAGE_DEFAULT } from "../../../kv/limits/requests.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import { CHANGE_BATCH_BYTES } from "../../input/limits.ts";
import { pacedPieces } from "../../answers/paced_answer.ts";
import { asRefusal } from "../../answers/refusal_response.ts";
import { logFault } from "../../middleware/request_log.ts";
import type { ChangeBatch } from "./change_batches.ts";
import type { ChangeSource } from "./changes.ts";

/** Interval of keep-alive comments in a stream without changes, milliseconds. */
const COMMENT_MS = 15_000;

const encoder = new TextEncoder();

/** The stream of a request; an invalid cursor is refused before it starts. */
export async function eventStream(source: ChangeSource): Promise<Response> {
  const ended = new AbortController();
  const events = eventTexts(source, ended.signal);
  let ahead: IteratorResult<string | Uint8Array> | null = await events.next();
  const headers = {
    ...source.call.headers,
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  };
  // A stream has no length, and no client reads one.
  if (source.call.http.req.method === "HEAD") {
    await events.return(undefined);
    return new Response(null, { headers });
  }
  // A thousand of them are open: no transforms, and nothing is read ahead.
  const body = pacedPieces({
    async next() {
      const { value, done = false } = ahead ?? await events.next();
      ahead = null;
      return { value: typeof value === "string" ? encoder.encode(value) : value, done };
    },
    async cancel() {
      ended.abort();
      await events.return(undefined);
    },
  });
  return new Response(body, { headers });
}

async function* eventTexts(
  source: ChangeSource,
  ended: AbortSignal,
): AsyncGenerator<string | Uint8Array> {
  const { deps: { changeSignal, changes }, call, query } = source;
  const page = (since: string | null) =>
    changes.page(source.reader(token, schema), since, CHANGES_PER_PAGE_DEFAULT);
  let { token, schema } = call;
  const first = await page(query.since);
  // The cursor is valid: the response starts, with or without changes.
  yield ": \n\n";
  let end = yield* pageTexts(source, schema, first, query.since);
  for (;;) {
    const { hasMore, cursor } = end;
    while (!hasMore && !(await changeSignal.wait(end.stamp, quietMs(source, token), ended))) {
      if (changeSignal.closing.aborted || ended.aborted || !(await isValid(source))) return;
      yield ": \n\n";
    }
    const renewed = await renew(source);
    if (renewed === null) return;
    [token, schema] = renewed;
    if (hasMore) {
      end = yield* pageTexts(source, schema, await page(cursor), cursor);
      continue;
    }
    const batch = await source.batch(token, schema, cursor);
    if (batch.bytes.length > 0) yield batch.bytes;
    end = batch.end;
  }
}

/** Time until the next keep-alive comment, or until the token expires. */
function quietMs({ deps }: ChangeSource, { expiresAt }: TokenState): number {
  if (expiresAt === null) return COMMENT_MS;
  const leftMs = expiresAt * 1000 - deps.content.context.now();
  return Math.min(COMMENT_MS, Math.max(1, leftMs));
}

/** The events of a page, one by one. */
async function* pageTexts(
  source: ChangeSource,
  schema: Schema,
  page: ChangePage,
  since: string | null,
): AsyncGenerator<string, ChangePageEnd> {
  for await (const element of page.elements) yield eventText(source, schema, element);
  const end = page.end();
  yield* positionTexts(end, since);
  return end;
}

/** The events after a cursor, as many as are sent together. */
export async function makeBatch(
  source: ChangeSource,
  token: TokenState,
  schema: Schema,
  since: string,
): Promise<ChangeBatch> {
  const { deps } = source;
  const reader = source.reader(token, schema);
  const page = await deps.changes.page(reader, since, CHANGES_PER_PAGE_DEFAULT);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let isWhole = true;
  for await (const element of page.elements) {
    const part = encoder.encode(eventText(source, schema, element));
    parts.push(part);
    bytes += part.length;
    if (bytes < CHANGE_BATCH_BYTES) continue;
    isWhole = false;
    break;
  }
  const end = isWhole ? page.end() : { ...page.end(), hasMore: true };
  parts.push(...positionTexts(end, since).map((text) => encoder.encode(text)));
  return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), end };
}

function eventText(source: ChangeSource, schema: Schema, element: ChangeElement): string {
  return `id: ${element.cursor}\nevent: change\ndata: ${source.text(element, schema)}\n\n`;
}

/** An ID without data updates `Last-Event-ID` but is not an event. */
function positionTexts({ cursor }: ChangePageEnd, since: string | null): string[] {
  return cursor === since ? [] : [`id: ${cursor}\n\n`];
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
