import { assert, assertEquals } from "../../support/harness/assert.ts";
import { callApp, type TestApp, testApp } from "../../support/sites/app.ts";

async function site(test: TestApp) {
  const setUp = await test.setUp();
  const cookie = setUp.headers.get("set-cookie")!.split(";")[0]!;
  const field = { type: "text", indexed: true };
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [{ ...field, name: "mood", label: "Mood" }, { ...field, name: "tone", label: "Tone" }],
  });
  await test.admin("POST", "/documents", { collection: "posts", title: "One", mood: "calm" });
  const keep = (body: unknown, headers: Record<string, string> = {}) =>
    callApp(test.app, "POST", "/admin/list-layout", {
      raw: JSON.stringify(body),
      headers: {
        "content-type": "application/json",
        cookie,
        "sec-fetch-site": "same-origin",
        ...headers,
      },
    });
  const columns = async (query = "") => {
    const page = await test.call("GET", `/admin/content/posts${query}`, { headers: { cookie } });
    return [...page.text.matchAll(/<col data-column="(\w+)"(?: width="([\d.]+%)")?/g)]
      .map(([, name, width]) => width === undefined ? name : `${name} ${width}`);
  };
  return { keep, columns };
}

Deno.test("POST /admin/list-layout keeps columns and widths, each without the other", async () => {
  await using test = await testApp();
  const { keep, columns } = await site(test);
  const before = await columns();
  assertEquals(before, ["title", "status", "mood", "tone", "updatedAt"]);

  assertEquals(
    (await keep({ collection: "posts", columns: ["tone", "gone", "status"] })).status,
    204,
  );
  assertEquals(await columns(), ["title", "tone", "status"]);
  assertEquals(
    (await keep({ collection: "posts", widths: { title: 40, tone: 33.5 } })).status,
    204,
  );
  assertEquals(await columns(), ["title 40%", "tone 33.5%", "status"]);
  assertEquals(await columns("?columns=mood"), ["title 40%", "mood"]);
  // The list of all documents, and that of others, are others.
  assertEquals((await keep({ collection: null, columns: ["status"] })).status, 204);
  assertEquals(await columns(), ["title 40%", "tone 33.5%", "status"]);
  assertEquals((await keep({ collection: "posts", columns: [], widths: {} })).status, 204);
  assertEquals(await columns(), before);
});

Deno.test("POST /admin/list-layout refuses invalid layouts, and other sites", async () => {
  await using test = await testApp();
  const { keep, columns } = await site(test);
  const before = await columns();
  for (
    const body of [
      { collection: "posts", columns: "title" },
      { collection: "posts", widths: { title: 101 } },
      { collection: "posts", widths: { title: -1 } },
      { collection: "posts", columns: Array.from({ length: 201 }, (_, n) => `c${n}`) },
      { collection: "nothing", columns: ["title"] },
      { columns: ["title"] },
    ]
  ) {
    const { status } = await keep(body);
    assert(status >= 400 && status < 500, `${status} ${JSON.stringify(body).slice(0, 80)}`);
  }
  const foreign = await keep({ collection: "posts", columns: ["tone"] }, {
    "sec-fetch-site": "cross-site",
  });
  assertEquals(foreign.status, 403);
  assertEquals(await columns(), before);
});

Deno.test("a list shows identifying columns before descriptive ones", async () => {
  await using test = await testApp();
  const setUp = await test.setUp();
  const cookie = setUp.headers.get("set-cookie")!.split(";")[0]!;
  await test.collection({
    slug: "articles",
    name: "Articles",
    fields: [
      { name: "standfirst", label: "Standfirst", type: "text" },
      { name: "minutes", label: "Minutes", type: "number" },
      { name: "section", label: "Section", type: "select", options: { choices: ["Light"] } },
      { name: "author", label: "Author", type: "reference" },
    ],
  });
  await test.admin("POST", "/documents", { collection: "articles", title: "One" });
  const page = await test.call("GET", "/admin/content/articles", { headers: { cookie } });
  const columns = [...page.text.matchAll(/<col data-column="(\w+)"/g)].map(([, name]) => name);
  assertEquals(columns, ["title", "status", "section", "author", "updatedAt"]);
});
