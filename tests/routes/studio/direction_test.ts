/** Texts of documents stand in their own direction, whatever the language of the studio. */
import { assertStringIncludes } from "../../support/harness/assert.ts";
import { testApp } from "../../support/sites/app.ts";

const TITLE = "منارة في آخر العالم";
const WORDS = "الحارس يصعد الدرج";

Deno.test("forms, lists, comparisons and the overview give texts their own direction", async () => {
  await using test = await testApp();
  const setup = await test.call("POST", "/api/admin/setup", {
    body: {
      code: "setup-code",
      email: "ada@example.org",
      displayName: "Ada",
      password: "correct horse battery",
      siteTitle: "The Lantern",
    },
  });
  const headers = { cookie: setup.headers.get("set-cookie")!.split(";")[0]! };
  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, path, { headers, ...(body !== undefined && { body: body as never }) });
  await call("POST", "/api/admin/collections", {
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "teaser", type: "text" },
      { name: "notes", type: "text", options: { multiline: true } },
      { name: "body", type: "rich_text" },
    ],
  });
  const block = {
    _type: "block",
    _key: "a",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s", text: WORDS, marks: [] }],
  };
  const { json: { id } } = await call("POST", "/api/admin/documents", {
    collection: "posts",
    title: TITLE,
    teaser: WORDS,
    body: [block],
  });
  const form = (await call("GET", `/admin/documents/${id}`)).text;
  for (
    const part of [
      '<textarea id="c-title" dir="auto"',
      `<h1 dir="auto">${TITLE}</h1>`,
      `type="text" dir="auto" value="${WORDS}"`,
      `<p dir="auto">${WORDS}</p>`,
      '<textarea id="new-comment" dir="auto"',
    ]
  ) assertStringIncludes(form, part);
  assertStringIncludes(form.replaceAll(/id="[^"]*" dir="auto" rows="3"/g, "NOTES"), "NOTES");

  const list = (await call("GET", "/admin/content/posts")).text;
  assertStringIncludes(list, `title="${TITLE}" dir="auto">${TITLE}</a>`);
  assertStringIncludes((await call("GET", "/admin")).text, `dir="auto">${TITLE}</a>`);

  await call("POST", `/api/admin/documents/${id}/publish`);
  await test.runner.drain();
  await call("PATCH", `/api/admin/documents/${id}/working-copy`, { teaser: TITLE });
  const changes = (await call("GET", `/admin/documents/${id}/changes`)).text;
  assertStringIncludes(changes, '<p class="words" dir="auto">');
});
