/** `_bulk`: many writes in one request, each answered as the single route would. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  type Headless,
  headless,
  inPieces,
} from "../../../support/sites/headless.ts";

const NDJSON = { "content-type": "application/x-ndjson" };

interface Options {
  headers?: Record<string, string>;
  token?: string;
}

/** Sends lines and parses the answered ones. */
async function bulk(
  test: Headless,
  lines: (Json | string)[],
  { headers, ...call }: Options = {},
) {
  const raw = lines
    .map((line) => typeof line === "string" ? line : JSON.stringify(line))
    .join("\n");
  const answer = await test.v1("POST", "/posts/_bulk", {
    raw,
    headers: { ...NDJSON, ...headers },
    ...call,
  });
  assertEquals(answer.status, 200, answer.text);
  assertEquals(answer.headers.get("content-type"), "application/x-ndjson");
  assert(answer.text.endsWith("\n"));
  // deno-lint-ignore no-explicit-any
  return answer.text.trimEnd().split("\n").map((line) => JSON.parse(line) as any);
}

const create = (title: string, more: Record<string, Json> = {}): Json => ({
  op: "create",
  body: { title, ...more },
});

Deno.test("every operation is answered in order, as the single routes answer", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "There", slug: "there" });
  const [one, two, three, four, five, done, ...rest] = await bulk(test, [
    create("First", { rating: 1 }),
    { op: "upsert", slug: "second", body: { title: "Second" } },
    { op: "upsert", slug: "second", body: { rating: 5 } },
    { op: "update", slug: "there", body: { rating: 7 } },
    { op: "trash", id },
  ]);
  assertEquals([one.line, one.status, one.slug], [1, 201, "first"]);
  assertEquals([two.line, two.status, two.slug], [2, 201, "second"]);
  assertEquals([three.line, three.status, three.id], [3, 200, two.id]);
  assertEquals([four.line, four.status, four.id], [4, 200, id]);
  assertEquals([five.line, five.status, five.id], [5, 204, id]);
  assertEquals([done, rest], [{ done: true, ok: 5, failed: 0 }, []]);
  assertEquals((await test.v1("GET", `/posts/${two.id}`)).json.rating, 5);
});

Deno.test("a broken line fails alone, with what the single route would say", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Taken", slug: "taken" });
  const answers = await bulk(test, [
    "{nonsense",
    create(""),
    create("Other", { slug: "taken" }),
    { op: "fly", body: 3 as unknown as Json },
    { op: "update", body: {} },
    { op: "update", id, ifMatch: '"x"', body: { rating: 1 } },
    { op: "update", slug: "nowhere", body: { rating: 1 } },
    { op: "create", color: "red", body: { title: "X" } },
    "",
    create("Good"),
  ]);
  const done = answers.pop();
  assertEquals(
    answers.map(({ line, status, error }) => [line, status, error?.code ?? null]),
    [
      [1, 400, "BODY_INVALID"],
      [2, 422, "VALIDATION_FAILED"],
      [3, 409, "SLUG_CONFLICT"],
      [4, 422, "VALIDATION_FAILED"],
      [5, 422, "VALIDATION_FAILED"],
      [6, 412, "PRECONDITION_FAILED"],
      [7, 404, "NOT_FOUND"],
      [8, 422, "VALIDATION_FAILED"],
      [10, 201, null],
    ],
  );
  // A failed line says which document it was about, as far as it named one.
  assertEquals(
    answers.filter(({ id, slug }) => id !== null || slug !== null)
      .map(({ line, id, slug }) => [line, id, slug]),
    [[6, id, null], [7, null, "nowhere"], [10, answers.at(-1).id, "good"]],
  );
  assertEquals(answers[1].error.details.map(({ field }: { field: string }) => field), ["title"]);
  assertEquals(done, { done: true, ok: 1, failed: 8 });
});

Deno.test("lines that name one document keep their order among many", async () => {
  await using test = await headless();
  const lines: Json[] = [];
  for (let n = 0; n < 300; n++) {
    lines.push({ op: "upsert", slug: `s${n % 3}`, body: { title: `Title ${n}` } });
  }
  const answers = await bulk(test, lines);
  assertEquals(answers.pop(), { done: true, ok: 300, failed: 0 });
  assertEquals(answers.filter(({ status }) => status === 201).length, 3);
  for (const [slug, title] of [["s0", "Title 297"], ["s1", "Title 298"], ["s2", "Title 299"]]) {
    assertEquals((await test.v1("GET", `/posts/by-slug/${slug}`)).json.title, title);
  }
});

Deno.test("a repeated call with its key continues where the first one stopped", async () => {
  await using test = await headless();
  const lines = Array.from({ length: 50 }, (_, n) => create(`Title ${n}`));
  lines.push({ op: "trash", slug: "title-3" });
  const headers = { "idempotency-key": "load" };
  const cut = await bulk(test, lines.slice(0, 20), { headers });
  const whole = await bulk(test, lines, { headers });
  assertEquals(whole.slice(0, 20), cut.slice(0, 20));
  assertEquals(whole.at(-1), { done: true, ok: 51, failed: 0 });
  assertEquals(await bulk(test, lines, { headers }), whole);
  assertEquals((await test.v1("GET", "/posts")).json.meta.total, 49);
  const [changed] = await bulk(test, [create("Something else")], { headers });
  assertEquals([changed.status, changed.error.code], [422, "IDEMPOTENCY_KEY_REUSED"]);
});

Deno.test("a call that comes again while the first is under way writes each line once", async () => {
  await using test = await headless();
  const lines = Array.from({ length: 60 }, (_, n) => create(`Title ${n}`));
  const headers = { "idempotency-key": "load" };
  const [one, two] = await Promise.all([
    bulk(test, lines, { headers }),
    bulk(test, lines, { headers }),
  ]);
  assertEquals(one, two);
  assertEquals((await test.v1("GET", "/posts")).json.meta.total, 60);
});

Deno.test("each hundred lines count as one request; a full quota is waited for", async () => {
  await using test = await headless();
  const token = await test.token({ quotaPerMinute: 3 });
  const waits: number[] = [];
  const { store } = test.context;
  const sleep = store.sleep;
  Object.defineProperty(store, "sleep", {
    value: async (ms: number) => {
      if (ms >= 1000) {
        waits.push(ms);
        test.context.advance(ms);
      } else await sleep(ms);
    },
  });
  const lines = Array.from({ length: 301 }, (_, n) => create(`Title ${n}`));
  const answers = await bulk(test, lines, { token });
  assertEquals(answers.at(-1), { done: true, ok: 301, failed: 0 });
  assert(waits.length > 0 && waits.reduce((sum, ms) => sum + ms, 0) >= 59_000, `${waits}`);
});

/** A bulk request whose body lasts until the test ends it. */
async function openBulk(test: Headless) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) });
  const request = new Request("http://localhost/api/v1/posts/_bulk", {
    method: "POST",
    headers: { ...NDJSON, authorization: `Bearer ${test.full}` },
    body,
  });
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  const response = await test.app.fetch(request, { remoteAddr });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  return {
    send: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    close: () => controller.close(),
    /** So many answers, or all that are left. */
    read: async (count = Infinity) => {
      let text = "";
      while (text.split("\n").length <= count) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
      }
      return text.trimEnd().split("\n").map((line) => JSON.parse(line));
    },
  };
}

Deno.test("a sender that waits for its answers gets them while its body continues", async () => {
  await using test = await headless();
  const open = await openBulk(test);
  for (let n = 0; n < 3; n++) {
    const lines = ["a", "b"].map((end) => `${JSON.stringify(create(`Title ${n}${end}`))}\n`);
    // The beginning of an incomplete line does not delay the answers to earlier lines.
    open.send(`${lines.join("")} `);
    assertEquals((await open.read(2)).map(({ line }) => line), [2 * n + 1, 2 * n + 2]);
  }
  open.close();
  const [broken, done] = await open.read();
  assertEquals([broken.status, done.ok, done.failed], [400, 6, 1]);
});

Deno.test("a request in progress during shutdown ends with its results and the reason", async () => {
  await using test = await headless();
  const open = await openBulk(test);
  open.send(`${JSON.stringify(create("One"))}\n`);
  assertEquals((await open.read(1))[0].status, 201);
  open.send(`${JSON.stringify(create("Two"))}\n`);
  test.deps.changeSignal.close();
  const answers = await open.read();
  const done = answers.at(-1);
  assertEquals([done.done, done.status, done.error.code], [true, 503, "UNAVAILABLE"]);
  assertEquals((await test.v1("GET", "/posts")).json.meta.total, done.ok);
});

/** Sends a body of 20 MB, a megabyte at a time; `before` is awaited before each line. */
async function sendLong(test: Headless, before: (line: number) => Promise<void>) {
  const line = `${JSON.stringify(create("Long", { summary: "x".repeat(1_000_000 - 60) }))}\n`;
  const bytes = new TextEncoder().encode(line);
  const lines = 20;
  let sent = 0;
  const request = new Request("http://localhost/api/v1/posts/_bulk", {
    method: "POST",
    headers: {
      ...NDJSON,
      authorization: `Bearer ${test.full}`,
      "content-length": `${lines * bytes.byteLength}`,
    },
    body: new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent === lines) return controller.close();
        await before(sent);
        sent += 1;
        controller.enqueue(bytes);
      },
    }, { highWaterMark: 0 }),
  });
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  const response = await test.app.fetch(request, { remoteAddr });
  return { response, sent: () => sent, lines };
}

Deno.test("the answer to a long body begins when little of it is left, and tells of all its lines", async () => {
  await using test = await headless();
  const { response, sent, lines } = await sendLong(test, () => Promise.resolve());
  assert(sent() >= 4, `The answer began after ${sent()} MB`);
  const text = await response.text();
  const numbers = text.trimEnd().split("\n").map((line) => JSON.parse(line).line);
  assertEquals(numbers.slice(0, -1), Array.from({ length: lines }, (_, n) => n + 1));
});

Deno.test("the answer to a long body begins when its sender stops to wait for it", async () => {
  await using test = await headless();
  const begun = Promise.withResolvers<void>();
  const { response, sent } = await sendLong(
    test,
    (line) => line === 2 ? begun.promise : Promise.resolve(),
  );
  assertEquals(sent(), 2);
  begun.resolve();
  assertEquals((await response.text()).trimEnd().split("\n").length, 21);
});

Deno.test("a token that is revoked during the request writes nothing more", async () => {
  await using test = await headless();
  const token = await test.token({ name: "short" });
  const answer = await test.v1("POST", "/posts/_bulk", {
    token,
    headers: NDJSON,
    raw: (function () {
      let n = 0;
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          n += 1;
          if (n === 150) await revoke(test, token);
          if (n > 250) return controller.close();
          controller.enqueue(new TextEncoder().encode(`${JSON.stringify(create(`T ${n}`))}\n`));
        },
      });
    })(),
  });
  const lines = answer.text.trimEnd().split("\n").map((line) => JSON.parse(line));
  const done = lines.at(-1);
  assertEquals([done.done, done.status, done.error.code], [true, 401, "UNAUTHENTICATED"]);
  assertEquals(done.ok, 200);
});

async function revoke(test: Headless, token: string): Promise<void> {
  const { revokeToken } = await import("../../../../kv/people/tokens.ts");
  const { tokenIdOf } = await import("../../../../kv/model/values/token_text.ts");
  const { UNATTENDED } = await import("../../../../kv/model/entities/entity.ts");
  await revokeToken(test.context, UNATTENDED, tokenIdOf(token)!);
}

Deno.test("an invalid bulk request is refused before a line is read", async () => {
  await using test = await headless();
  const path = "/posts/_bulk";
  const raw = "{}";
  assertRefused(
    await test.v1("POST", path, { raw, headers: { "content-type": "application/json" } }),
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  );
  assertRefused(
    await test.v1("POST", path, { raw, headers: { ...NDJSON, "content-length": "100000001" } }),
    413,
    "PAYLOAD_TOO_LARGE",
  );
  const reader = await test.token({ scopes: ["posts:read"] });
  assertRefused(
    await test.v1("POST", path, { raw, headers: NDJSON, token: reader }),
    403,
    "FORBIDDEN",
  );
  assertRefused(
    await test.v1("POST", "/nowhere/_bulk", { raw, headers: NDJSON }),
    404,
    "COLLECTION_NOT_FOUND",
  );
});

Deno.test("a line that is too long, and a truncated body, are reported with their position", async () => {
  await using test = await headless();
  const long = JSON.stringify(create("x".repeat(5_000_001)));
  const [first, second] = await bulk(test, [long, create("Short")]);
  assertEquals([first.line, first.status], [1, 413]);
  assertEquals([second.line, second.status], [2, 201]);
  const pieces = inPieces(
    `${JSON.stringify(create("In"))}\n{"op":"cre`,
    'ate","body":{"title":"P"}}',
  );
  const answer = await test.v1("POST", "/posts/_bulk", { raw: pieces, headers: NDJSON });
  assert(answer.text.includes('"done":true,"ok":2,"failed":0'), answer.text);
});

Deno.test("lines share their reads and commits", async () => {
  await using test = await headless();
  await bulk(test, [create("First")]);
  const { counts } = test.context.store;
  const before = { ...counts };

  const answers = await bulk(test, Array.from({ length: 100 }, (_, n) => create(`Line ${n}`)));

  assertEquals(answers.at(-1), { done: true, ok: 100, failed: 0 });
  const [reads, commits] = [counts.reads - before.reads, counts.commits - before.commits];
  assert(reads <= 10, `${reads} reads`);
  assert(commits <= 6, `${commits} commits`);
});

Deno.test("a line finds what the lines before it have given up or made, however they are named", async () => {
  await using test = await headless();
  const [a, b, c] = [
    await test.post({ title: "A", slug: "a", code: "X" }),
    await test.post({ title: "B", slug: "b", code: "Y" }),
    await test.post({ title: "C", slug: "c" }),
  ];
  const filler = Array.from({ length: 20 }, (_, n) => create(`Filler ${n}`));
  const lines = await bulk(test, [
    ...filler,
    { op: "trash", id: a.id },
    create("A again", { slug: "a", code: "X" }),
    { op: "update", id: b.id, body: { slug: "elsewhere", code: "Z" } },
    create("B again", { slug: "b", code: "Y" }),
    create("C"),
    { op: "update", slug: "c-2", body: { rating: 4 } },
    { op: "update", id: c.id, body: { code: "W" } },
    create("Too late", { code: "W" }),
  ]);
  const statuses = lines.slice(20, -1).map(({ status }) => status);
  assertEquals(statuses, [204, 201, 200, 201, 201, 200, 200, 422]);
  assertEquals(lines.at(-1), { done: true, ok: 27, failed: 1 });
});

Deno.test("a collection for one document takes another one after the line that trashes the first", async () => {
  await using test = await headless();
  await test.collection({ slug: "home", name: "Home", singleton: true });
  await test.v1("POST", "/home", { body: { title: "Home" } });
  const answer = await test.v1("POST", "/home/_bulk", {
    raw: [create("One more"), { op: "trash", slug: "home" }, create("Another")]
      .map((line) => JSON.stringify(line)).join("\n"),
    headers: NDJSON,
  });
  const statuses = answer.text.trimEnd().split("\n").map((line) => JSON.parse(line).status);
  assertEquals(statuses, [409, 204, 201, undefined]);
});
