/**
 * The served client for programs: an upload and writes whose answers get lost write nothing twice, a sync
 * that is cut anywhere ends with exactly what its token sees.
 */
import { typesModule } from "../../routes/v1/types/types_module.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { type Headless, headless } from "../support/sites/headless.ts";
import { typeCheck } from "./type_check.ts";

const ORIGIN = "http://localhost";

/** Uses of the client that must type-check; one line says that it must not. */
const USES = `
import { createClient, type UploadAnswer } from "./types.ts";
const client = createClient({ baseUrl: "${ORIGIN}", token: "t", retries: 2 });
export async function mirror(since: string | null): Promise<string[]> {
  const titles: string[] = [];
  for await (const { reset, changes, cursor } of client.sync({ since, collection: ["posts"] })) {
    if (reset) titles.length = 0;
    for (const change of changes) {
      if (change.change === "removed") titles.push(change.id);
      else titles.push(change.document?.title ?? "", cursor);
    }
  }
  return titles;
}
export async function fill(): Promise<UploadAnswer[]> {
  const lines = [{ op: "upsert", slug: "a", body: { title: "A", rating: 1 } } as const];
  // @ts-expect-error The field holds numbers.
  void client.upload("posts", [{ op: "create", body: { title: "A", rating: "1" } }]);
  return await Array.fromAsync(client.upload("posts", lines, { onProgress: ({ ok }) => void ok }));
}
`;

// deno-lint-ignore no-explicit-any
async function clientModule(test: Headless, folder: string): Promise<any> {
  const source = typesModule(await test.deps.content.schema.current(), ORIGIN);
  assertEquals(await typeCheck(folder, { "types.ts": source, "uses.ts": USES }), "");
  return await import(`file://${folder}/types.ts`);
}

/** A network that loses requests, answers, and the ends of answers. */
function lossyNetwork(test: Headless, lose: () => "request" | "answer" | "end" | null) {
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  return async (request: Request): Promise<Response> => {
    const fate = lose();
    if (fate === "request") throw new TypeError("connection refused");
    const response = await test.app.fetch(request, { remoteAddr });
    if (fate === null || response.status === 204) return response;
    const text = await response.text();
    if (fate === "answer") throw new TypeError("connection lost");
    const { status, headers } = response;
    const half = text.slice(0, text.length / 2);
    const isBulk = headers.get("content-type") === "application/x-ndjson";
    // Some that stand between say nothing when an answer is cut.
    return new Response(isBulk ? half : cut(half), { status, headers });
  };
}

/** A body that ends with its connection. */
function cut(text: string): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) return controller.error(new TypeError("connection lost"));
      sent = true;
      controller.enqueue(new TextEncoder().encode(text));
    },
  });
}

/** Runs with time that passes at once, as long as the client waits between attempts. */
async function withoutWaiting<T>(run: () => Promise<T>): Promise<T> {
  const { setTimeout } = globalThis;
  // deno-lint-ignore no-explicit-any
  (globalThis as any).setTimeout = (work: () => void) => setTimeout(work, 0);
  try {
    return await run();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

Deno.test("uploads, writes and a sync over a network that loses answers come out exact", async () => {
  await using test = await headless();
  const folder = await Deno.makeTempDir({ prefix: "program-client-" });
  await using _removed = {
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
  const { createClient } = await clientModule(test, folder);
  let calls = 0;
  const fates = ["answer", null, "request", "end", null] as const;
  const client = createClient({
    baseUrl: ORIGIN,
    token: await test.token({ quotaPerMinute: 100_000 }),
    fetch: lossyNetwork(test, () => fates[calls++ % fates.length]!),
  });
  const lines = Array.from({ length: 2_500 }, (_, n) => ({
    op: "create",
    body: { title: `Post ${n}`, status: n % 2 === 0 ? "published" : "draft" },
  }));
  const seen: number[] = [];
  const answers = await withoutWaiting(() =>
    Array.fromAsync(
      client.upload("posts", lines, {
        onProgress: ({ done }: { done: number }) => seen.push(done),
      }),
    )
  ) as { line: number; status: number; id: string }[];
  assertEquals(answers.map(({ line }) => line), lines.map((_, n) => n + 1));
  assertEquals(new Set(answers.map(({ status }) => status)), new Set([201]));
  assertEquals(seen, [1_000, 2_000, 2_500]);
  assertEquals((await test.v1("GET", "/posts?perPage=1")).json.meta.total, 2_500);

  const posts = client.collection("posts");
  const made = await withoutWaiting(async () => {
    const made = [];
    for (let n = 0; n < 10; n++) made.push(await posts.create({ title: `Single ${n}` }));
    await posts.update(made[0].id, { title: "Changed" });
    await posts.delete(made[1].id);
    return made;
  });
  assertEquals((await test.v1("GET", "/posts?perPage=1")).json.meta.total, 2_509);

  const mirror = new Map<string, string>();
  let since: string | null = null;
  for (let run = 0; run < 3; run++) {
    await withoutWaiting(async () => {
      for await (const { reset, changes, cursor } of client.sync({ since, limit: 400 })) {
        if (reset) mirror.clear();
        for (const change of changes) {
          if (change.change === "removed") mirror.delete(change.id);
          else mirror.set(change.id, change.document.title);
        }
        since = cursor;
        // Cut in the middle of the first run.
        if (run === 0 && mirror.size >= 800) break;
      }
    });
    if (run === 1) await withoutWaiting(() => posts.delete(made[2].id));
  }
  assertEquals(mirror.size, 2_508);
  assertEquals(mirror.get(made[0].id), "Changed");
  assert(!mirror.has(made[1].id) && !mirror.has(made[2].id));
});
