/**
 * Runs in the browser. Which documents of a list are selected: those whose boxes are ticked, or, once asked
 * for, all that match what the list shows, however many pages they fill.
 *
 * @module
 */
import { call } from "./call.ts";
import { all, get } from "./elements.ts";

/** A document, as far as an action on several needs it. */
export interface SelectedDocument {
  id: string;
  status: string;
  title: string;
  /** The slug of the collection that it is in. */
  collection: string;
}

/** Documents that one request asks for. */
const AT_ONCE = 100;

/** The selection of a list. */
export class Selection {
  readonly #root: HTMLElement;
  #matching: SelectedDocument[] | null = null;
  /** Counts what is ticked anew: an answer to an earlier question selects nothing any more. */
  #round = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Whether it is all that match, and not what is ticked. */
  get isMatching(): boolean {
    return this.#matching !== null;
  }

  /** What is selected. */
  get documents(): SelectedDocument[] {
    return this.#matching ?? all(this.#root, "tbody tr")
      .filter((row) => get<HTMLInputElement>(row, "[data-select]").checked)
      .map((row) => ({
        id: row.dataset.id!,
        status: row.dataset.status!,
        collection: row.dataset.collection!,
        title: get(row, "th a").textContent!,
      }));
  }

  /** Goes back to what is ticked. */
  forgetMatching(): void {
    this.#matching = null;
    this.#round++;
  }

  /** Selects everything that the list's query finds; answers what went wrong, or an empty text. */
  async selectMatching(told: (count: number) => void): Promise<string> {
    const round = this.#round;
    const found: SelectedDocument[] = [];
    const query = new URLSearchParams(this.#root.dataset.query);
    for (const name of ["page", "perPage"]) query.delete(name);
    query.set("perPage", String(AT_ONCE));
    query.set("fields", "id,status,title,collection");
    for (let cursor: string | null = ""; cursor !== null;) {
      query.set("cursor", cursor);
      const { ok, body, message } = await call("GET", `/api/admin/documents?${query}`);
      if (!ok) return message;
      if (round !== this.#round) return "";
      found.push(...body.data);
      told(found.length);
      cursor = body.meta.nextCursor;
    }
    this.#matching = found;
    return "";
  }
}
