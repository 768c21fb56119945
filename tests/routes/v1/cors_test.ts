/** Cross-origin access: allowed origins of a token, and preflights. */
import type { Answer } from "../../support/sites/app.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { assertFramed, assertRefused, headless, NO_ID } from "../../support/sites/headless.ts";

const EXPOSED = [
  "Location",
  "ETag",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "X-Request-Id",
  "X-Documents-Read",
];

function assertAllowed(answer: Answer, origin: string): void {
  assertFramed(answer);
  assertEquals(answer.headers.get("access-control-allow-origin"), origin);
  const exposed = answer.headers.get("access-control-expose-headers")!;
  assertEquals(exposed.split(",").map((name) => name.trim()).sort(), [...EXPOSED].sort());
  assertEquals(answer.headers.get("access-control-allow-credentials"), null);
}

function assertNotTold(answer: Answer): void {
  assertFramed(answer);
  const told = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
  assertEquals(told, []);
}

Deno.test("an allowed origin gets itself back, whatever becomes of the request", async () => {
  await using test = await headless([]);
  const origin = "https://app.example:8443";
  const token = await test.token({ allowedOrigins: ["https://other.example", origin] });
  const headers = { origin };
  const made = await test.v1("POST", "/posts", { token, headers, body: { title: "T" } });
  assertEquals(made.status, 201);
  const path = `/posts/${made.json.id}`;
  const etag = { origin, "if-none-match": made.headers.get("etag")! };
  const answers: [Answer, number][] = [
    [made, 201],
    [await test.v1("GET", path, { token, headers }), 200],
    [await test.v1("HEAD", path, { token, headers }), 200],
    [await test.v1("GET", path, { token, headers: etag }), 304],
    [await test.v1("GET", "/posts", { token, headers }), 200],
    [await test.v1("GET", "/posts?page=0", { token, headers }), 400],
    [await test.v1("GET", "/nowhere", { token, headers }), 404],
    [await test.v1("POST", "/posts", { token, headers, body: {} }), 422],
    [await test.v1("PATCH", path, { token, headers, body: { title: "U" } }), 200],
    [await test.v1("DELETE", path, { token, headers }), 204],
  ];
  for (const [answer, status] of answers) {
    assertEquals(answer.status, status);
    assertAllowed(answer, origin);
  }
});

for (const origin of ["capacitor://localhost", "tauri://localhost", "ionic://localhost:8100"]) {
  Deno.test(`an app may have the origin ${origin}`, async () => {
    await using test = await headless();
    await test.setUp();
    const input = { name: "App", scopes: ["*"], allowedOrigins: [origin] };
    const minted = await test.admin("POST", "/tokens", input);
    assertEquals(minted.status, 201, minted.text);
    const { token } = minted.json;
    assertAllowed(await test.v1("GET", "/posts", { token, headers: { origin } }), origin);
    const other = await test.v1("GET", "/posts", { token, headers: { origin: "app://localhost" } });
    assertNotTold(other);
  });
}

Deno.test("an allowed origin can read that its quota is used up", async () => {
  await using test = await headless([]);
  const origin = "https://app.example";
  const token = await test.token({ quotaPerMinute: 1, allowedOrigins: [origin] });
  await test.v1("GET", "/posts", { token });
  const refused = await test.v1("GET", "/posts", { token, headers: { origin } });
  assertRefused(refused, 429, "RATE_LIMITED");
  assertAllowed(refused, origin);
});

const FOREIGN = ["https://app.example.evil", "http://app.example", "https://app.example:8443"];
FOREIGN.push("https://APP.example", "HTTPS://app.example", "https://app.example/", "null", "");
FOREIGN.push("https://sub.app.example", "https://app.example:443", "*", "https://app.example, x");
for (const origin of FOREIGN) {
  Deno.test(`the origin ${JSON.stringify(origin)} is not https://app.example`, async () => {
    await using test = await headless([]);
    const token = await test.token({ allowedOrigins: ["https://app.example"] });
    const made = await test.v1("POST", "/posts", {
      token,
      headers: { origin },
      body: { title: "T" },
    });
    assertEquals(made.status, 201, "no special status");
    assertNotTold(made);
    assertNotTold(await test.v1("GET", "/posts", { token, headers: { origin } }));
  });
}

Deno.test("a token without origins is for the same origin only", async () => {
  await using test = await headless([]);
  const headers = { origin: "https://app.example" };
  const answer = await test.v1("GET", "/posts", { headers });
  assertEquals(answer.status, 200);
  assertNotTold(answer);
});

Deno.test("callers without an Origin are never affected", async () => {
  await using test = await headless([]);
  const token = await test.token({ allowedOrigins: ["https://app.example"] });
  const answer = await test.v1("GET", "/posts", { token });
  assertEquals(answer.status, 200);
  assertNotTold(answer);
});

Deno.test("a request without a valid token is allowed to no origin", async () => {
  await using test = await headless([]);
  const headers = { origin: "https://app.example" };
  assertNotTold(await test.call("GET", "/api/v1/posts", { headers }));
  assertNotTold(await test.call("PUT", "/api/v1/posts", { headers }));
  assertNotTold(await test.call("GET", "/api/v1/a/b/c/d", { headers }));
});

const PATHS = ["/posts", `/posts/${NO_ID}`, "/posts/by-slug/x", "/nowhere", "/a/b/c/d/e", "/_meta"];
for (const path of [...PATHS, "/search", "/_explorer", "/", "", "/%ff", "/posts/"]) {
  Deno.test(`OPTIONS /api/v1${path} answers a preflight permissively`, async () => {
    await using test = await headless([]);
    const answer = await test.call("OPTIONS", `/api/v1${path}`, {
      headers: {
        origin: "https://anybody.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization, content-type, if-match, x-own",
      },
    });
    assertEquals([answer.status, answer.text], [204, ""]);
    assertFramed(answer);
    const told = Object.fromEntries(
      [...answer.headers].filter(([name]) => name.startsWith("access-control-")),
    );
    assertEquals(told, {
      "access-control-allow-headers": "authorization, content-type, if-match, x-own",
      "access-control-allow-methods": "PATCH",
      "access-control-allow-origin": "https://anybody.example",
      "access-control-max-age": "86400",
    });
    for (const name of ["ratelimit", "content-type", "www-authenticate"]) {
      assertEquals(answer.headers.get(name), null);
    }
  });
}

Deno.test("OPTIONS counts nothing, with a token or without", async () => {
  await using test = await headless([]);
  const token = await test.token({ quotaPerMinute: 1 });
  for (let n = 0; n < 70; n++) {
    const answer = await test.v1("OPTIONS", "/posts", { token: n % 2 === 0 ? token : "x" });
    assertEquals(answer.status, 204);
    assertEquals(answer.headers.get("access-control-allow-origin"), null);
  }
  assertEquals((await test.v1("GET", "/posts", { token })).status, 200);
  assertEquals((await test.v1("GET", "/posts", { token: "x" })).status, 401);
});

Deno.test("a page of an allowed origin can tell a repeated answer from the first", async () => {
  await using test = await headless();
  const origin = "https://app.example";
  const token = await test.token({ allowedOrigins: [origin] });
  const headers = { origin, "idempotency-key": "once" };
  const send = () => test.v1("POST", "/posts", { token, headers, body: { title: "One" } });
  assertAllowed(await send(), origin);
  const again = await send();
  assertEquals(again.headers.get("idempotency-replayed"), "true");
  const exposed = again.headers.get("access-control-expose-headers")!.split(", ");
  assertEquals(exposed.sort(), [...EXPOSED, "Idempotency-Replayed"].sort());
});
