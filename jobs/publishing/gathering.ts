/**
 * Keeps documents that are rendered in parallel together, so that their later steps share reads and commits.
 *
 * @module
 */
import type { Store } from "../../kv/store/store.ts";

/** The longest that a document waits for others, milliseconds. */
const WAIT_MS = 1_000;
const CHECK_MS = 2;

/** Documents between the start of their rendering and the step after it, by their payloads. */
export class Gathering {
  readonly #store: Store;
  readonly #begun = new Set<object>();
  #together: Promise<void> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Notes that a document is being rendered. */
  begin(payload: object): void {
    this.#begun.add(payload);
  }

  /** Notes that a document is rendered and committed, or not rendered after all. */
  end(payload: object): void {
    this.#begun.delete(payload);
  }

  /** Waits for the documents that are being rendered now; all that wait continue at the same time. */
  async others(): Promise<void> {
    if (this.#together === null && this.#begun.size === 0) return;
    this.#together ??= this.#gather();
    await this.#together;
  }

  async #gather(): Promise<void> {
    const awaited = [...this.#begun];
    const isMissing = () => awaited.some((payload) => this.#begun.has(payload));
    for (let waited = 0; isMissing() && waited < WAIT_MS; waited += CHECK_MS) {
      await this.#store.sleep(CHECK_MS);
    }
    // A failed commit may leave one behind.
    for (const payload of awaited) this.#begun.delete(payload);
    this.#together = null;
  }
}
