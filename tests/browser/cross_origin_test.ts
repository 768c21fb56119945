/**
 * A token in a page of another site: the browser lets the page read exactly what the token's list of
 * origins allows.
 */
import type { Page } from "playwright-core";
import { assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import { inspect, studioVisit } from "../support/browser/studio_visit.ts";

/** What a page gets of an address, as its script sees it. */
async function got(page: Page, method: string, address: string, token: string): Promise<string> {
  return await page.evaluate(async ([method, address, token]) => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    };
    const body = method === "POST" ? JSON.stringify({ title: "From elsewhere" }) : undefined;
    try {
      const init = { method: method!, headers, cache: "no-store" as const, ...(body && { body }) };
      const response = await fetch(address!, init);
      const left = /r=\d+/.test(response.headers.get("ratelimit") ?? "");
      const { data, title } = await response.json();
      return `${response.status} ${title ?? data.length} ${left}`;
    } catch {
      return "hidden from the page";
    }
  }, [method, address, token]);
}

browserTest(
  "a page of another site reads with a token whose list names it, and with no other",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { ask, origin } = visit;
    const foreign = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () =>
        new Response("<!doctype html><title>Elsewhere</title>", {
          headers: { "content-type": "text/html" },
        }),
    );
    const elsewhere = `http://localhost:${foreign.addr.port}`;
    const context = await browser.newContext();
    try {
      await ask("POST", "/collections", { slug: "posts", name: "Posts" });
      const mint = async (allowedOrigins: string[]) => {
        const scopes = ["posts:read", "posts:write"];
        return (await ask("POST", "/tokens", { name: "t", scopes, allowedOrigins })).json.token;
      };
      const page = await context.newPage();
      await page.goto(elsewhere);
      const posts = `${origin}/api/v1/posts`;

      const named = await mint([elsewhere]);
      assertEquals(await got(page, "POST", posts, named), "201 From elsewhere true");
      assertEquals(await got(page, "GET", posts, named), "200 0 true");
      for (
        const origins of [[], ["https://other.example"], [elsewhere.replace("http:", "https:")]]
      ) {
        const other = await mint(origins);
        assertEquals(await got(page, "GET", posts, other), "hidden from the page", String(origins));
      }
      assertEquals(await got(page, "GET", posts, "svc_pk_nobody"), "hidden from the page");
      const search = await page.evaluate(async (address) => {
        return (await fetch(address)).status;
      }, `${origin}/api/v1/search?q=elsewhere`);
      assertEquals(search, 200, "search is for everybody");

      const [{ id }] = (await ask("GET", "/tokens")).json.data.slice(-1);
      await visit.open(`/admin/tokens/${id}`);
      await visit.page.getByRole("img", { name: /Requests per hour/ }).waitFor();
      await inspect(visit.page, "token-use");
    } finally {
      await context.close();
      await foreign.shutdown();
    }
  },
);
