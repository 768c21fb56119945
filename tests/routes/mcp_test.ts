/** The MCP server, with the official client: what agents see, may do, and leave behind. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { assert, assertEquals, assertMatch } from "../support/harness/assert.ts";
import { callApp, type TestApp, testApp } from "../support/sites/app.ts";
import { headless } from "../support/sites/headless.ts";
import { IMAGES } from "../support/sites/images.ts";

/** A connected client of the app, without a server. */
async function agent(test: TestApp, token: string) {
  const client = new Client({ name: "test", version: "1" });
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (input: URL | string, init?: RequestInit) =>
      await test.app.fetch(new Request(input, init), { remoteAddr }),
  });
  await client.connect(transport as never);
  return {
    client,
    /** Calls a tool; answers its JSON. */
    tool: async (name: string, input: Record<string, unknown> = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const [{ text }] = content as [{ text: string }];
      let json = null;
      try {
        json = JSON.parse(text);
      } catch {
        // What the server refuses before the tool is plain text.
      }
      const links = (content as { uri?: string; description?: string }[]).slice(1)
        .map(({ uri, description }) => [uri, description]);
      return { json, text, links, isError: isError === true };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

Deno.test("an agent finds, reads, proposes a change as a working copy, and checks it", async () => {
  await using test = await headless();
  await test.setUp();
  const { id } = await test.post({ title: "Hello", rating: 3, status: "published" });
  await using an = await agent(test, await test.token({ name: "helper" }));
  const { tools } = await an.client.listTools();
  assert(
    tools.every(({ description }: { description?: string }) => (description ?? "").length > 20),
  );

  const { json: listed } = await an.tool("list_collections");
  assertEquals(listed.collections.map(({ slug }: { slug: string }) => slug), ["posts"]);
  const { json: described } = await an.tool("describe_collection", { collection: "posts" });
  assertEquals(described.create.properties.rating.maximum, 10);
  const { json: found } = await an.tool("query_documents", {
    collection: "posts",
    filter: { rating: { gte: 3 } },
  });
  assertEquals(found.data.map((one: { id: string }) => one.id), [id]);
  const address = [
    [`content://posts/${id}`, `/api/v1/posts/${id}`],
    ["http://localhost/posts/hello", "Public page"],
  ];
  assertEquals((await an.tool("query_documents", { collection: "posts" })).links, address);
  const read = await an.tool("get_document", { collection: "posts", slug: "hello" });
  assertEquals([read.json.id, read.links], [id, address]);

  const change = { collection: "posts", id, body: { title: "Hello, world" } };
  const checked = await an.tool("validate_document", change);
  assertEquals(checked.json.title, "Hello, world");
  const wrong = await an.tool("validate_document", { ...change, body: { rating: 99 } });
  assertEquals([wrong.isError, wrong.json.error.details[0].field], [true, "rating"]);
  const proposed = await an.tool("update_document", change);
  assertEquals([proposed.json.workingCopy, proposed.json.document.title], [true, "Hello, world"]);
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.title, "Hello");
  const { json: versions } = await test.admin("GET", `/versions/document/${id}`);
  assertMatch(versions.data[0].change_summary, /^helper/);

  const published = await an.tool("update_document", { ...change, publish: true });
  assertEquals(published.json.title, "Hello, world");
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.title, "Hello, world");
});

Deno.test("nothing becomes public unless publish is true", async () => {
  await using test = await headless();
  await using an = await agent(test, test.full);
  const body = { title: "New", status: "published" };
  const draft = await an.tool("create_document", { collection: "posts", body });
  assertEquals(draft.json.status, "draft");
  const { id } = draft.json;
  const changed = await an.tool("update_document", {
    collection: "posts",
    id,
    body: { title: "Newer" },
  });
  assertEquals(changed.json.status, "draft");
  const out = await an.tool("update_document", {
    collection: "posts",
    id,
    body: { rating: 1 },
    publish: true,
  });
  assertEquals([out.json.status, out.json.rating], ["published", 1]);
  assertEquals((await an.tool("trash_document", { collection: "posts", id })).isError, false);
  assertEquals((await an.tool("get_document", { collection: "posts", id })).isError, true);
});

Deno.test("tools that the token's scopes do not allow are not listed, and refused", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Draft" });
  await using an = await agent(test, await test.token({ scopes: ["posts:read"] }));
  const names = (await an.client.listTools()).tools.map(({ name }: { name: string }) => name)
    .sort();
  assertEquals(names, [
    "describe_collection",
    "get_document",
    "list_collections",
    "query_documents",
    "search",
  ]);
  const hidden = await an.tool("get_document", { collection: "posts", id });
  assertEquals([hidden.isError, hidden.json.error.code], [true, "NOT_FOUND"]);
  assertEquals((await an.tool("trash_document", { collection: "posts", id })).isError, true);
  assertEquals((await test.v1("GET", `/posts/${id}`)).status, 200);
});

Deno.test("results name ids and addresses; errors are the service's own, with the field", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Hello", rating: 3, status: "published" });
  await using an = await agent(test, test.full);
  const address = `/api/v1/posts/${id}`;

  assertEquals(
    (await an.tool("list_collections")).json.collections[0].address,
    "/api/v1/posts",
  );
  const history = (await an.tool("get_history", { collection: "posts", id })).json;
  assertEquals([history.id, history.address, history.data.length], [id, address, 1]);
  const trashed = (await an.tool("trash_document", { collection: "posts", id })).json;
  assertEquals(trashed, { done: true, id, collection: "posts", address });

  const missing = await an.tool("describe_collection");
  assertEquals([missing.isError, missing.json.error], [true, {
    code: "VALIDATION_FAILED",
    message: "Validation failed",
    details: [{ field: "collection", code: "REQUIRED", message: "Required" }],
  }]);
  const wrong = await an.tool("query_documents", { collection: "posts", limit: 0, fields: [1] });
  assertEquals(
    wrong.json.error.details.map(({ field }: { field: string }) => field).sort(),
    ["fields", "limit"],
  );
  assertEquals((await an.tool("burn")).json.error.code, "NOT_FOUND");
  await using reader = await agent(test, await test.token({ scopes: ["posts:read"] }));
  const refused = await reader.tool("trash_document", { collection: "posts", id });
  assertEquals([refused.isError, refused.json.error.code], [true, "FORBIDDEN"]);
  for (const uri of [`content://posts/${id}`, "content://posts/nothing", `content://nope/${id}`]) {
    const error = await an.client.readResource({ uri }).catch((error: unknown) => error);
    assertEquals((error as { code: number }).code, -32002, uri);
  }
});

Deno.test("query_documents takes what lists take: include, facets, at, draft, and lists of fields", async () => {
  await using test = await headless();
  await test.setUp();
  const author = await test.post({ title: "Ada", status: "published" });
  const first = await test.post({
    title: "One",
    topic: "news",
    related: author.id,
    status: "published",
  });
  await test.admin("PATCH", `/documents/${first.id}/working-copy`, { title: "One, changed" });
  await using an = await agent(test, test.full);
  const collection = "posts";
  const ask = async (input: Record<string, unknown>) =>
    (await an.tool("query_documents", { collection, filter: { topic: "news" }, ...input })).json;

  const shown = await ask({ fields: ["title", "related"], include: ["related"] });
  assertEquals(shown.data.map((one: Record<string, unknown>) => Object.keys(one).sort()), [
    ["id", "related", "title"],
  ]);
  assertEquals(shown.data[0].related.title, "Ada");
  assertEquals((await ask({ fields: "title" })).data[0], { id: first.id, title: "One" });
  assertEquals((await ask({ facets: ["topic"] })).meta.facets.topic[0].count, 1);
  assertEquals((await ask({ draft: true })).data[0].title, "One, changed");
  const at = Math.floor(test.context.now() / 1000) - 1_000;
  assertEquals((await ask({ at, filter: {} })).data, []);
  const one = await an.tool("get_document", {
    collection,
    id: first.id,
    fields: ["title"],
    draft: true,
  });
  assertEquals(one.json, { id: first.id, title: "One, changed" });
});

Deno.test("every tool has an output schema, and its results are structured by it", async () => {
  await using test = await headless();
  await using an = await agent(test, test.full);
  const { tools } = await an.client.listTools();
  assert(
    tools.every(({ outputSchema }: { outputSchema?: { type: string } }) =>
      outputSchema?.type === "object"
    ),
  );
  const collection = "posts";
  const body = { title: "New" };
  // The client checks each result against the schema of its tool.
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, structuredContent } = await an.client.callTool({ name, arguments: input });
    const [{ text }] = content as [{ text: string }];
    assertEquals(structuredContent, JSON.parse(text), name);
    return JSON.parse(text);
  };
  const { id } = await call("create_document", { collection, body });
  await call("list_collections");
  await call("describe_collection", { collection });
  await call("query_documents", { collection, fields: ["id"] });
  await call("get_document", { collection, id });
  await call("search", { q: "new" });
  await call("get_history", { collection, id });
  await call("get_history", { collection, id, n: 1 });
  await call("validate_document", { collection, body });
  await call("update_document", { collection, id, body: { rating: 3 } });
  await call("update_document", { collection, id, body: { rating: 4 }, publish: true });
  await call("update_document", { collection, id, body: { rating: 5 } });
  await call("trash_document", { collection, id });
});

Deno.test("results name the public page of a document next to its resource", async () => {
  await using test = await headless();
  await test.setUp();
  await test.admin("PATCH", "/settings", { "site.url": "https://lantern.example" });
  const { id } = await test.post({ title: "Hello", status: "published" });
  const draft = await test.post({ title: "Hidden" });
  await test.runner.drain();
  await using an = await agent(test, test.full);
  const both = [
    [`content://posts/${id}`, `/api/v1/posts/${id}`],
    ["https://lantern.example/posts/hello", "Public page"],
  ];
  const input = { collection: "posts", id };
  assertEquals((await an.tool("get_document", input)).links, both);
  assertEquals((await an.tool("search", { q: "hello" })).links, both);
  const hidden = await an.tool("get_document", { ...input, id: draft.id });
  assertEquals(hidden.links.length, 1);
});

Deno.test("what search finds is linked", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Hello", status: "published" });
  await test.runner.drain();
  await using an = await agent(test, test.full);
  const { links } = await an.tool("search", { q: "hello" });
  assertEquals(links, [[`content://posts/${id}`, `/api/v1/posts/${id}`]]);
});

Deno.test("documents are resources in Markdown", async () => {
  await using test = await headless();
  const body = [{
    _type: "block",
    _key: "a",
    style: "h2",
    markDefs: [],
    children: [{ _type: "span", _key: "b", text: "A heading", marks: [] }],
  }];
  const { id } = await test.post({ title: "Hello", rating: 3, body });
  await using an = await agent(test, test.full);
  const { contents } = await an.client.readResource({ uri: `content://posts/${id}` });
  const [{ text, mimeType }] = contents as [{ text: string; mimeType: string }];
  assertEquals(mimeType, "text/markdown");
  assert(text.startsWith("# Hello\n"), text);
  assert(text.includes("## A heading") && text.includes("- rating: 3"), text);
});

Deno.test("a request without a token, over the quota or with another method is refused as elsewhere", async () => {
  await using test = await headless();
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = { accept: "application/json, text/event-stream" };
  const ask = (token?: string, method = "POST") =>
    callApp(test.app, method, "/mcp", {
      headers,
      ...(method === "POST" && { body }),
      ...(token !== undefined && { token }),
    });
  assertEquals((await ask()).json.error.code, "UNAUTHENTICATED");
  const token = await test.token({ quotaPerMinute: 2 });
  assertEquals([(await ask(token)).status, (await ask(token)).status], [200, 200]);
  assertEquals((await ask(token)).json.error.code, "RATE_LIMITED");
  const wrong = await ask(test.full, "GET");
  assertEquals([wrong.status, wrong.headers.get("allow")], [405, "POST"]);
});

Deno.test("upload_media fetches an image for tokens that may write media, and for no others", async () => {
  await using test = await testApp({ guard: { allowLocal: true } });
  const png = IMAGES["image/png"] as Uint8Array<ArrayBuffer>;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    return new Response(png, { headers: { "content-type": "image/png" } });
  });
  await using _stopped = { [Symbol.asyncDispose]: () => server.shutdown() };
  const url = `http://127.0.0.1:${server.addr.port}/lamp.png`;
  await using may = await agent(test, await test.token({ scopes: ["media:write"], name: "eyes" }));
  const made = await may.tool("upload_media", { url, alt: "A lamp" });
  assertEquals([made.isError, made.json.alt, made.json.filename], [false, "A lamp", "lamp.png"]);
  const wrong = await may.tool("upload_media", { url: "http://127.0.0.1:1/" });
  assertEquals([wrong.isError, wrong.json.error.details[0].field], [true, "url"]);

  await using mayNot = await agent(test, await test.token({ scopes: ["*:write"] }));
  const { tools } = await mayNot.client.listTools();
  assert(!tools.some(({ name }: { name: string }) => name === "upload_media"));
  assertEquals((await mayNot.tool("upload_media", { url })).isError, true);
});

Deno.test("with publish a draft is changed and published together, or left as it was", async () => {
  await using test = await headless([{ name: "lead", type: "text", required: true }]);
  const { id } = await test.post({ title: "Draft" });
  await using an = await agent(test, test.full);
  const change = { collection: "posts", id, body: { title: "Changed" }, publish: true };
  for (const tool of ["validate_document", "update_document"]) {
    const { isError, json } = await an.tool(tool, change);
    assertEquals([isError, json.error?.details?.[0].field], [true, "lead"], tool);
  }
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.title, "Draft");
  const whole = { ...change, body: { title: "Changed", lead: "Now" } };
  const checked = await an.tool("validate_document", whole);
  assertEquals([checked.json.status, checked.json.lead], ["published", "Now"]);
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.status, "draft");
  const { json } = await an.tool("update_document", whole);
  assertEquals([json.status, json.title], ["published", "Changed"]);
  const { json: history } = await an.tool("get_history", { collection: "posts", id });
  assertEquals(history.data.map((one: { status: string }) => one.status), ["published", "draft"]);
});

Deno.test("what becomes public at its time is not changed without publish", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Soon", status: "scheduled" });
  await using an = await agent(test, test.full);
  const change = { collection: "posts", id, body: { title: "Sneaked in" } };
  const { isError, json } = await an.tool("update_document", change);
  assertEquals([isError, json.error.code], [true, "CONFLICT"]);
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.title, "Soon");
  assertEquals((await an.tool("update_document", { ...change, publish: true })).isError, false);
});

Deno.test("a document is named by its slug everywhere, and an argument that is none is refused", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Hello", rating: 3 });
  await test.v1("PATCH", `/posts/${id}`, { body: { rating: 4 } });
  await using an = await agent(test, test.full);
  const name = { collection: "posts", slug: "hello" };
  const checked = await an.tool("validate_document", { ...name, body: { rating: 5 } });
  assertEquals([checked.isError, checked.json.id, checked.json.rating], [false, id, 5]);
  const { json: read } = await an.tool("get_document", { ...name, fields: "rating" });
  assertEquals(read, { id, rating: 4 });
  const { json: history } = await an.tool("get_history", { ...name, limit: 1 });
  assertEquals([history.id, history.data.length, history.meta.total], [id, 1, 2]);
  const wrong = await an.tool("query_documents", { collection: "posts", filters: {} });
  assertEquals(wrong.json.error.details[0], {
    field: "filters",
    code: "UNKNOWN_KEY",
    message: "Unknown key",
  });
  const { tools } = await an.client.listTools();
  const takesMore = ({ inputSchema }: { inputSchema: { additionalProperties?: unknown } }) =>
    inputSchema.additionalProperties !== false;
  assertEquals(tools.filter(takesMore), []);
  assertEquals((await an.tool("trash_document", name)).json.id, id);

  const scopes = ["posts:read", "posts:read-history"];
  await test.collection({ slug: "secrets", name: "Secrets", fields: [] });
  await test.v1("POST", "/secrets", { body: { title: "Plan" } });
  await using reader = await agent(test, await test.token({ scopes }));
  for (const slug of ["plan", "no-plan"]) {
    const { json } = await reader.tool("get_history", { collection: "secrets", slug });
    assertEquals(json.error.code, "FORBIDDEN");
  }
});
