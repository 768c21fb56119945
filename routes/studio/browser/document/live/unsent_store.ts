/**
 * Runs in the browser. Stores unacknowledged changes in the tab's session storage, per document, so that they
 * survive a reload. They are removed once the server has them.
 *
 * @module
 */
import { UNSENT_CHARS_MAX } from "../../../../input/limits.ts";
import type { Unsent } from "./editing_session.ts";

/** How long a change may be unacknowledged before it is stored, milliseconds. */
const PAUSE_MS = 300;

interface StoredChanges extends Unsent {
  userId: string;
  client: string;
}

/** The stored changes of one document in one tab. */
export class UnsentStore {
  readonly #key: string;
  readonly #userId: string;
  /** How operations from here are recognised when they are sent again. */
  readonly client: string;
  readonly #found: StoredChanges | null;
  readonly #read: () => Unsent | null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `form` names the form within the tab; `read` returns the unacknowledged changes. */
  constructor(form: string, userId: string, read: () => Unsent | null) {
    this.#key = `unsent-${form}`;
    this.#userId = userId;
    this.#read = read;
    this.#found = this.#load();
    this.client = this.#found?.client ?? newClient();
    addEventListener("pagehide", () => this.#save());
  }

  /** Changes left by an earlier page of this tab. */
  get found(): Unsent | null {
    return this.#found;
  }

  /** Something has changed. */
  changed(isSettled: boolean): void {
    if (isSettled) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      sessionStorage.removeItem(this.#key);
    } else {
      this.#timer ??= setTimeout(() => this.#save(), PAUSE_MS);
    }
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const unsent = this.#read();
    if (unsent === null) return sessionStorage.removeItem(this.#key);
    const kept: StoredChanges = { ...unsent, userId: this.#userId, client: this.client };
    let text = JSON.stringify(kept);
    // Better most of it than nothing.
    for (const name of text.length > UNSENT_CHARS_MAX ? longestFirst(unsent) : []) {
      delete kept.fields[name];
      text = JSON.stringify(kept);
      if (text.length <= UNSENT_CHARS_MAX) break;
    }
    try {
      sessionStorage.setItem(this.#key, text);
    } catch (error) {
      // The storage is full; the page itself still holds the changes.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  #load(): StoredChanges | null {
    const text = sessionStorage.getItem(this.#key);
    if (text === null) return null;
    const kept: StoredChanges = JSON.parse(text);
    // Changes of another user of the same tab must not be sent in this user's name.
    return kept.userId === this.#userId ? kept : null;
  }
}

function longestFirst({ fields }: Unsent): string[] {
  const length = (name: string) => JSON.stringify(fields[name]).length;
  return Object.keys(fields).sort((one, other) => length(other) - length(one));
}

function newClient(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
