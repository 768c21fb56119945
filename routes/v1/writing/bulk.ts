/**
 * `POST /api/v1/{collection}/_bulk`: many writes in one request, read and answered line by line. Some
 * lines are worked on at the same time, so that their commits are shared; those that name the same
 * document keep their order, and the answers always do.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import {
  BODY_BYTES_MAX,
  BULK_BYTES_MAX,
  BULK_LINES_MAX,
  BULK_LINES_PER_REQUEST,
} from "../../../kv/limits/requests.ts";
import { BULK_BYTES_AT_ONCE, BULK_LINES_AT_ONCE } from "../../../kv/tuning.ts";
import { schemaKey } from "../../../kv/keys.ts";
import { Refusal, type RefusalCode } from "../../../kv/refusals.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Deps } from "../../deps/deps.ts";
import { refuseDryRun } from "../../query/dry_run.ts";
import { type Line, linesOf } from "../../input/lines.ts";
import { asRefusal, errorOf, statusOf } from "../../answers/refusal_response.ts";
import { logFault } from "../../middleware/request_log.ts";
import type { bearerRoutes } from "../bearer/bearer_routes.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";
import {
  type BulkContext,
  type BulkLine,
  type BulkTargets,
  parseBulkLine,
  runBulkLine,
  targetsOf,
} from "./bulk_line.ts";
import { type BodyProgress, bulkAnswer } from "./bulk_answer.ts";
import { actorOf, exposedCollection, requireScope } from "../collection_call.ts";
import { idempotencyKeyOf, keepKey } from "./idempotency.ts";

const NDJSON = "application/x-ndjson";
/** Refusals for what another document has. */
const TAKEN: ReadonlySet<string> = new Set<RefusalCode>(["CONFLICT", "SLUG_CONFLICT"]);
/** The fraction of the maximum to which running lines drop before more start. */
const REFILLED = 0.75;

/** The bulk route of every collection. */
export function bulkRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  return new Hono().post("/:collection/_bulk", bearer(() => [], (call) => bulk(deps, call)));
}

async function bulk(deps: Deps, call: BearerCall): Promise<Response> {
  const { http } = call;
  if (Number(http.req.header("content-length") ?? 0) > BULK_BYTES_MAX) {
    throw new Refusal("PAYLOAD_TOO_LARGE");
  }
  const type = http.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== NDJSON) {
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { about: `use ${NDJSON}` });
  }
  const collection = exposedCollection(call);
  requireScope(call, collection, "write");
  refuseDryRun(http.req.queries(), "a bulk request");
  const key = idempotencyKeyOf(http);
  const body = http.req.raw.body;
  if (body === null) throw new Refusal("BODY_INVALID", { about: "it is missing" });
  if (key !== undefined) await keepKey(deps.content.context, call, key);
  const length = http.req.header("content-length");
  const progress = { length: length === undefined ? null : Number(length), received: 0 };
  const run = new BulkRun(deps, call, progress, {
    content: deps.content,
    collection,
    slugs: call.schema.slugs,
    languages: call.schema.languages,
    actor: actorOf(call),
    tokenId: call.token.id,
    ...(key !== undefined && { idempotency: { key, path: http.req.path } }),
  });
  return new Response(await bulkAnswer(run.answers(body), progress), {
    headers: { ...call.headers, "content-type": NDJSON, "cache-control": "no-store" },
  });
}

/** A running line, and the bytes that it holds. */
interface UnderWay {
  bytes: number;
  /** Null until it has finished. */
  answer: string | null;
  done: Promise<void>;
}

/** One bulk request. */
class BulkRun {
  readonly #deps: Deps;
  readonly #call: BearerCall;
  readonly #progress: BodyProgress;
  readonly #context: BulkContext;
  /** In order of the lines. */
  #running: UnderWay[] = [];
  /** Pending work on documents, by the names that lines use. */
  readonly #targets = new Map<string, Promise<unknown>>();
  /** Running lines that name a document by ID, and by slug. */
  readonly #runningByName = { id: new Set<Promise<unknown>>(), slug: new Set<Promise<unknown>>() };
  /** When every line so far is done. */
  #before: Promise<void> = Promise.resolve();
  /** How many running lines can free or create what another line needs. */
  readonly #blockers = { free: 0, make: 0 };
  /** Shared by the lines that start together, so that none waits for another. */
  #schema: Promise<Entry[]> | null = null;
  #lines = 0;
  #bytes = 0;
  #ok = 0;
  #failed = 0;

  constructor(deps: Deps, call: BearerCall, progress: BodyProgress, around: BulkContext) {
    this.#deps = deps;
    this.#call = call;
    this.#progress = progress;
    this.#context = around;
  }

  /** The lines of the response. An error that stops the whole request is in the last one. */
  async *answers(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
    let stopped: Refusal | undefined;
    try {
      yield* this.#beginAll(body);
    } catch (error) {
      stopped = asRefusal(error);
      logFault(this.#deps.content.context.log, this.#call.http, stopped);
    }
    while (this.#running.length > 0) yield await this.#answered();
    yield `${
      JSON.stringify({
        done: true,
        ok: this.#ok,
        failed: this.#failed,
        ...(stopped && { status: statusOf(stopped), error: errorOf(stopped) }),
      })
    }\n`;
  }

  /** Starts lines as they arrive, and yields results while waiting for more. */
  async *#beginAll(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
    const limits = { lineBytesMax: BODY_BYTES_MAX, bytesMax: BULK_BYTES_MAX };
    const arriving = linesOf(body, limits, (bytes) => this.#progress.received += bytes);
    try {
      for (;;) {
        const next = this.#unlessClosing(arriving.next());
        yield* this.#answersUntil(next);
        const { value, done } = await next;
        if (done) return;
        yield* this.#begin(value);
      }
    } finally {
      // A sender that is waited for may never send again.
      arriving.return(undefined).catch(() => {});
    }
  }

  /**
   * Waits unless the process shuts down: then it stops with UNAVAILABLE, running lines finish, and
   * the client resumes with another process.
   */
  async #unlessClosing<T>(work: Promise<T>): Promise<T> {
    const { closing } = this.#deps.changeSignal;
    const { promise, reject } = Promise.withResolvers<never>();
    const end = () => reject(new Refusal("UNAVAILABLE", { about: "the service is shutting down" }));
    if (closing.aborted) end();
    closing.addEventListener("abort", end);
    return await Promise.race([work, promise])
      .finally(() => closing.removeEventListener("abort", end));
  }

  /** The answers that are there before something else is: the sender of a line may wait for its answer. */
  async *#answersUntil(other: Promise<unknown>): AsyncGenerator<string> {
    let waits = true;
    const over = other.then(() => {}, () => {}).finally(() => waits = false);
    for (let [next] = this.#running; waits && next !== undefined; [next] = this.#running) {
      await Promise.race([over, next.done]);
      if (waits) yield await this.#answered();
    }
  }

  /** Starts lines as soon as there is room; lines that start together share reads and commits. */
  async *#begin(lines: Line[]): AsyncGenerator<string> {
    this.#schema = null;
    for (const line of lines) {
      this.#lines += 1;
      if (this.#lines > BULK_LINES_MAX) throw new Refusal("PAYLOAD_TOO_LARGE");
      if (this.#lines % BULK_LINES_PER_REQUEST === 1 && this.#lines > 1) yield* this.#admitted();
      if (line?.byteLength === 0) continue;
      if (this.#isFull(line)) yield* this.#room(line);
      this.#start(this.#lines, line);
    }
  }

  /** Waits until the next lines are admitted, and yields results in the meantime. */
  async *#admitted(): AsyncGenerator<string> {
    const counted = this.#unlessClosing(this.#count());
    yield* this.#answersUntil(counted);
    await counted;
    this.#schema = null;
  }

  /**
   * Waits until there is room for several lines, because lines that start together share their
   * reads.
   */
  async *#room(line: Line): AsyncGenerator<string> {
    do yield await this.#answered(); while (
      this.#isFull(line) || this.#running.length > BULK_LINES_AT_ONCE * REFILLED
    );
  }

  #isFull(line: Line): boolean {
    if (this.#running.length === 0) return false;
    return this.#running.length >= BULK_LINES_AT_ONCE ||
      this.#bytes + (line?.byteLength ?? 0) > BULK_BYTES_AT_ONCE;
  }

  /**
   * Waits for the next result, and yields it with the finished ones after it, which are of the same
   * commit.
   */
  async #answered(): Promise<string> {
    this.#schema = null;
    await this.#running[0]?.done;
    await this.#deps.content.context.store.sleep(0);
    const open = this.#running.findIndex(({ answer }) => answer === null);
    const done = open === -1 ? this.#running : this.#running.slice(0, open);
    this.#running = this.#running.slice(done.length);
    for (const { bytes } of done) this.#bytes -= bytes;
    return done.map(({ answer }) => answer).join("");
  }

  #start(number: number, line: Line): void {
    const bytes = line?.byteLength ?? 0;
    this.#bytes += bytes;
    const one: UnderWay = { bytes, answer: null, done: Promise.resolve() };
    one.done = this.#answer(number, line).then((answer) => void (one.answer = answer));
    this.#before = this.#before.then(() => one.done);
    this.#running.push(one);
  }

  async #answer(number: number, bytes: Line): Promise<string> {
    let outcome: Record<string, unknown>;
    let line: BulkLine | undefined;
    try {
      if (bytes === null) throw new Refusal("PAYLOAD_TOO_LARGE");
      const parsed = parseBulkLine(bytes, this.#context.languages);
      line = parsed;
      const targets = targetsOf(parsed, this.#context);
      const run = () =>
        runBulkLine(this.#context, parsed, { number, bytes, schema: this.#readSchema });
      outcome = { ...await this.#inOrder(targets, this.#afterOthers(targets, run)) };
      this.#ok += 1;
    } catch (error) {
      const refusal = asRefusal(error);
      logFault(this.#deps.content.context.log, this.#call.http, refusal);
      this.#failed += 1;
      outcome = { status: statusOf(refusal), ...namedBy(line), error: errorOf(refusal) };
    }
    return `${JSON.stringify({ line: number, ...outcome })}\n`;
  }

  /**
   * Runs a line. If it fails for a reason that running lines before it can resolve (a slug or
   * unique value they free, a document they create), it runs again after them.
   */
  #afterOthers<T>({ by, frees, makes }: BulkTargets, work: () => Promise<T>): () => Promise<T> {
    const before = this.#before;
    const others = { ...this.#blockers };
    if (frees) this.#blockers.free += 1;
    if (makes) this.#blockers.make += 1;
    const again = ({ code, facts: { details = [] } }: Refusal) => {
      const isMissing = code === "NOT_FOUND" && by === "slug";
      const isTaken = TAKEN.has(code) || details.some((one) => one.code === "NOT_UNIQUE");
      return (isMissing && others.make > 0) || (isTaken && others.free > 0);
    };
    return async () => {
      try {
        return await work().catch(async (error) => {
          if (!again(asRefusal(error))) throw error;
          await before;
          return await work();
        });
      } finally {
        if (frees) this.#blockers.free -= 1;
        if (makes) this.#blockers.make -= 1;
      }
    };
  }

  readonly #readSchema = (): Promise<Entry[]> =>
    this.#schema ??= this.#deps.content.context.store.getMany([schemaKey]);

  /**
   * Runs `work` after everything that was started on the same targets. Because a document has an ID
   * and a slug, lines that use one wait for lines that use the other.
   */
  async #inOrder<T>({ names, by }: BulkTargets, work: () => Promise<T>): Promise<T> {
    const otherwise = by === null ? [] : [...this.#runningByName[by === "id" ? "slug" : "id"]];
    const before = [...names.map((name) => this.#targets.get(name)), ...otherwise];
    const done = Promise.all(before).then(work);
    const settled = done.catch(() => {});
    for (const name of names) this.#targets.set(name, settled);
    if (by !== null) this.#runningByName[by].add(settled);
    try {
      return await done;
    } finally {
      if (by !== null) this.#runningByName[by].delete(settled);
      for (const name of names) {
        if (this.#targets.get(name) === settled) this.#targets.delete(name);
      }
    }
  }

  /** Counts the next lines as a request: waits for the quota, and for nothing once the token has ended. */
  async #count(): Promise<void> {
    const { limiter, content: { context } } = this.#deps;
    for (;;) {
      const token = await this.#call.renewed();
      requireScope({ ...this.#call, token }, this.#context.collection, "write");
      const admission = await limiter.admit(`token:${token.id}`, token.quotaPerMinute);
      if (admission.admitted) return;
      await context.store.sleep(Math.max(1, admission.retryAfterSeconds) * 1000);
    }
  }
}

/** The document that a failed line has named; a new one has no id. */
function namedBy(line: BulkLine | undefined): { id: string | null; slug: string | null } {
  return { id: (line?.op !== "create" && line?.id) || null, slug: line?.slug ?? null };
}
