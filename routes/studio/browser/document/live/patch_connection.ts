/**
 * Runs in the browser. The fallback transport for networks that block WebSockets. A change is a PATCH with
 * `If-Match`, and the document is polled for remote changes. Operation numbers are version numbers here.
 *
 * @module
 */
import type { RefusalCode } from "../../../../../kv/refusals.ts";
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { call, type Reply } from "../../page/call.ts";
import type { Value } from "../control_values.ts";
import { applied, namesIn } from "./remote_change.ts";
import { same } from "./same_value.ts";
import type { Outgoing, Transport, TransportListener } from "./transport.ts";
import type { Change } from "./value_change.ts";
import type { DocumentBody } from "../document_body.ts";

/** Poll intervals: for remote changes, and after a request without a response. */
const POLL_MS = 15_000;
const RETRY_MS = 5_000;

/** Saves one document, or one translation, by requests. */
export class PatchConnection implements Transport {
  readonly pauseMs = 1_200;
  readonly #path: string;
  readonly #listener: TransportListener;
  #document: Record<string, Value> = {};
  #etag = "";
  #n = 0;
  #isOpen = false;
  /** True while the session resends operations without a response. */
  #isResuming = false;
  #isBusy = false;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `path` is that of the document or translation in the admin API. */
  constructor(path: string, listener: TransportListener) {
    this.#path = path;
    this.#listener = listener;
  }

  start(): void {
    void this.#load();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  restart(): void {
    // A request that is under way is answered sooner or later.
    if (!this.#isBusy) void this.#load();
  }

  send(message: Outgoing): boolean {
    if (message.type === "op") {
      const { clientSeq, base = this.#n, set = {}, unset = [] } = message;
      void this.#patch(clientSeq, base, { set, unset });
    } else if (message.type === "flush") this.#flushed();
    return true;
  }

  async #load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isBusy = true;
    let reply = await call<DocumentBody>("GET", this.#path);
    if (reply.ok && reply.body.hasWorkingCopy) {
      const changed = await call<DocumentBody>("GET", `${this.#path}/working-copy`);
      // It may have been published or discarded in between.
      if (changed.ok) reply = changed;
    }
    this.#isBusy = false;
    if (this.#isStopped) return;
    if (!reply.ok) return this.#lost(reply);
    if (reply.body.status === "trashed") return this.#listener.closed("gone");
    const isNews = this.#take(reply) || !this.#isOpen;
    if (!this.#isOpen) {
      this.#isOpen = this.#isResuming = true;
      this.#listener.opened();
      this.#isResuming = false;
    }
    if (isNews) this.#state();
    this.#later(POLL_MS);
  }

  async #patch(clientSeq: number, base: number, change: Change): Promise<void> {
    clearTimeout(this.#timer);
    const entries = namesIn(change).map((name) =>
      [name, applied(name, this.#document[name], change)] as const
    );
    const ack = () => this.#listener.message({ type: "ack", clientSeq, seq: this.#n });
    const refuse = (code: RefusalCode, reply?: Reply) =>
      this.#listener.message({
        type: "error",
        clientSeq,
        code,
        message: reply?.message ?? "",
        ...(reply && reply.details.length > 0 && { details: reply.details as never }),
      });
    if (base !== this.#n || this.#isResuming) {
      // The resent operation has already been applied or superseded.
      const isThere = entries.every(([name, value]) => same(value, this.#document[name]));
      return isThere ? ack() : refuse("CONFLICT");
    }
    this.#isBusy = true;
    const isPublic = this.#document.status === "published";
    const reply = await call<DocumentBody>(
      "PATCH",
      isPublic ? `${this.#path}/working-copy` : this.#path,
      {
        body: Object.fromEntries(entries),
        headers: { "if-match": this.#etag },
      },
    );
    this.#isBusy = false;
    if (this.#isStopped) return;
    this.#later(POLL_MS);
    if (reply.ok) {
      this.#take(reply);
      ack();
      this.#state();
      return this.#flushed();
    }
    if (reply.status === 412) {
      await this.#load();
      return this.#isOpen ? refuse("CONFLICT") : undefined;
    }
    const isLost = reply.status === 0 || reply.status === 401 || reply.status >= 500;
    if (isLost) this.#lost(reply);
    else refuse((reply.code ?? "VALIDATION_FAILED") as RefusalCode, reply);
  }

  /** Whether it is another version than before. */
  #take({ body, headers }: { body: DocumentBody; headers: Headers }): boolean {
    const etag = headers.get("etag") ?? "";
    const isOther = etag !== this.#etag;
    this.#document = body;
    this.#etag = etag;
    // The tag of a translation has no version: its changes are counted.
    const version = Number(etag.split(".")[1]);
    this.#n = Number.isNaN(version) ? this.#n + Number(isOther) : version;
    return isOther;
  }

  #state(): void {
    const document = this.#document as Record<string, Json>;
    this.#listener.message({ type: "state", seq: this.#n, document, presence: [] });
  }

  #flushed(): void {
    this.#listener.message({ type: "flushed", seq: this.#n, versionNumber: this.#n });
  }

  #lost({ status }: Reply): void {
    this.#isOpen = false;
    const why = status === 401
      ? "signed out"
      : status === 403
      ? "forbidden"
      : status === 404
      ? "gone"
      : "offline";
    this.#listener.closed(why);
    if (why !== "gone" && why !== "forbidden") this.#later(RETRY_MS);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.restart(), ms);
  }
}
