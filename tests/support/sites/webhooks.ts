/**
 * Webhooks in a test: a receiver on loopback, and a site that calls it.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type TestApp, testApp } from "./app.ts";
import { assertEquals } from "../harness/assert.ts";

/** A day, milliseconds. */
export const DAY_MS = 86_400_000;

/** A message as it arrived. */
export interface Received {
  id: string;
  headers: Record<string, string>;
  text: string;
  // deno-lint-ignore no-explicit-any
  json: any;
}

/** A receiver on loopback that answers what a test says at the time. */
export function receiver() {
  const received: Received[] = [];
  const answer = {
    with: (_message: Received): Response | Promise<Response> => new Response("thanks"),
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const headers = Object.fromEntries(request.headers);
    const text = await request.text();
    const message = { id: headers["webhook-id"]!, headers, text, json: JSON.parse(text) };
    received.push(message);
    return await answer.with(message);
  });
  return {
    received,
    answer,
    url: `http://127.0.0.1:${server.addr.port}/hook`,
    types: () => received.map(({ json }) => json.type),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A site with a collection, its administrator signed in; webhooks may call loopback. */
export async function webhookSite(
  options: Parameters<typeof testApp>[0] = {},
): Promise<TestApp> {
  const test = await testApp({ guard: { allowLocal: true }, ...options });
  await test.setUp();
  await test.admin("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "rating", type: "number", indexed: true },
      { name: "related", type: "reference", indexed: true, options: { collection: "posts" } },
    ],
  });
  await test.runner.drain();
  return test;
}

/** Waits until something is so, while the runner of the process looks for jobs; throws after 5 s. */
export async function until(test: TestApp, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!await isSo()) {
    if (performance.now() > deadline) throw new Error(`Not within 5 s: ${isSo}`);
    test.runner.poll();
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Lets time pass without losing the session, which ends when it is not used for half a day. */
export async function pass(test: TestApp, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= DAY_MS / 4) {
    test.context.advance(Math.min(left, DAY_MS / 4));
    await test.admin("GET", "/session");
  }
}

/** Creates a webhook that receives publications by default; returns it with its secret. */
export async function hook(test: TestApp, url: string, input: Record<string, Json> = {}) {
  const body = { name: "Mirror", url, events: ["document.published"], ...input };
  const answer = await test.admin("POST", "/webhooks", body);
  assertEquals(answer.status, 201, answer.text);
  return answer.json;
}

/** What can happen to a document. */
export const DOCUMENT_EVENTS = [
  "document.published",
  "document.updated",
  "document.unpublished",
  "document.trashed",
];
