/** The site in an unsaved design, rendered from the query string, for users who may read the settings. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { headless } from "../../support/sites/headless.ts";

Deno.test("the site is drawn in a design that is given, where it is one, and nothing is saved", async () => {
  await using site = await headless();
  const cookie = (await site.setUp()).headers.get("set-cookie")!.split(";")[0]!;
  await site.post({ title: "Lit", status: "published" });
  await site.admin("PATCH", "/settings", { "site.font": "serif" });
  const draw = async (given: unknown, path = "") => {
    const query = encodeURIComponent(typeof given === "string" ? given : JSON.stringify(given));
    const address = `/admin/design/site/${path}?given=${query}`;
    return await site.call("GET", address, { headers: { cookie } });
  };

  const menu = [{ label: "<About>", url: "/posts" }];
  const drawn = await draw({ "site.accent": "#0055aa", "site.menu": menu });
  assertEquals(drawn.status, 200);
  assert(drawn.text.includes('href="/assets/look/0055aa-serif.css"'));
  assert(drawn.text.includes('<a href="/admin/design/site/posts">&lt;About&gt;</a>'));
  assert(drawn.headers.get("content-security-policy")!.startsWith("sandbox allow-same-origin;"));

  for (const given of ["{", "[]", { "site.accent": "#00", "site.menu": [{ url: "x" }] }]) {
    const { status, text } = await draw(given, "posts/lit");
    assertEquals(status, 200);
    assert(text.includes("/assets/look/theme-serif.css") && text.includes("<h1>Lit</h1>"));
  }
  const { text } = await draw({ "site.font": null });
  assert(!text.includes("/assets/look/"));
  const { json } = await site.admin("GET", "/settings");
  assertEquals([json["site.accent"], json["site.font"]], [undefined, "serif"]);
  assertEquals((await site.call("GET", "/admin/design/site/")).status, 302);
});

Deno.test("the site is drawn in a theme that is not active, and its links keep the theme", async () => {
  await using site = await headless();
  const cookie = (await site.setUp()).headers.get("set-cookie")!.split(";")[0]!;
  await site.post({ title: "Lit", status: "published" });
  const draw = (path: string) =>
    site.call("GET", `/admin/design/site/${path}`, { headers: { cookie } });

  const { status, text } = await draw(
    "?theme=ledger&given=%7B%22site.accent%22%3A%22%230055aa%22%7D",
  );

  assertEquals(status, 200);
  assert(text.includes('<header class="rail">') && text.includes("/assets/look/0055aa-"));
  assert(text.includes('<a href="/admin/design/site/posts/lit?theme=ledger">Lit</a>'));
  assert(text.includes('href="/admin/design/site/?theme=ledger"'));
  const style = /href="([^"]+ledger.css)"/.exec(text)![1]!;
  assertEquals((await site.call("GET", style)).status, 200);
  assert(!(await draw("")).text.includes("rail"));
  assertEquals((await draw("?theme=nothing")).status, 404);
  assert(!(await site.call("GET", "/")).text.includes("rail"));
});
