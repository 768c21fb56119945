/**
 * The change feed as tests read it: page by page, or applied by a consumer.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../harness/assert.ts";
import type { Headless } from "../sites/headless.ts";

/** An element of the feed. */
export interface Element {
  cursor: string;
  change: "upserted" | "removed";
  collection: string;
  id: string;
  version: number;
  changedAt: number;
  // deno-lint-ignore no-explicit-any
  document?: any;
}

/** A page of the feed. */
export interface Page {
  data: Element[];
  meta: { cursor: string; hasMore: boolean };
}

/** Asks for a page. */
export async function page(test: Headless, query: string, token = test.full): Promise<Page> {
  const answer = await test.v1("GET", `/_changes?${query}`, { token });
  assertEquals(answer.status, 200, answer.text);
  return answer.json;
}

/** A consumer that applies the feed. */
export class Mirror {
  readonly documents = new Map<string, Json>();
  /** Cursors since the last change of visibility: documents of another snapshot are sent again. */
  readonly seen: string[] = [];
  cursor: string | null = null;

  constructor(readonly test: Headless, readonly token: string, readonly query = "limit=3") {}

  async catchUp(): Promise<void> {
    for (;;) {
      const since = this.cursor === null ? "" : `&since=${this.cursor}`;
      const { data, meta } = await page(this.test, `${this.query}${since}`, this.token);
      for (const element of data) {
        this.seen.push(element.cursor);
        if (element.change === "removed") this.documents.delete(element.id);
        else this.documents.set(element.id, element.document);
      }
      this.cursor = meta.cursor;
      if (!meta.hasMore) return;
    }
  }

  /** Compares what it has with what the token sees in lists. */
  async assertExact(): Promise<void> {
    await this.catchUp();
    const { json } = await this.test.v1("GET", "/posts?perPage=100", { token: this.token });
    const expected = json?.data ?? [];
    const byId = (a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1;
    assertEquals([...this.documents.values()].sort(byId as never), expected.sort(byId));
    assertEquals(new Set(this.seen).size, this.seen.length, "an element came twice");
  }
}
