/**
 * The change feed against a model: whatever two processes write, and whatever happens to the token and to
 * the collections, a consumer that applies the feed ends with exactly what the token sees.
 */
import type { Json } from "../../../kv/model/entity.ts";
import { callApp, secondApp } from "../../support/app.ts";
import { assertEquals } from "../../support/assert.ts";
import { type Headless, headless } from "../../support/headless.ts";
import { seededRandom } from "../../support/harness.ts";

const STEPS = 250;
const SEEDS = [1, 2, 3];
const SCOPES: string[][] = [
  ["posts:read"],
  ["*:read"],
  ["posts:read", "posts:read-drafts"],
  ["*:read", "*:read-drafts"],
  ["pages:read", "posts:write"],
];

/** What a consumer has: the title of each document that it was told of. */
class Consumer {
  readonly kept = new Map<string, string>();
  #since: string | null = null;

  constructor(readonly ask: (path: string) => ReturnType<Headless["call"]>) {}

  /** Applies up to `pages` pages of the feed. */
  async apply(pages: number, limit: number): Promise<void> {
    for (let page = 0; page < pages; page++) {
      const since = this.#since === null ? "" : `&since=${encodeURIComponent(this.#since)}`;
      const { status, json, text } = await this.ask(`/api/v1/_changes?limit=${limit}${since}`);
      assertEquals(status, 200, text);
      for (const { change, id, document } of json.data) {
        if (change === "removed") this.kept.delete(id);
        else if (document !== undefined) this.kept.set(id, document.title);
      }
      this.#since = json.meta.cursor;
      if (!json.meta.hasMore) return;
    }
  }
}

for (const seed of SEEDS) {
  Deno.test(`a consumer has what its token sees, seed ${seed}`, async () => {
    await using test = await headless();
    await test.setUp();
    await test.collection({ slug: "pages", name: "Pages", fields: [] });
    const other = secondApp(test.context);
    const random = seededRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const minted = await test.admin("POST", "/tokens", {
      name: "mirror",
      scopes: SCOPES[0]!,
      quotaPerMinute: 1_000,
    });
    const { id: tokenId, token } = minted.json;
    const ask = (path: string) => {
      test.context.advance(100);
      return callApp(random() < 0.5 ? test.app : other.app, "GET", path, { token });
    };
    const consumer = new Consumer(ask);
    const ids: { slug: string; id: string }[] = [];
    const write = (method: string, path: string, body?: Json) =>
      callApp(random() < 0.5 ? test.app : other.app, method, `/api/v1${path}`, {
        token: test.full,
        ...(body !== undefined && { body }),
      });

    for (let step = 0; step < STEPS; step++) {
      test.context.advance(Math.floor(random() * 5_000));
      const one = ids.length === 0 ? null : pick(ids);
      const kind = random();
      if (kind < 0.3 || one === null) {
        const slug = pick(["posts", "pages"]);
        const status = pick(["draft", "published"]);
        const { json } = await write("POST", `/${slug}`, { title: `New ${step}`, status });
        if (json.id !== undefined) ids.push({ slug, id: json.id });
      } else if (kind < 0.5) {
        await write("PATCH", `/${one.slug}/${one.id}`, { title: `At ${step}` });
      } else if (kind < 0.58) await write("DELETE", `/${one.slug}/${one.id}`);
      else if (kind < 0.7) {
        const action = pick(["publish", "unpublish", "archive"]);
        await test.admin("POST", `/documents/${one.id}/${action}`, {});
      } else if (kind < 0.76) {
        await test.admin("PATCH", `/tokens/${tokenId}`, { scopes: pick(SCOPES) });
      } else if (kind < 0.8) {
        await test.admin("PATCH", "/collections/pages", { exposed: random() < 0.5 });
      } else await consumer.apply(1 + Math.floor(random() * 4), 1 + Math.floor(random() * 7));
      if (random() < 0.04) await test.runner.drain();
    }
    await consumer.apply(Infinity, 50);
    assertEquals(sorted(consumer.kept), sorted(await seenBy(ask)));
  });
}

function sorted(titles: Map<string, string>): [string, string][] {
  return [...titles].sort(([a], [b]) => a < b ? -1 : 1);
}

/** What lists show with the token: published documents, and the others where it may see them. */
async function seenBy(ask: Consumer["ask"]): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const slug of ["posts", "pages"]) {
    for (const status of ["published", "draft", "scheduled", "archived"]) {
      for (let cursor: string | null = ""; cursor !== null;) {
        const query = `status=${status}&perPage=100&cursor=${encodeURIComponent(cursor)}`;
        const answer = await ask(`/api/v1/${slug}?${query}`);
        if (answer.status !== 200) break;
        for (const { id, title } of answer.json.data) seen.set(id, title);
        cursor = answer.json.meta.nextCursor;
      }
    }
  }
  return seen;
}
