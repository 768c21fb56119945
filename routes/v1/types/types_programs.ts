/**
 * The part of the types module for programs that follow changes and write in bulk: requests that are
 * repeated safely, a sync that can be resumed, an upload that continues after an interruption.
 *
 * @module
 */
import { WEBHOOK_EVENTS } from "../../../kv/model/entities/webhook.ts";

const EVENT_TYPES = WEBHOOK_EVENTS.map((event) => `  | "${event}"`).join("\n");

/** The types and functions that the client consists of. */
export const PROGRAM_SOURCE = `/** A document that exists or has changed. */
export type DocumentUpserted = {
  [S in keyof Collections]: {
    cursor: string;
    change: "upserted";
    collection: S;
    id: string;
    version: number;
    changedAt: number;
    /** The current document, which may be newer than the version. Omitted if \`documents\` is false. */
    document?: Collections[S]["document"];
  };
}[keyof Collections];

/** A document that the token can no longer see. */
export interface DocumentRemoved {
  cursor: string;
  change: "removed";
  collection: string;
  id: string;
  version: number;
  changedAt: number;
}

/** Events that webhooks receive. */
export type WebhookEvent =
${EVENT_TYPES};

/** The body of a webhook request. Verify its signature before you trust it. */
export interface WebhookMessage {
  type: WebhookEvent | "webhook.test";
  /** Time of the event, in ISO 8601. */
  timestamp: string;
  data: {
    /** ID of the document, media asset, release, collection, field or block definition. */
    id: string;
    /** Slug of the collection; null for events without one. */
    collection: string | null;
    version: number;
    /** Unix epoch seconds. */
    changedAt: number;
    /** The audit log event; only present in \`audit.recorded\`. */
    entry?: {
      at: number;
      event: string;
      userId: string | null;
      tokenId: string | null;
      address: string;
      details: { method?: string; path?: string };
    };
  };
}

/** Options for following changes. */
export interface SyncQuery {
  /** Cursor of the last batch that you applied; without it, you get all documents first. */
  since?: string | null | undefined;
  collection?: readonly (keyof Collections)[] | undefined;
  /** Changes per batch, 1 to 1,000. */
  limit?: number | undefined;
  /** Whether changes include their documents; default true. */
  documents?: boolean | undefined;
  /** Keep waiting for changes instead of ending when there are no more. */
  follow?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Changes to apply together. Store the cursor afterwards. */
export interface SyncBatch {
  /** Delete your copy first: the cursor was too old, and all documents are sent again. */
  reset: boolean;
  changes: (DocumentUpserted | DocumentRemoved)[];
  cursor: string;
}

/** One operation of an upload. */
export type UploadLine<S extends keyof Collections> =
  | { op: "create"; body: Collections[S]["create"] }
  | { op: "upsert"; slug: string; body: Collections[S]["create"] }
  | { op: "update"; id?: string; slug?: string; ifMatch?: string; body: Collections[S]["patch"] }
  | { op: "trash"; id?: string; slug?: string; ifMatch?: string };

/** The result of one line. */
export interface UploadAnswer {
  /** Line number, starting at 1. */
  line: number;
  status: number;
  id: string | null;
  slug: string | null;
  error?: { code: string; message: string; details?: ApiError["details"] };
}

/** Progress of an upload. */
export interface UploadProgress {
  done: number;
  ok: number;
  failed: number;
}

/** Upload options. */
export interface UploadOptions {
  /** Identifies the upload: repeat the same lines with the same key to resume it, from any process. */
  key?: string | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Milliseconds between attempts; each delay grows by up to half at random. */
const RETRY_DELAYS = [250, 1_000, 3_000, 8_000];
const RETRIED = new Set([429, 502, 503, 504]);
const UPLOAD_LINES = 1_000;
const UPLOAD_CHARS = 4_000_000;
const WAIT_SECONDS = 25;

type ClientSend = (request: Request) => Promise<Response>;

/** Retries requests that failed or got an incomplete response. Writes carry an Idempotency-Key. */
function retrying(send: ClientSend, retries: number): ClientSend {
  return async (request) => {
    for (let attempt = 0;; attempt++) {
      const isLast = attempt >= Math.min(retries, RETRY_DELAYS.length);
      let response: Response | undefined;
      try {
        response = await whole(await send(isLast ? request : request.clone()));
      } catch (error) {
        if (isLast || request.signal.aborted) throw error;
      }
      // The first attempt may still be running.
      const isBusy = attempt > 0 && response?.status === 409 && await isConflict(response);
      if (response !== undefined && (isLast || !(RETRIED.has(response.status) || isBusy))) {
        return response;
      }
      const asked = Number(response?.headers.get("retry-after") ?? 0) * 1000;
      await response?.body?.cancel();
      const delay = RETRY_DELAYS[attempt]! * (1 + crypto.getRandomValues(new Uint8Array(1))[0]! / 512);
      await new Promise((done) => setTimeout(done, Math.max(asked, delay)));
    }
  };
}

/** A response whose body has arrived completely. */
async function whole(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

async function isConflict(response: Response): Promise<boolean> {
  const answer = await response.clone().json().catch(() => ({})) as { error?: { code?: string } };
  return answer.error?.code === "CONFLICT";
}

type ClientGet = (path: string, query: object, signal: AbortSignal | undefined) => Promise<Response>;

async function* syncOf(get: ClientGet, query: SyncQuery): AsyncGenerator<SyncBatch, void, void> {
  const { collection = [], limit, documents = true, follow = false, signal } = query;
  let since = query.since ?? undefined;
  let reset = false;
  const isAborted = () => signal?.aborted === true;
  while (!isAborted()) {
    const asked = {
      since,
      collection: collection.join(",") || undefined,
      limit,
      include: documents ? undefined : "none",
      wait: follow && since !== undefined ? WAIT_SECONDS : undefined,
    };
    let page: { data: SyncBatch["changes"]; meta: { cursor: string; hasMore: boolean } };
    try {
      page = await (await get("_changes", asked, signal)).json();
    } catch (error) {
      if (isAborted()) return;
      if (!(error instanceof ApiError) || error.status !== 410 || since === undefined) throw error;
      since = undefined;
      reset = true;
      continue;
    }
    since = page.meta.cursor;
    if (page.data.length > 0 || reset || !follow) {
      yield { reset, changes: page.data, cursor: since };
      reset = false;
    }
    if (!follow && !page.meta.hasMore) return;
  }
}

type ClientPost = (path: string, text: string, key: string) => Promise<Response>;

async function* uploadOf<S extends keyof Collections>(
  post: ClientPost,
  slug: S,
  lines: Iterable<UploadLine<S>> | AsyncIterable<UploadLine<S>>,
  { key = crypto.randomUUID(), onProgress }: UploadOptions,
): AsyncGenerator<UploadAnswer, void, void> {
  const progress: UploadProgress = { done: 0, ok: 0, failed: 0 };
  let batch: string[] = [];
  let chars = 0;
  let first = 1;
  async function* sent(): AsyncGenerator<UploadAnswer, void, void> {
    const answers = await uploadBatch(post, slug as string, batch, key + "." + first);
    for (const answer of answers) {
      progress.done += 1;
      if (answer.status < 400) progress.ok += 1;
      else progress.failed += 1;
      yield { ...answer, line: answer.line + first - 1 };
    }
    onProgress?.({ ...progress });
    first += batch.length;
    batch = [];
    chars = 0;
  }
  for await (const line of lines) {
    const text = JSON.stringify(line);
    if (batch.length === UPLOAD_LINES || (batch.length > 0 && chars + text.length > UPLOAD_CHARS)) {
      yield* sent();
    }
    batch.push(text);
    chars += text.length;
  }
  if (batch.length > 0) yield* sent();
}

/** Repeats an interrupted batch with its key: finished lines return their first result, the others run. */
async function uploadBatch(
  post: ClientPost,
  slug: string,
  lines: string[],
  key: string,
): Promise<UploadAnswer[]> {
  const path = encodeURIComponent(slug) + "/_bulk";
  for (let attempt = 0;; attempt++) {
    const response = await post(path, lines.join("\\n") + "\\n", key);
    const text = await response.text().catch(() => "");
    const answers = text.split("\\n").filter((line) => line.endsWith("}"));
    const last = JSON.parse(answers.pop() ?? "{}") as {
      done?: boolean;
      status?: number;
      error?: { code?: string };
    };
    if (last.done === true && last.error === undefined) {
      return answers.map((line) => JSON.parse(line) as UploadAnswer);
    }
    // Without that last line the answer was cut; with an error the whole request was stopped.
    const stopped = last.done === true ? last.status ?? 503 : 503;
    const mayPass = stopped >= 500 || stopped === 400;
    if (!mayPass || attempt >= RETRY_DELAYS.length) {
      const error = last.done === true ? last.error : undefined;
      throw new ApiError(new Response(null, { status: stopped }), error ?? { code: "UNAVAILABLE" });
    }
    await new Promise((done) => setTimeout(done, RETRY_DELAYS[attempt]));
  }
}`;
