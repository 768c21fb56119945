/**
 * Runs in the browser. The preview of a separate front end: a frame that receives changes by message if its
 * page loads `/preview/client.js`, and is reloaded otherwise.
 *
 * @module
 */
import { call } from "../page/call.ts";
import { dataOf } from "../page/elements.ts";
import { toast } from "../page/toast.ts";
import type { PreviewPage } from "./preview.ts";

/** Seconds that the secret in the page's address lasts. */
const TTL_SECONDS = 43_200;

/** A front end's page in a frame. */
export class FrontEndPreview implements PreviewPage {
  readonly #frame: HTMLIFrameElement;
  readonly #origin: string;
  /** The preview that the frame shows. */
  #made: { id: string; url: string } | null = null;
  /** When it was made, milliseconds since this page was opened. */
  #madeAt = 0;
  #making = false;
  #isListening = false;
  /** Changes that the frame was loaded for or told of since its page last was ready. */
  #shownSinceReady = 0;

  constructor(frame: HTMLIFrameElement) {
    this.#frame = frame;
    this.#origin = dataOf(frame, "frontEnd");
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== this.#origin) return;
      if (data?.type === "cms:ready") this.#onReady();
    });
  }

  draw(): void {
    const isOver = performance.now() - this.#madeAt > TTL_SECONDS * 1_000;
    if (this.#made === null || isOver) void this.#make();
    else if (this.#isListening) this.#announce();
    else this.#load(this.#made.url);
  }

  show(words: string): void {
    if (this.#isListening) this.#send({ type: "cms:scroll", text: words });
  }

  close(): void {
    const { id } = this.#made ?? {};
    this.#made = null;
    this.#isListening = false;
    this.#shownSinceReady = 0;
    if (id === undefined) return;
    void fetch(`/api/admin/previews/${id}`, { method: "DELETE", keepalive: true }).catch(() => {});
  }

  async #make(): Promise<void> {
    if (this.#making) return;
    this.#making = true;
    const path = `/api/admin/documents/${this.#frame.dataset.id}/preview`;
    const reply = await call<{ id: string; url: string }>("POST", path, {
      body: { ttl: TTL_SECONDS },
    });
    this.#making = false;
    if (!reply.ok) return toast(reply.message, { bad: true });
    this.#made = reply.body;
    this.#madeAt = performance.now();
    this.#frame.setAttribute("sandbox", dataOf(this.#frame, "sandbox"));
    this.#load(reply.body.url);
  }

  /**
   * The first change since the page was ready makes it load. Those that follow reach a page that may have read the
   * document before them and does not listen yet, so they are announced again.
   */
  #onReady(): void {
    const isMissed = this.#isListening && this.#shownSinceReady > 1;
    this.#isListening = true;
    this.#shownSinceReady = 0;
    if (isMissed) this.#announce();
  }

  #announce(): void {
    this.#shownSinceReady++;
    this.#send({ type: "cms:changed", id: dataOf(this.#frame, "id") });
  }

  #load(url: string): void {
    this.#shownSinceReady++;
    this.#frame.src = url;
  }

  #send(message: Record<string, string>): void {
    this.#frame.contentWindow?.postMessage(message, this.#origin);
  }
}
