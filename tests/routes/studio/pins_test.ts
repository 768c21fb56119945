import { pinsKey } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { callApp, type TestApp, testApp } from "../../support/sites/app.ts";

async function site(test: TestApp) {
  const setUp = await test.setUp();
  const owner = setUp.headers.get("set-cookie")!.split(";")[0]!;
  for (const slug of ["articles", "events", "products"]) {
    const group = slug === "products" ? { group: "Shop" } : {};
    await test.collection({ slug, name: slug, fields: [], ...group });
  }
  const pin = (body: unknown, headers: Record<string, string> = {}) =>
    callApp(test.app, "POST", "/admin/pins", {
      raw: JSON.stringify(body),
      headers: {
        "content-type": "application/json",
        cookie: owner,
        "sec-fetch-site": "same-origin",
        ...headers,
      },
    });
  const pageOf = async (path = "/admin", cookie = owner) =>
    (await test.call("GET", path, { headers: { cookie } })).text;
  return { owner, pin, pageOf };
}

/** The links under the heading "Pinned". */
function pinned(text: string): string[] {
  const section = /data-nav-group="Pinned".*?<\/details>/s.exec(text)?.[0] ?? "";
  return [...section.matchAll(/href="\/admin\/content\/(\w+)"/g)].map(([, slug]) => slug ?? "");
}

Deno.test("POST /admin/pins pins collections of a user, in the order of the navigation", async () => {
  await using test = await testApp();
  const { pin, pageOf } = await site(test);
  assertEquals(pinned(await pageOf()), []);

  const set = (collection: string, pinned: boolean) =>
    pin({ collection, pinned, current: "/admin/content/products" });
  // Two at the same time: neither is lost.
  const both = await Promise.all([set("products", true), set("events", true)]);
  assertEquals(both.map(({ status }) => status), [200, 200]);
  const page = await pageOf("/admin/content/products");
  assertEquals(pinned(page), ["events", "products"]);
  const nav = page.split('<div class="nav">')[1]!.split('<div class="sidebar-foot">')[0]!;
  assertEquals(nav.match(/aria-current="page"/g)?.length, 1);
  assertEquals(nav.match(/href="\/admin\/content\/products"/g)?.length, 2);
  const { text } = await set("events", false);
  assertEquals(pinned(text), ["products"]);
  assertEquals(text.match(/aria-current="page"/g)?.length, 1);
});

Deno.test("the palette lists pinned collections first, and once", async () => {
  await using test = await testApp();
  const { pin, pageOf } = await site(test);
  await pin({ collection: "products", pinned: true, current: null });

  const json = /<script type="application\/json"[^>]*>([^<]*New in[^<]*)</.exec(
    await pageOf(),
  )![1]!;
  const { places } = JSON.parse(json);
  const [first] = places;
  assertEquals([first.label, first.group], ["products", "Pinned"]);
  const same = places.filter(({ href }: { href: string }) => href === first.href);
  assertEquals(same.length, 1);
});

Deno.test("pins of unknown and deleted collections are ignored, and those of others are their own", async () => {
  await using test = await testApp();
  const { pin, pageOf } = await site(test);
  const { id } = (await test.admin("GET", "/session")).json.user;
  await pin({ collection: "events", pinned: true, current: null });
  await pin({ collection: "products", pinned: true, current: null });
  assertEquals((await test.admin("DELETE", "/collections/events")).status, 204);
  assertEquals(pinned(await pageOf()), ["products"]);
  const { store } = test.context;
  await store.commit(new Operation().set(pinsKey(id), ["unknown"]));
  assertEquals(pinned(await pageOf()), []);
  await pin({ collection: "articles", pinned: true, current: null });
  const { value } = await store.get<string[]>(pinsKey(id));
  assertEquals(value?.length, 1);

  const password = "a password of some length";
  await test.admin("POST", "/roles", {
    name: "shop",
    permissions: [],
    collections: [{ collection: "products", actions: ["read"] }],
  });
  await test.admin("POST", "/users", {
    email: "wim@example.org",
    displayName: "Wim",
    password,
    roles: ["shop"],
  });
  const body = { email: "wim@example.org", password };
  const { headers } = await test.call("POST", "/api/admin/session", { body });
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  assertEquals(pinned(await pageOf("/admin", cookie)), []);
  const own = await pin({ collection: "products", pinned: true, current: null }, { cookie });
  assertEquals(pinned(own.text), ["products"]);
  const unseen = await pin({ collection: "articles", pinned: true, current: null }, { cookie });
  assertEquals(unseen.status, 403);
});

Deno.test("POST /admin/pins refuses invalid bodies, and other sites", async () => {
  await using test = await testApp();
  const { pin, pageOf } = await site(test);
  for (
    const body of [
      { collection: "articles" },
      { collection: "articles", pinned: "yes", current: null },
      { collection: "nothing", pinned: true, current: null },
    ]
  ) {
    const { status } = await pin(body);
    assert(status >= 400 && status < 500, `${status} ${JSON.stringify(body)}`);
  }
  const valid = { collection: "articles", pinned: true, current: null };
  assertEquals((await pin(valid, { "sec-fetch-site": "cross-site" })).status, 403);
  assertEquals(pinned(await pageOf()), []);
});
