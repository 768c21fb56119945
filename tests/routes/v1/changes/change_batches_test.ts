/** Streams of the change feed in one batch: notified together, each with the changes visible to its token. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { inTime } from "../../../support/harness/in_time.ts";
import { type Headless, headless } from "../../../support/sites/headless.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { tokenIdOf } from "../../../../kv/model/values/token_text.ts";
import { patchToken, revokeToken } from "../../../../kv/people/tokens.ts";

/** A stream that is read as it comes. */
class Told {
  text = "";
  readonly #ended: Promise<void>;

  private constructor(body: ReadableStream<Uint8Array>) {
    const decoder = new TextDecoder();
    this.#ended = (async () => {
      for await (const bytes of body) this.text += decoder.decode(bytes, { stream: true });
    })();
  }

  /** A stream behind everything there is, which waits. */
  static async open(test: Headless, token: string, query = ""): Promise<Told> {
    const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
    let since = "";
    for (let hasMore = true; hasMore;) {
      const path = `/_changes?limit=1000${query}${since}`;
      const { json } = await test.v1("GET", path, { token });
      ({ hasMore } = json.meta);
      since = `&since=${json.meta.cursor}`;
    }
    const request = new Request(`http://localhost/api/v1/_changes?${query}${since}`, {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    });
    const told = new Told((await test.app.fetch(request, { remoteAddr })).body!);
    await told.until(() => told.text !== "");
    return told;
  }

  async until(holds: () => boolean): Promise<void> {
    for (let looks = 0; !holds(); looks++) {
      if (looks === 1_000) throw new Error(`Was told: ${this.text.slice(0, 1_000)}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  // deno-lint-ignore no-explicit-any
  get changes(): any[] {
    return [...this.text.matchAll(/event: change\ndata: (.+)\n\n/g)].map(([, data]) =>
      JSON.parse(data!)
    );
  }

  ended(): Promise<void> {
    return this.#ended;
  }
}

/** Counts the pages of the log that are read. */
function countPages(test: Headless): () => number {
  const { changes } = test.deps;
  const page = changes.page.bind(changes);
  let pages = 0;
  changes.page = (...given) => (pages += 1, page(...given));
  return () => pages;
}

Deno.test("streams with the same visibility share one read, others get their own", async () => {
  await using test = await headless();
  const readers = await test.token({ scopes: ["posts:read"] });
  const same = await Promise.all(Array.from({ length: 20 }, () => Told.open(test, test.full)));
  const without = await Told.open(test, test.full, "&include=none");
  const outside = await Promise.all([1, 2].map(() => Told.open(test, readers)));
  const pages = countPages(test);

  const draft = await test.post({ title: "A draft" });
  const all = [...same, without, ...outside];
  await Promise.all([...same, without].map((one) => one.until(() => one.changes.length === 1)));
  await Promise.all(outside.map((one) => one.until(() => one.text.includes("\n\nid: "))));

  assertEquals(new Set(same.map(({ text }) => text)).size, 1);
  assertEquals(same[0]!.changes[0].document.title, "A draft");
  assertEquals(without.changes.map(({ id, document }) => [id, document]), [[draft.id, undefined]]);
  assertEquals(outside.map(({ changes }) => changes), [[], []]);
  assert(pages() <= 3, `${pages()} pages`);

  const open = await test.post({ title: "Published", status: "published" });
  for (const one of all) {
    await one.until(() =>
      one.changes.some(({ id, change }) => id === open.id && change === "upserted")
    );
  }
  assert(outside.every(({ text }) => !text.includes("A draft")));
  test.deps.changeSignal.close();
  await Promise.all(all.map((one) => one.ended()));
});

Deno.test("changes beyond one batch follow, each once", async () => {
  await using test = await headless();
  const streams = await Promise.all([1, 2, 3].map(() => Told.open(test, test.full)));
  // Together in commits: some have the same stamp.
  const lines = Array.from({ length: 12 }, (_, n) => {
    return JSON.stringify({
      op: "create",
      body: { title: `Post ${n}`, summary: "é".repeat(10_000) },
    });
  });
  const raw = lines.join("\n");
  const headers = { "content-type": "application/x-ndjson" };
  const { text } = await test.v1("POST", "/posts/_bulk", { raw, headers });
  const ids = text.trim().split("\n").slice(0, 12).map((line) => JSON.parse(line).id);
  for (const stream of streams) {
    await stream.until(() => new Set(stream.changes.map(({ id }) => id)).size === 12);
    // Each once, and in the order of the log, which need not be that of the lines.
    assertEquals(stream.changes.map(({ id }) => id).sort(), ids.toSorted());
    assertEquals(stream.changes, streams[0]!.changes);
    assertEquals(stream.changes[0].document.summary, "é".repeat(10_000));
  }
  test.deps.changeSignal.close();
  await Promise.all(streams.map((one) => one.ended()));
});

Deno.test("a token whose scopes are removed receives only visible documents, next to other streams", async () => {
  await using test = await headless();
  const token = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  const { id } = await test.post({ title: "Before" });
  const streams = await Promise.all([1, 2, 3].map(() => Told.open(test, token)));
  await patchToken(test.context, UNATTENDED, tokenIdOf(token)!, { scopes: ["posts:read"] }, null);
  await test.post({ title: "Secret" });
  for (const stream of streams) {
    await stream.until(() => stream.changes.some(({ change }) => change === "removed"));
    assert(stream.changes.every(({ change }) => change === "removed"));
    assert(stream.changes.some((one) => one.id === id));
    assert(!stream.text.includes("Secret"));
  }
  test.deps.changeSignal.close();
  await Promise.all(streams.map((one) => one.ended()));
});

Deno.test("a stream ends within seconds when its token is revoked or expires, without a change", async () => {
  await using test = await headless();
  const revoked = await test.token();
  const expiresAt = Math.floor(test.context.now() / 1000) + 1;
  const expiring = await test.token({ expiresAt });
  const streams = await Promise.all([revoked, expiring].map((token) => Told.open(test, token)));
  await revokeToken(test.context, UNATTENDED, tokenIdOf(revoked)!);
  test.context.advance(2_000);
  const ended = Promise.all(streams.map((stream) => stream.ended())).then(() => "ended");
  assertEquals(await inTime(ended, 5_000, () => "late"), "ended");
  test.deps.changeSignal.close();
});
