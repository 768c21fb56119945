/** Unknown routes, wrong methods, and what every answer carries. */
import { StoreUnavailable } from "../../../kv/unavailable.ts";
import type { Key } from "../../../kv/keys.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "../../support/harness/assert.ts";
import { assertFramed, assertRefused, headless, NO_ID } from "../../support/sites/headless.ts";

const ROUTES: [string, string][] = [
  ["/posts", "GET, HEAD, OPTIONS, POST"],
  [`/posts/${NO_ID}`, "DELETE, GET, HEAD, OPTIONS, PATCH"],
  ["/posts/by-slug/x", "GET, HEAD, OPTIONS, PUT"],
  ["/posts/_bulk", "OPTIONS, POST"],
  ["/nowhere", "GET, HEAD, OPTIONS, POST"],
];
for (const [path, allow] of ROUTES) {
  Deno.test(`/api/v1${path} tells the methods it has`, async () => {
    await using test = await headless([]);
    const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "get2", "QUERY"];
    for (const method of methods.filter((method) => !allow.split(", ").includes(method))) {
      for (const token of [test.full, "nonsense"]) {
        const answer = await test.v1(method, path, { token });
        // An answer to HEAD has no envelope to look at.
        if (method === "HEAD") assertEquals(answer.status, 405);
        else assertRefused(answer, 405, "METHOD_NOT_ALLOWED");
        assertEquals(answer.headers.get("allow"), allow);
      }
    }
  });
}

Deno.test("HEAD tells the length that GET has", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "Hello" });
  const paths = ["/posts", `/posts/${id}`, `/posts/${NO_ID}`, "/_meta", "/_explorer", "/nowhere"];
  for (const path of paths) {
    const { text } = await test.v1("GET", path);
    const head = await test.v1("HEAD", path);
    assertEquals(head.text, "");
    const bytes = new TextEncoder().encode(text).byteLength;
    assertEquals(head.headers.get("content-length"), String(bytes), path);
  }
});

const UNKNOWN = ["", "/", "/posts/", "//posts", `/posts/${NO_ID}/`, `/posts/${NO_ID}/visions`];
UNKNOWN.push("/posts/by-slug/", "/posts/by-slug/x/y", "/a/b/c/d");
for (const path of UNKNOWN) {
  Deno.test(`/api/v1${path} is no route`, async () => {
    await using test = await headless([]);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      for (const token of [test.full, "nonsense"]) {
        const answer = await test.v1(method, path, { token });
        assertRefused(answer, 404, "NOT_FOUND");
        assertEquals(answer.json.error.message, "Not found");
        assertEquals(answer.headers.get("allow"), null);
      }
    }
  });
}

for (const path of ["/api", "/api/", "/api/v2/posts", "/api/v1x", "/api/v10/posts", "/api/%ff"]) {
  Deno.test(`${path} is no route, in the envelope`, async () => {
    await using test = await headless([]);
    for (const method of ["GET", "POST", "DELETE"]) {
      const { status, headers, json } = await test.call(method, path);
      assertEquals([status, json], [404, { error: { code: "NOT_FOUND", message: "Not found" } }]);
      assertEquals(headers.get("content-type"), "application/json");
      assertMatch(headers.get("x-request-id")!, /^\S+$/);
    }
  });
}

Deno.test("every request has an ID of its own that no client chooses", async () => {
  await using test = await headless([]);
  const headers = { "x-request-id": "mine" };
  const seen = new Set<string>();
  for (const path of ["/posts", "/posts", "/nowhere", "/a/b/c/d"]) {
    const answer = await test.v1("GET", path, { headers });
    assertFramed(answer);
    seen.add(answer.headers.get("x-request-id")!);
  }
  assertEquals(seen.size, 4);
  assert(!seen.has("mine"));
});

Deno.test("a fault answers 500 with nothing of its cause, which is logged under the same id", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "T" });
  await test.v1("GET", "/posts");
  const lines: { message: string; facts: Record<string, unknown>; error: unknown }[] = [];
  const error = (message: string, facts: Record<string, unknown>, error?: unknown) =>
    void lines.push({ message, facts, error });
  Object.assign(test.context, { log: { ...test.context.log, error } });
  test.deps.reader.ofEntry = () => Promise.reject(new Error("the secret of the cellar"));

  const answer = await test.v1("GET", `/posts/${id}`);

  assertRefused(answer, 500, "INTERNAL");
  assertEquals(answer.json, { error: { code: "INTERNAL", message: "Internal error" } });
  assertMatch(answer.headers.get("ratelimit")!, /^"default"/);
  assertEquals(lines.length, 1);
  assertEquals(lines[0]!.facts.requestId, answer.headers.get("x-request-id"));
  assertNotEquals(lines[0]!.error, undefined);
});

Deno.test("a Host that makes no address answers 404, and is no fault", async () => {
  await using test = await headless([]);
  const faults: string[] = [];
  const error = (message: string) => void faults.push(message);
  Object.assign(test.context, { log: { ...test.context.log, error } });
  const port = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  await using server = Deno.serve(port, test.app.fetch);
  for (const [path, host] of [["/api/v1/posts", "[::1"], ["/nothing", "a b"], ["/admin", "a%"]]) {
    using connection = await Deno.connect({ port: server.addr.port });
    const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${test.full}`;
    await connection.write(new TextEncoder().encode(`${head}\r\nConnection: close\r\n\r\n`));
    const answer = await new Response(connection.readable).text();
    assertMatch(answer, /^HTTP\/1\.1 (?:404|302) /, path);
  }
  assertEquals(faults, []);
});

for (const method of ["getMany", "commit"] as const) {
  Deno.test(`a store that does not ${method} answers 503 with Retry-After`, async () => {
    await using test = await headless([]);
    const { store } = test.context;
    Object.assign(store, { sleep: () => Promise.resolve() });
    Object.assign(store.driver, { [method]: () => Promise.reject(new StoreUnavailable("gone")) });
    const answer = await test.v1("GET", "/posts");
    assertRefused(answer, 503, "UNAVAILABLE");
    assertMatch(answer.headers.get("retry-after")!, /^[1-9]\d*$/);
  });
}

Deno.test("a request that fails leaves no read whose failure is unhandled", async () => {
  await using test = await headless([]);
  const { store } = test.context;
  const read = store.driver.getMany.bind(store.driver);
  const gone = new StoreUnavailable("gone");
  let failures = 0;
  const lateFailure = async () => {
    await new Promise((over) => setTimeout(over, 20));
    failures++;
    throw gone;
  };
  Object.assign(store, { sleep: () => Promise.resolve() });
  Object.assign(store.driver, {
    commit: () => Promise.reject(gone),
    // What is read ahead of the answer, beside the count of the request.
    getMany: (keys: Key[]) =>
      keys.some(([first]) => first === "index") ? lateFailure() : read(keys),
  });

  assertRefused(await test.v1("GET", "/posts"), 503, "UNAVAILABLE");
  // The read ahead fails after the answer, however slow the machine is.
  for (let n = 0; failures === 0 && n < 500; n++) {
    await new Promise((over) => setTimeout(over, 10));
  }
  assert(failures > 0);
});
