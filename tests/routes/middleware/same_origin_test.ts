import { assertEquals } from "@std/assert";
import { Hono } from "@hono/hono";
import { sameOrigin } from "../../../routes/middleware/same_origin.ts";
import { asRefusal, statusOf } from "../../../routes/answers/refusal_response.ts";

async function statusFor(
  headers: Record<string, string>,
  options: { method?: string; trustProxy?: number } = {},
): Promise<number> {
  const app = new Hono().use(sameOrigin({ trustProxy: options.trustProxy ?? 0 }));
  app.all("/", (c) => c.text("ok"));
  app.onError((error) => new Response(null, { status: statusOf(asRefusal(error)) }));
  const method = options.method ?? "POST";
  return (await app.request("http://cms.test:8000/", { method, headers })).status;
}

Deno.test("sameOrigin() trusts Sec-Fetch-Site first", async () => {
  assertEquals(await statusFor({ "sec-fetch-site": "same-origin" }), 200);
  assertEquals(await statusFor({ "sec-fetch-site": "none" }), 200);
  assertEquals(await statusFor({ "sec-fetch-site": "same-site" }), 403);
  assertEquals(await statusFor({ "sec-fetch-site": "cross-site" }), 403);
  const origin = "http://cms.test:8000";
  assertEquals(await statusFor({ "sec-fetch-site": "cross-site", origin }), 403);
});

Deno.test("sameOrigin() compares the origin's host and port otherwise", async () => {
  assertEquals(await statusFor({ origin: "http://cms.test:8000" }), 200);
  assertEquals(await statusFor({ origin: "https://cms.test:8000" }), 200);
  for (
    const origin of [
      "http://cms.test",
      "http://evil.test:8000",
      "null",
      "",
      "http://x.cms.test:8000",
    ]
  ) {
    assertEquals(await statusFor({ origin }), 403, origin);
  }
});

Deno.test("sameOrigin() lets through requests that do not come from a browser, and safe methods", async () => {
  assertEquals(await statusFor({}), 200);
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    assertEquals(await statusFor({ origin: "http://evil.test" }, { method }), 200);
  }
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    assertEquals(await statusFor({ origin: "http://evil.test" }, { method }), 403);
  }
});

Deno.test("sameOrigin() trusts a forwarded host from a trusted proxy alone", async () => {
  const headers = { origin: "https://cms.example.org", "x-forwarded-host": "cms.example.org" };

  assertEquals(await statusFor(headers, { trustProxy: 1 }), 200);
  assertEquals(await statusFor(headers), 403);
});
