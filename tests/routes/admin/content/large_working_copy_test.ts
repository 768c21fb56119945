/** A working copy may be as large as a document, however it is written. */
import { assertEquals } from "@std/assert";
import { runNow } from "../../../../jobs/run_now.ts";
import { currentKey, stateChunkPrefix } from "../../../../kv/keys.ts";
import { flushEdits } from "../../../../kv/live/flush.ts";
import { NO_EDITS, readEditHead, stageEdits } from "../../../../kv/live/edit_log.ts";
import type { CurrentRow } from "../../../../kv/versioning/entities.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";

const COLLECTION = {
  slug: "wide",
  name: "Wide",
  fields: ["text", "more", "rest"].map((name) => ({
    name,
    type: "text",
    options: { multiline: true },
  })),
};

async function wideSite() {
  const app = await testApp();
  await app.setUp();
  await app.collection(COLLECTION);
  const want = async (status: number, method: string, path: string, body?: Json) => {
    const answer = await app.admin(method, path, body);
    assertEquals([method, path, answer.status], [method, path, status], answer.text.slice(0, 500));
    return answer.json;
  };
  const make = async (values: Record<string, Json> = {}): Promise<string> => {
    const body = { collection: "wide", title: "Wide", status: "published", ...values };
    return (await want(201, "POST", "/documents", body)).id;
  };
  return { app, want, make, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Bytes of a document's live rows in the store. */
async function rowBytes({ context: { store } }: TestApp, id: string): Promise<number> {
  const { value } = await store.get<CurrentRow>(currentKey("document", id));
  const chunks = await store.listAll<Uint8Array>({
    prefix: stateChunkPrefix("document", id, value!.n),
  });
  return (value!.body?.byteLength ?? 0) +
    chunks.reduce((sum, one) => sum + (one.value?.byteLength ?? 0), 0);
}

for (const size of [150_000, 300_000, 1_000_000, 4_900_000]) {
  Deno.test(`a working copy of ${size} bytes is kept, read, discarded and published`, async () => {
    await using site = await wideSite();
    const text = "y".repeat(size);
    const id = await site.make({ text: "x".repeat(size) });
    const path = `/documents/${id}/working-copy`;

    await site.want(200, "PATCH", path, { text });
    assertEquals((await site.want(200, "GET", path)).text.length, size);
    assertEquals(await rowBytes(site.app, id) < 450_000, true, "the rows stay small");
    await site.want(204, "DELETE", path);
    await site.want(200, "PATCH", path, { text });
    await site.want(202, "POST", `/documents/${id}/publish`);
    const published = await site.want(200, "GET", `/documents/${id}`);
    assertEquals([published.text, published.hasWorkingCopy], [text, false]);
  });
}

Deno.test("a large version is restored into the working copy", async () => {
  await using site = await wideSite();
  const text = "y".repeat(2_000_000);
  const id = await site.make({ text });
  const { data: [large] } = await site.want(200, "GET", `/versions/document/${id}`);
  await site.want(200, "PATCH", `/documents/${id}`, { text: "short" });
  await site.want(200, "POST", `/versions/${large.id}/restore`, { workingCopy: true });
  assertEquals((await site.want(200, "GET", `/documents/${id}/working-copy`)).text, text);
  assertEquals((await site.want(200, "GET", `/documents/${id}`)).text, "short");
});

Deno.test("live edits of a large working copy are flushed, and it grows with them", async () => {
  await using site = await wideSite();
  const { app } = site;
  const { context, deps } = app;
  const id = await site.make();
  await site.want(200, "PATCH", `/documents/${id}/working-copy`, { text: "y".repeat(600_000) });
  for (const field of ["more", "rest"]) {
    const entry = await readEditHead(context.store, id);
    const head = entry.value ?? NO_EDITS;
    const operation = new Operation();
    stageEdits(operation, context, id, entry, [{
      id: context.newId(context.now()),
      seq: head.seq + 1,
      by: "ada",
      at: context.now(),
      client: null,
      clientSeq: 0,
      set: { [field]: "z".repeat(350_000) },
      unset: [],
      keys: {},
    }]);
    await context.store.commit(operation);
    await flushEdits(deps.content, id);
  }
  const copy = await site.want(200, "GET", `/documents/${id}/working-copy`);
  assertEquals([copy.text, copy.more, copy.rest].map((one) => one.length), [
    600_000,
    350_000,
    350_000,
  ]);
});

Deno.test("an agent prepares a large change, and the sweep keeps its object", async () => {
  await using site = await wideSite();
  const id = await site.make();
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "update_document",
      arguments: { collection: "wide", id, body: { text: "y".repeat(3_000_000) } },
    },
  };
  const answer = await site.app.call("POST", "/mcp", {
    token: await site.app.token(),
    body,
    headers: { accept: "application/json, text/event-stream" },
  });
  assertEquals(answer.json.result.isError ?? false, false, answer.text.slice(0, 500));
  site.app.context.advance(40 * 86_400_000);
  await runNow(site.app.context, site.app.runner, { type: "SWEEP_MEDIA", payload: {} });
  const keys = await Array.fromAsync(site.app.context.objects.list("documents/"));
  assertEquals(keys.map(({ key }) => key), [`documents/${id}/workingCopy.json`]);
  const { state } = (await site.app.deps.reader.find(id))!;
  assertEquals(JSON.stringify(state.workingCopy).length > 3_000_000, true);
});
