/** Two processes over one store and requests with one key: the one that is under way keeps the other out. */
import { IdempotentRequest } from "../../../../kv/documents/idempotency.ts";
import type { Key } from "../../../../kv/keys.ts";
import { tokenIdOf } from "../../../../kv/model/values/token_text.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, type Headless, headless } from "../../../support/sites/headless.ts";
import { IMAGES } from "../../../support/sites/images.ts";

const HOUR_MS = 3_600_000;
const CLAIM_MS = 10_000;

/** An upload whose last bytes come when they are let go. */
async function heldUpload() {
  const form = new FormData();
  form.set("file", new File([IMAGES["image/png"] as Uint8Array<ArrayBuffer>], "lamp.png"));
  const whole = new Response(form);
  const type = whole.headers.get("content-type")!;
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const { promise, resolve } = Promise.withResolvers<void>();
  async function* pieces() {
    yield bytes.slice(0, 100);
    await promise;
    yield bytes.slice(100);
  }
  const headers = { "idempotency-key": "a", "content-type": type };
  return { letGo: resolve, held: { headers, raw: ReadableStream.from(pieces()) }, headers, bytes };
}

/** Waits until another process can see that a request is under way. */
async function claimed({ context: { store } }: Headless, key: Key): Promise<void> {
  while ((await store.get(key)).value === null) await new Promise((done) => setTimeout(done, 10));
}

const claimKeyOf = ({ full }: Headless, key = "a") =>
  new IdempotentRequest(tokenIdOf(full)!, key, []).claimKey;

Deno.test("a key whose request is under way in another process is refused with 409", async () => {
  await using test = await headless();
  const other = secondApp(test.context);
  const { letGo, held, headers, bytes } = await heldUpload();
  const inOther = () =>
    callApp(other.app, "POST", "/api/v1/media", { token: test.full, headers, raw: bytes });
  const first = test.v1("POST", "/media", held);
  await claimed(test, claimKeyOf(test));

  const during = await inOther();
  letGo();
  const made = await first;
  const after = await inOther();

  assertRefused(during, 409, "CONFLICT");
  assertEquals(during.headers.get("retry-after"), "1");
  assertEquals([made.status, made.headers.get("idempotency-replayed")], [201, null]);
  assertEquals([after.status, after.headers.get("idempotency-replayed")], [201, "true"]);
  assertEquals(after.text, made.text);
  assertEquals((await test.context.store.get(claimKeyOf(test))).value, null);
});

Deno.test("a request that was refused leaves its key to other processes at once", async () => {
  await using test = await headless();
  const other = secondApp(test.context);
  const { letGo, held } = await heldUpload();
  const raw = held.raw.pipeThrough(
    new TransformStream({
      transform: (piece: Uint8Array, to) => to.enqueue(piece.fill(0)),
    }),
  );
  const first = test.v1("POST", "/media", { ...held, raw });
  await claimed(test, claimKeyOf(test));

  letGo();
  assertEquals(Math.floor((await first).status / 100), 4);
  const call = { token: test.full, body: { title: "Hello" }, headers: { "idempotency-key": "a" } };
  assertEquals((await callApp(other.app, "POST", "/api/v1/posts", call)).status, 201);
});

Deno.test("a claim that its process has left, or of a clock that is off, blocks no request for long", async () => {
  await using test = await headless();
  const { store, now } = test.context;
  const call = { body: { title: "Hello" }, headers: { "idempotency-key": "a" } };
  const claimUntil = (until: number, key?: string) =>
    store.commit(new Operation().set(claimKeyOf(test, key), until));

  await claimUntil(now() + CLAIM_MS);
  assertRefused(await test.v1("POST", "/posts", call), 409, "CONFLICT");
  test.context.advance(CLAIM_MS);
  assertEquals((await test.v1("POST", "/posts", call)).status, 201);
  await claimUntil(now() + CLAIM_MS);
  const again = await test.v1("POST", "/posts", call);
  assertEquals([again.status, again.headers.get("idempotency-replayed")], [201, "true"]);
  await claimUntil(now() + HOUR_MS, "b");
  const { json } = await test.v1("PATCH", `/posts/${again.json.id}`, {
    body: { title: "Hi" },
    headers: { "idempotency-key": "b" },
  });
  assertEquals(json.title, "Hi");
});
