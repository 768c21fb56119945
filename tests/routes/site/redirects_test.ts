import { answered, detailsOf, listed } from "../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { stageFormerAddress } from "../../../kv/redirects/former_addresses.ts";
import { assertEquals } from "../../support/harness/assert.ts";

const RULES = [
  { from: "/{year}/{month}/{slug}", to: "/posts/{slug}", status: 301 },
  { from: "/shop/{rest}", to: "https://shop.example.org/{rest}", status: 302 },
  { from: "/flat/{rest}", to: "/{rest}", status: 301 },
  { from: "/?p={id}", to: "/posts/{id}", status: 301 },
  { from: "/offers", status: 410 },
  { from: "/posts/hello", to: "/elsewhere", status: 301 },
];

async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [] });
  return test;
}

/** Status and location of an address. */
async function follow(test: TestApp, path: string): Promise<[number, string | null]> {
  const { status, headers } = await test.call("GET", path);
  return [status, headers.get("location")];
}

async function publish(test: TestApp, title: string): Promise<string> {
  const token = await test.token();
  const body = { title, status: "published" };
  return answered(await test.call("POST", "/api/v1/posts", { token, body }), 201).id;
}

Deno.test("redirect rules lead on from addresses without a page, with values encoded and hosts kept", async () => {
  await using test = await site();
  await publish(test, "Hello");
  const set = await test.admin("PATCH", "/settings", { "site.redirects": RULES });
  assertEquals(answered(set, 200)["site.redirects"], RULES);

  const found: Record<string, [number, string | null]> = {};
  const paths = [
    ...["/2019/5/hello", "/2019/05/hello/", "/2019/05/caf%C3%A9%3Fx", "/19/05/hello"],
    ...["/shop/a/b%2Fc", "/flat//evil.example", "/?p=12", "/?p=x", "/offers", "/offers.html"],
    "/posts/hello",
  ];
  for (const path of paths) found[path] = await follow(test, path);

  assertEquals(found, {
    "/2019/5/hello": [301, "/posts/hello"],
    "/2019/05/hello/": [301, "/posts/hello"],
    "/2019/05/caf%C3%A9%3Fx": [301, "/posts/caf%C3%A9%3Fx"],
    "/19/05/hello": [404, null],
    "/shop/a/b%2Fc": [302, "https://shop.example.org/a/b%2Fc"],
    "/flat//evil.example": [301, "/evil.example"],
    "/?p=12": [301, "/posts/12"],
    "/?p=x": [200, null],
    "/offers": [410, null],
    "/offers.html": [404, null],
    "/posts/hello": [200, null],
  });
});

Deno.test("site.redirects refuses rules that cannot work, each with its place", async () => {
  await using test = await site();
  const wrong = await test.admin("PATCH", "/settings", {
    "site.redirects": [
      { from: "old", to: "/new", status: 301 },
      { from: "/a/{nothing}", to: "/b", status: 301 },
      { from: "/a/{id}", to: "/b/{slug}", status: 301 },
      { from: "/a/{id}/{id}", to: "/b", status: 301 },
      { from: "/a", status: 301 },
      { from: "/a", to: "/b", status: 410 },
      { from: "/a", to: "//evil.example", status: 301 },
      { from: "/{slug}", to: "https://{slug}.example/", status: 301 },
      { from: "/{rest}", to: "https://good.example{rest}", status: 301 },
      { from: "/a", to: "javascript:alert(1)", status: 301 },
      { from: "/a", to: "/b", status: 307 },
    ],
  });

  assertEquals([wrong.status, detailsOf(wrong)], [422, [
    "site.redirects.0.from PATTERN_MISMATCH",
    "site.redirects.1.from PATTERN_MISMATCH",
    "site.redirects.10.status INVALID_CHOICE",
    "site.redirects.2.to PATTERN_MISMATCH",
    "site.redirects.3.from PATTERN_MISMATCH",
    "site.redirects.4.to REQUIRED",
    "site.redirects.5.to INVALID_CHOICE",
    "site.redirects.6.to PATTERN_MISMATCH",
    "site.redirects.7.to PATTERN_MISMATCH",
    "site.redirects.8.to PATTERN_MISMATCH",
    "site.redirects.9.to PATTERN_MISMATCH",
  ]]);
  const many = Array.from({ length: 1_001 }, (_, n) => ({ from: `/${n}`, to: "/", status: 301 }));
  const tooMany = await test.admin("PATCH", "/settings", { "site.redirects": many });
  assertEquals(detailsOf(tooMany), ["site.redirects TOO_LONG"]);
});

Deno.test("a former address leads to its document wherever it is, and hides drafts", async () => {
  await using test = await site();
  const id = await publish(test, "Hello");
  const operation = new Operation();
  for (const address of ["/2019/05/hello/", "/?p=12", "/caf%c3%a9"]) {
    const row = { type: "document", id, transfer: "T" } as const;
    assertEquals(stageFormerAddress(operation, address, row), true);
  }
  await test.context.store.commit(operation);

  for (const address of ["/2019/05/hello/", "/2019/05/hello", "/?p=12", "/café"]) {
    assertEquals(await follow(test, encodeURI(address)), [301, "/posts/hello"], address);
  }
  assertEquals(await follow(test, "/?p=13"), [200, null]);

  await test.admin("PATCH", `/documents/${id}`, { slug: "moved" });
  await test.admin("POST", `/documents/${id}/publish`);
  assertEquals(await follow(test, "/?p=12"), [301, "/posts/moved"]);
  await test.admin("POST", `/documents/${id}/unpublish`);
  assertEquals(await follow(test, "/2019/05/hello"), [404, null]);
  assertEquals(await follow(test, "/?p=12"), [404, null]);
});

Deno.test("GET /api/admin/redirects lists rules and former addresses with hits, and tests an address", async () => {
  await using test = await site();
  const id = await publish(test, "Hello");
  const row = { type: "document", id, transfer: "T" } as const;
  const operation = new Operation();
  stageFormerAddress(operation, "/old", row);
  await test.context.store.commit(operation);
  await test.admin("PATCH", "/settings", { "site.redirects": RULES.slice(0, 1) });
  for (let hit = 0; hit < 3; hit++) await follow(test, "/2020/01/hello");
  await follow(test, "/old");

  assertEquals(listed(await test.admin("GET", "/redirects")), [
    { from: "/{year}/{month}/{slug}", to: "/posts/{slug}", status: 301, kind: "rule", hits: 3 },
    { from: "/old", to: "/posts/hello", status: 301, kind: "former", transfer: "T", hits: 1 },
  ]);
  const second = answered(await test.admin("GET", "/redirects?page=2&perPage=1"), 200);
  assertEquals([second.data.length, second.meta], [1, { page: 2, perPage: 1, total: 2 }]);
  const test1 = answered(await test.admin("GET", "/redirects?path=/2020/01/hello"), 200);
  assertEquals(test1, {
    match: {
      from: "/{year}/{month}/{slug}",
      to: "/posts/hello",
      status: 301,
      kind: "rule",
      hits: 3,
    },
  });
  assertEquals(answered(await test.admin("GET", "/redirects?path=/no"), 200), { match: null });
  assertEquals((await test.admin("GET", "/redirects?path=no")).status, 400);
});
