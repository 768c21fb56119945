/**
 * Runs in the browser. The selection of a list: the ticked documents, or all that match the list's query, on
 * any page.
 *
 * @module
 */
import { call, type ListBody, type Reply } from "./call.ts";
import { all, dataOf, get } from "./elements.ts";

/** The properties of a document that bulk actions need. */
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
  /** Incremented with each change of the selection, so that an outdated response is ignored. */
  #round = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Whether all matching documents are selected instead of the ticked ones. */
  get isMatching(): boolean {
    return this.#matching !== null;
  }

  /** The selected documents. */
  get documents(): SelectedDocument[] {
    return this.#matching ?? all(this.#root, "tbody tr")
      .filter((row) => get<HTMLInputElement>(row, "[data-select]").checked)
      .map((row) => ({
        id: dataOf(row, "id"),
        status: dataOf(row, "status"),
        collection: dataOf(row, "collection"),
        title: get(row, "th a").textContent,
      }));
  }

  /** Returns to the ticked documents. */
  forgetMatching(): void {
    this.#matching = null;
    this.#round++;
  }

  /** Selects everything that the list's query finds; answers what went wrong, or an empty text. */
  async selectMatching(onProgress: (count: number) => void): Promise<string> {
    const round = this.#round;
    const found: SelectedDocument[] = [];
    const query = new URLSearchParams(this.#root.dataset.query);
    for (const name of ["page", "perPage"]) query.delete(name);
    query.set("perPage", String(AT_ONCE));
    query.set("fields", "id,status,title,collection");
    for (let cursor: string | null = ""; cursor !== null;) {
      query.set("cursor", cursor);
      const reply: Reply<ListBody<SelectedDocument>> = await call(
        "GET",
        `/api/admin/documents?${query}`,
      );
      if (!reply.ok) return reply.message;
      const { body } = reply;
      if (round !== this.#round) return "";
      found.push(...body.data);
      onProgress(found.length);
      cursor = body.meta.nextCursor ?? null;
    }
    this.#matching = found;
    return "";
  }
}
