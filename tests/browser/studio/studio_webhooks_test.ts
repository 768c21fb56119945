/** Webhooks and the API pages of collections, in a browser. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";
import { receiver } from "../../support/sites/webhooks.ts";

const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [{ name: "rating", label: "Rating", type: "number", indexed: true, sortable: true }],
};

browserTest("studio makes a webhook, tests it, and shows what was sent", async (browser) => {
  await using there = receiver();
  await using visit = await studioVisit(browser, { allowLocal: true });
  const { page, open, ask, test, complaints } = visit;
  await ask("POST", "/collections", POSTS);

  await open("/admin/webhooks");
  await inspect(page, "webhooks-none");
  await page.getByRole("link", { name: "New webhook" }).first().click();
  await page.getByLabel("Name").fill("Rebuild the site");
  await page.getByLabel("URL").fill(there.url);
  await page.getByLabel("Posts", { exact: true }).check();
  await page.getByLabel("Filter").fill('{"rating": {"gte": "many"}}');
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("a value of the type number").first().waitFor();
  await page.getByLabel("Filter").fill('{"rating": {"gte": 4}}');
  await inspect(page, "webhook-new");
  await page.getByRole("button", { name: "Create webhook" }).click();
  const secret = page.locator("#secret-text");
  await secret.getByText("whsec_").waitFor();
  assertMatch(await secret.textContent() ?? "", /^whsec_/);
  await inspect(page, "webhook-secret");
  await page.getByRole("link", { name: "I have copied it" }).click();

  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("pending").first().waitFor();
  await test.runner.drain();
  there.answer.with = () => new Response("no", { status: 500 });
  const token = await test.token();
  const body = { title: "One", rating: 5, status: "published" };
  await test.call("POST", "/api/v1/posts", { token, body });
  await test.runner.drain();
  await page.reload();
  await page.getByText("delivered").first().waitFor();
  await page.getByText("document.published", { exact: true }).first().click();
  await page.getByText("The receiver answered 500").waitFor();
  await inspect(page, "webhook");

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await secret.getByText("whsec_").waitFor();
  await page.getByRole("link", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Replay…" }).click();
  await page.getByLabel("Since").fill("2020-01-01T00:00");
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.waitForURL(/\/admin\/jobs\/\w+/);
  await open("/admin/webhooks");
  await inspect(page, "webhooks");
  assertEquals(complaints.filter((line) => !line.includes("422")), []);
});

browserTest("studio shows a collection's API with examples that run", async (browser) => {
  await using there = receiver();
  await using visit = await studioVisit(browser, { allowLocal: true });
  const { page, open, ask, test, origin, complaints } = visit;
  await ask("POST", "/collections", POSTS);
  await ask("PATCH", "/settings", { "site.url": origin });
  const full = await test.token();
  const body = { title: "One", status: "published" };
  await test.call("POST", "/api/v1/posts", { token: full, body });

  await open("/admin/collections/posts");
  await page.getByRole("link", { name: "API", exact: true }).click();
  await page.getByRole("button", { name: "Create token" }).click();
  await page.locator("#api-token").getByText("svc_pk_").waitFor();
  await inspect(page, "collection-api");
  const curl = await page.locator("#example-curl").textContent() ?? "";
  const [, token, address] = /Bearer (\S+)"[^"]*"([^"]+)"/.exec(curl) ?? [];
  assertStringIncludes(address!, `${origin}/api/v1/posts?sort=-rating`);

  await ask("POST", "/webhooks", {
    name: "Front end",
    url: there.url,
    events: ["document.published"],
  });
  await test.call("POST", "/api/v1/posts", { token: full, body });
  await test.runner.drain();
  await page.locator("#deliveries").getByText("delivered").waitFor();
  assertEquals(await page.locator("#api-token").textContent(), token);

  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(address!, { headers });
  const { data: [{ id, slug }], meta } = await response.json();
  assertEquals(meta.total, 2);
  const answered: [string, number][] = [];
  for (const text of await page.locator("th[scope=row] code").allTextContents()) {
    const [method, path] = text.trim().split(" ") as [string, string];
    if (method !== "GET") continue;
    const filled = path.replace("{id}", id).replace("{slug}", slug);
    const { status, body } = await fetch(`${origin}/api/v1${filled}`, { headers });
    await body?.cancel();
    answered.push([path, status]);
  }
  assertEquals(answered, [
    ["/posts", 200],
    ["/posts/{id}", 200],
    ["/posts/by-slug/{slug}", 200],
    ["/posts/{id}/versions", 403],
    ["/_changes?collection=posts", 200],
  ]);
  const code = await page.locator("#example-fetch").textContent() ?? "";
  const run = new Function(`return (async () => { ${code}; return data; })()`);
  assertEquals((await run()).length, 2);
  // What is copied is what stands there, with the token in it.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const id of ["curl", "fetch", "types"]) {
    // Of the example before, the message may still be there.
    await page.evaluate(() => document.querySelector("#toasts")?.replaceChildren());
    await page.locator(`[data-copy=example-${id}]`).click();
    const shown = await page.locator(`#example-${id}`).textContent();
    await page.getByText("Copied", { exact: true }).waitFor();
    assertEquals(await page.evaluate(() => navigator.clipboard.readText()), shown!.trim());
    assertStringIncludes(shown!, id === "types" ? "posts" : token!);
  }
  const typed = await page.locator("#example-types").textContent() ?? "";
  assert(typed.includes('client.collection("posts").list') && typed.includes(token!));
  assertEquals(complaints, []);
});
