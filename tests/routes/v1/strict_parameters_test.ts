/** With `Prefer: handling=strict` a parameter that an operation does not have is refused; else it is ignored. */
import { isStrict } from "../../../routes/v1/strict_parameters.ts";
import { testApp } from "../../support/sites/app.ts";
import { assertEquals } from "../../support/harness/assert.ts";

const STRICT = { prefer: "respond-async, handling=strict" };

Deno.test("unknown parameters are refused by name when the request asks for it", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [{ name: "rating", type: "number", indexed: true, sortable: true }],
  });
  const token = await test.token();
  const { json } = await test.call("POST", "/api/v1/posts", { token, body: { title: "A" } });
  const paths: [path: string, unknown: string][] = [
    ["/api/v1/posts?locale=de&page=1&lang=de", "locale, lang"],
    ["/api/v1/posts?populate=*", "populate"],
    [`/api/v1/posts/${json.id}?page=1`, "page"],
    ["/api/v1/posts/by-slug/a?limit=1", "limit"],
    ["/api/v1/search?q=lamp&locale=de", "locale"],
    ["/api/v1/media?locale=de", "locale"],
    ["/api/v1/_changes?locale=de", "locale"],
    ["/api/v1/_meta?locale=de", "locale"],
  ];
  for (const [path, unknown] of paths) {
    const lenient = await test.call("GET", path, { token });
    assertEquals(lenient.status, 200, path);
    const strict = await test.call("GET", path, { token, headers: STRICT });
    assertEquals([strict.status, strict.json.error], [400, {
      code: "PARAMETER_INVALID",
      message: `A parameter or header is invalid: unknown parameters: ${unknown}`,
    }], path);
  }
  const write = await test.call("POST", "/api/v1/posts?locale=de", {
    token,
    body: { title: "B" },
    headers: STRICT,
  });
  assertEquals(write.status, 400);
});

Deno.test("every parameter that an operation has is known, and the answer says that it was strict", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "rating", type: "number", indexed: true, sortable: true },
      { name: "kind", type: "select", indexed: true, options: { choices: ["a", "b"] } },
    ],
  });
  const token = await test.token();
  const query = "page=1&perPage=2&sort=-rating&fields=title&status=published&field.rating[gte]=1" +
    "&facets=kind&filter=%7B%7D&draft=true&richText=html";
  for (const path of [`/api/v1/posts?${query}`, "/api/v1/posts?cursor=", "/api/v1/posts?q=lamp"]) {
    const answer = await test.call("GET", path, { token, headers: STRICT });
    assertEquals([answer.status, answer.headers.get("preference-applied")], [
      200,
      "handling=strict",
    ], `${path} ${answer.text}`);
  }
  assertEquals(
    ["", "handling=lenient", "return=minimal; handling=strict", 'handling="strict"'].map(isStrict),
    [false, false, true, true],
  );
});
