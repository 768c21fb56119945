import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal, listed } from "../../../support/sites/admin_answers.ts";
import {
  emptyBody,
  type Endpoint,
  ENDPOINTS,
  endpointsOf,
  pathOf,
  ROLES,
  servedEndpoints,
} from "../../../support/sites/admin_endpoints.ts";
import {
  type Answer,
  type Call,
  callApp,
  type TestApp,
  testApp,
} from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

/** The caller: anonymous, a user without a role, or one with a built-in role. */
const WHO = ["nobody", "roleless", ...ROLES] as const;
type Who = typeof WHO[number];

const MUTATIONS = new Set(["POST", "PUT", "PATCH", "DELETE"]);

async function signIn(test: TestApp, who: Who, nth = 1): Promise<string> {
  if (who === "nobody") return "";
  const email = `${who}@example.org`;
  const password = "a password of some length";
  if (nth === 1) {
    const roles = who === "roleless" ? [] : [who];
    const user = { email, displayName: who, password, roles };
    answered(await test.admin("POST", "/users", user), 201);
  }
  const answer = await test.call("POST", "/api/admin/session", { body: { email, password } });
  answered(answer, 200);
  return answer.headers.get("set-cookie")!.split(";")[0]!;
}

function ask(test: TestApp, endpoint: Endpoint, cookie: string, call: Call = {}): Promise<Answer> {
  const body = emptyBody(endpoint);
  const given = call.raw !== undefined || body === undefined ? {} : { body };
  const headers = { ...(cookie !== "" && { cookie }), ...call.headers };
  const address = "198.51.100.7";
  const path = `/api/admin${pathOf(endpoint)}`;
  return callApp(test.app, endpoint.method, path, { address, ...given, ...call, headers });
}

function expected({ least }: Endpoint, who: Who): "allowed" | 401 | 403 {
  if (least === "open") return "allowed";
  if (who === "nobody") return 401;
  if (least === "session") return "allowed";
  const rank = (role: string) => ROLES.findIndex((known) => known === role);
  return rank(who) >= rank(least) ? "allowed" : 403;
}

Deno.test("every endpoint of the admin API has an entry in the table, and every entry an endpoint", async () => {
  await using test = await testApp();

  const entries = new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`));

  assertEquals(entries.size, ENDPOINTS.length);
  assertEquals(servedEndpoints(test.app), [...entries].sort());
});

Deno.test("every endpoint lets in exactly the roles that its entry says", async () => {
  await using test = await testApp();
  await test.setUp();
  const endpoints = endpointsOf(test.app);
  const wrong: string[] = [];
  let checked = 0;
  for (const who of WHO) {
    let cookie = await signIn(test, who);
    for (const endpoint of endpoints) {
      const { method, path, least } = endpoint;
      const { status, json } = await ask(test, endpoint, cookie);
      const answer = status === 401 || status === 403 ? status : "allowed";
      const wanted = expected(endpoint, who);
      // Signing in with nothing is refused like a wrong password would be: what is open was reached.
      if (answer !== wanted) wrong.push(`${who}: ${method} ${path}: ${status}, not ${wanted}`);
      if (status >= 500) wrong.push(`${who}: ${method} ${path}: ${status} ${json.error.code}`);
      const signsOut = `${method} ${path}` === "DELETE /session";
      if (signsOut && least === "session") cookie = await signIn(test, who, 2);
      checked += 1;
    }
  }
  assertEquals(wrong, []);
  assertEquals(checked, endpoints.length * WHO.length);
});

Deno.test("every endpoint without a session, or with a made-up one, is 401 in the envelope", async () => {
  await using test = await testApp();
  await test.setUp();
  for (const endpoint of endpointsOf(test.app).filter(({ least }) => least !== "open")) {
    for (const cookie of ["", `session=${"A".repeat(43)}`]) {
      const answer = await ask(test, endpoint, cookie);
      assertRefusal(answer, 401, "UNAUTHENTICATED");
      assertEquals(answer.json.error, {
        code: "UNAUTHENTICATED",
        message: "Authentication required",
      });
    }
  }
});

Deno.test("every mutation from a foreign origin is 403, signed in or not", async () => {
  await using test = await testApp();
  await test.setUp();
  const cookie = await signIn(test, "administrator");
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://localhost:8001" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "http://localhost" },
  ];
  const endpoints = endpointsOf(test.app).filter(({ method }) => MUTATIONS.has(method));
  assert(endpoints.length > 30);
  for (const endpoint of endpoints) {
    for (const headers of foreign) {
      assertRefusal(await ask(test, endpoint, cookie, { headers }), 403, "FORBIDDEN");
    }
    assertRefusal(await ask(test, endpoint, "", { headers: foreign[0]! }), 403, "FORBIDDEN");
  }
  const own = { origin: "http://localhost", "sec-fetch-site": "same-origin" };
  answered(await test.admin("PATCH", "/settings", {}, { headers: own }), 200);
  answered(await test.admin("GET", "/settings", undefined, { headers: foreign[0]! }), 200);
});

Deno.test("every endpoint that reads JSON refuses other bodies before anything else", async () => {
  await using test = await testApp();
  await test.setUp();
  const cookie = await signIn(test, "administrator");
  const json = { "content-type": "application/json" };
  const deep = "[".repeat(64) + "]".repeat(64);
  const bodies: [number, string, BodyInit, Record<string, string>][] = [
    [415, "UNSUPPORTED_MEDIA_TYPE", "{}", { "content-type": "text/plain" }],
    [415, "UNSUPPORTED_MEDIA_TYPE", "a=b", { "content-type": "application/x-www-form-urlencoded" }],
    [415, "UNSUPPORTED_MEDIA_TYPE", "{}", { "content-type": "application/json; charset=utf-16" }],
    [400, "BODY_INVALID", "{", json],
    [400, "BODY_INVALID", "[]", json],
    [400, "BODY_INVALID", "null", json],
    [400, "BODY_INVALID", `{"a":${deep}}`, json],
    [400, "BODY_INVALID", '{"a":1e999}', json],
    [413, "PAYLOAD_TOO_LARGE", "{}", { ...json, "content-length": "5000001" }],
  ];
  const readers = endpointsOf(test.app).filter(({ body, path }) =>
    ["json", "any", "package"].includes(body) && path !== "/setup"
  );
  assert(readers.length > 15);
  for (const endpoint of readers) {
    for (const [index, [status, code, raw, headers]] of bodies.entries()) {
      // What is open counts each of them by its address.
      const address = `198.51.100.${index}`;
      const answer = await ask(test, endpoint, cookie, { raw, headers, address });
      const where = `${endpoint.method} ${endpoint.path} ${String(raw).slice(0, 20)}`;
      assertEquals([answer.status, answer.json?.error?.code], [status, code], where);
      assertRefusal(answer, status, answer.json.error.code);
    }
    if (endpoint.body !== "json") continue;
    const missing = { raw: "", headers: json, address: "198.51.100.99" };
    assertRefusal(await ask(test, endpoint, cookie, missing), 400, "BODY_INVALID");
  }
});

Deno.test("endpoints that read no JSON refuse it by its content type", async () => {
  await using test = await testApp();
  await test.setUp();
  const kinds = ["multipart", "gzip", "xliff"];
  const readers = endpointsOf(test.app).filter(({ body }) => kinds.includes(body));
  assert(readers.length >= 2);
  for (const { method, path } of readers) {
    assertRefusal(await test.admin(method, path, {}), 415, "UNSUPPORTED_MEDIA_TYPE");
  }
});

Deno.test("a body of over 5 MB that tells no length is 413", async () => {
  await using test = await testApp();
  await test.setUp();
  const piece = new Uint8Array(1_000_001).fill(0x20);
  const raw = ReadableStream.from([piece, piece, piece, piece, piece]);
  const headers = { "content-type": "application/json" };

  const answer = await test.admin("POST", "/collections", undefined, { raw, headers });

  assertRefusal(answer, 413, "PAYLOAD_TOO_LARGE");
});

Deno.test("every list has the envelope and pages", async () => {
  await using test = await testApp();
  await test.setUp();
  const lists = endpointsOf(test.app).filter(({ isList }) => isList);
  assert(lists.length >= 9);
  for (const { path } of lists) {
    const answer = await test.admin("GET", path);
    listed(answer);
    const { page, perPage, total } = answer.json.meta;
    assertEquals([page, perPage], [1, 20], path);
    assert(Number.isInteger(total) && total >= answer.json.data.length, path);
    const clamped = await test.admin("GET", `${path}?perPage=1000`);
    assertEquals(clamped.json.meta.perPage, 100, path);
    const beyond = await test.admin("GET", `${path}?page=1000000`);
    assertEquals([listed(beyond), beyond.json.meta.total], [[], total], path);
    for (const query of ["page=0", "page=-1", "page=x", "page=", "perPage=0", "perPage=1.5"]) {
      assertRefusal(await test.admin("GET", `${path}?${query}`), 400, "PAGINATION_INVALID");
    }
  }
});

Deno.test("wrong methods are 405 with Allow, unknown routes 404, both in the envelope", async () => {
  await using test = await testApp();
  await test.setUp();
  const served = endpointsOf(test.app);
  for (const endpoint of served) {
    const allowed = new Set(
      served.filter(({ path }) => path === endpoint.path).map(({ method }) => method),
    );
    if (allowed.has("GET")) allowed.add("HEAD");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (allowed.has(method)) continue;
      const answer = await test.admin(method, pathOf(endpoint));
      assertEquals(answer.status, 405, `${method} ${endpoint.path}`);
      assertRefusal(answer, 405, "METHOD_NOT_ALLOWED");
      const allow = answer.headers.get("allow")?.split(", ") ?? [];
      assertEquals(new Set(allow), allowed, `${method} ${endpoint.path}`);
    }
  }
  const unknown = [
    "/",
    "",
    "/nothing",
    "/documents/x/y/z",
    "/tokens/a/b/c",
  ];
  for (const path of unknown) {
    assertRefusal(await test.admin("GET", path), 404, "NOT_FOUND");
    assertRefusal(await test.admin("POST", path, {}), 404, "NOT_FOUND");
    assertRefusal(await test.call("GET", `/api/admin${path}`), 404, "NOT_FOUND");
  }
  const stranger = await test.call("PUT", "/api/admin/collections");
  assertRefusal(stranger, 405, "METHOD_NOT_ALLOWED");
  assertEquals(stranger.headers.get("allow"), "GET, HEAD, POST");
});

Deno.test("names and ids that nothing can have are 404, however long or odd", async () => {
  await using test = await testApp();
  await test.setUp();
  const odd = ["x".repeat(3_000), "%00", "%E0%A4%A", "%FF", "__proto__", "..%2f..", "%F0%9F%8E%88"];
  for (const endpoint of endpointsOf(test.app)) {
    if (!endpoint.path.includes(":") || endpoint.method !== "GET") continue;
    for (const text of odd) {
      const path = endpoint.path.replace(":entityType", "document").replace(/:\w+/g, text);
      const answer = await test.admin("GET", path);
      assertEquals(answer.status, 404, `${path.slice(0, 80)}: ${answer.text}`);
    }
  }
});

Deno.test("HEAD answers like GET, without the body", async () => {
  await using test = await testApp();
  await test.setUp();
  for (const { path } of endpointsOf(test.app).filter(({ isList }) => isList)) {
    const head = await test.admin("HEAD", path);
    assertEquals([head.status, head.text], [200, ""], path);
    assert(head.headers.get("x-request-id") !== null);
  }
});

Deno.test("nothing but a session of the admin opens the admin API", async () => {
  await using test = await testApp();
  await test.setUp();
  const token = await test.token();
  const answer = await test.call("GET", "/api/admin/collections", { token });
  assertRefusal(answer, 401, "UNAUTHENTICATED");
});

Deno.test("GET /api/admin/media/limits answers what the specification names, and nothing more", async () => {
  await using test = await testApp();
  await test.setUp();
  const limits: Json = {
    maxBytes: 25_000_000,
    allowedMimes: ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"],
    transformsEnabled: true,
  };
  assertEquals(answered(await test.admin("GET", "/media/limits"), 200), limits);
  answered(await test.admin("PATCH", "/settings", { "images.transform_enabled": false }), 200);
  const mirrored = answered(await test.admin("GET", "/media/limits"), 200);
  assertEquals(mirrored, { ...limits, transformsEnabled: false });
});
