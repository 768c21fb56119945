/**
 * Clients made from the description type-check, refuse what is wrong before it is sent, and work
 * against the application: `openapi-typescript` with `openapi-fetch`, and the site's own types module.
 */
import openapiTS, { astToString } from "openapi-typescript";
import type { Schema } from "../../kv/model/entities/collection.ts";
import { openApiDocument } from "../../routes/v1/openapi/document.ts";
import { typesModule } from "../../routes/v1/types/types_module.ts";
import { assertEquals, assertStringIncludes } from "../support/harness/assert.ts";
import { inFolder } from "../support/harness/folder.ts";
import { type DescribedApp, describedApp } from "./described_app.ts";
import { everyField, everyTypeSite, largeSite, oddSite, site } from "./sites.ts";
import { typeCheck } from "./type_check.ts";

const ORIGIN = "http://localhost";

async function openApiTypes(schema: Schema): Promise<string> {
  const description = structuredClone(openApiDocument(schema, ORIGIN));
  return astToString(await openapiTS(JSON.stringify(description)));
}

/** Uses both clients; lines that must not compile say so. */
const FETCH_CLIENT = `
import createClient from "openapi-fetch";
import type { paths } from "./openapi.ts";

export async function run(fetch: (request: Request) => Promise<Response>, token: string) {
  const client = createClient<paths>({
    baseUrl: "${ORIGIN}",
    fetch,
    headers: { authorization: "Bearer " + token },
  });
  const created = await client.POST("/api/v1/posts", {
    body: { title: "Typed", status: "published", numberField: 2, selectField: "it's" },
  });
  if (created.error !== undefined) throw new Error(created.error.error.message);
  const id: string = created.data.id;
  const listed = await client.GET("/api/v1/posts", {
    params: { query: { sort: ["-numberField"], "field.selectField": ["it's", "news"] } },
  });
  const patched = await client.PATCH("/api/v1/posts/{id}", {
    params: { path: { id }, header: { "If-Match": created.response.headers.get("etag")! } },
    body: { numberField: null },
  });
  const cleared: number | null | undefined = patched.data?.numberField;
  const missing = await client.GET("/api/v1/posts/by-slug/{slug}", {
    params: { path: { slug: "nowhere" } },
  });
  const code: string | undefined = missing.error?.error.code;
  const gone = await client.DELETE("/api/v1/posts/{id}", { params: { path: { id } } });
  // @ts-expect-error The collection does not exist.
  void (() => client.GET("/api/v1/nothing"));
  // @ts-expect-error A title is required.
  void (() => client.POST("/api/v1/posts", { body: { numberField: 1 } }));
  // @ts-expect-error The choice does not exist.
  void (() => client.POST("/api/v1/posts", { body: { title: "A", selectField: "other" } }));
  // @ts-expect-error The field cannot be sorted by.
  void (() => client.GET("/api/v1/posts", { params: { query: { sort: ["jsonField"] } } }));
  return { total: listed.data?.meta.total, cleared, code, gone: gone.response.status };
}
`;

const OWN_CLIENT = `
import { ApiError, createClient, type Post, type PostCreate } from "./types.ts";

export async function run(fetch: (request: Request) => Promise<Response>, token: string) {
  const client = createClient({ baseUrl: "${ORIGIN}/", token, fetch });
  const posts = client.collection("posts");
  const body: PostCreate = { title: "Own", status: "published", numberField: 3 };
  const created: Post = await posts.create({
    ...body,
    groupField: { caption: "A", inner: { deep: 2 } },
    repeaterField: [{ caption: "B", image: null }],
    richtextField: [{ _type: "block", children: [{ _type: "span", text: "Hi" }] }],
  });
  const deep: number | null | undefined = created.groupField?.inner?.deep;
  const { etag } = await posts.getTagged(created.id);
  const updated = await posts.update(created.id, { numberField: 4 }, { ifMatch: etag });
  let failure: ApiError | undefined;
  try {
    await posts.update(created.id, { numberField: 5 }, { ifMatch: etag });
  } catch (error) {
    if (error instanceof ApiError) failure = error;
  }
  const titles: string[] = [];
  for await (const post of posts.all({ sort: ["-title"], filter: { numberField: [4, 5] } })) {
    titles.push(post.title);
  }
  const bySlug = await posts.getBySlug(created.slug);
  await posts.delete(created.id);
  // @ts-expect-error The collection does not exist.
  void (() => client.collection("nothing"));
  // @ts-expect-error A title is required.
  void (() => posts.create({ numberField: 1 }));
  // @ts-expect-error The field holds numbers.
  void (() => posts.update("x", { numberField: "1" }));
  // @ts-expect-error The field is not filterable.
  void (() => posts.list({ filter: { jsonField: "1" } }));
  return {
    deep,
    rating: updated.numberField,
    failure: [failure?.status, failure?.code],
    titles,
    sameId: bySlug.id === created.id,
  };
}
`;

async function postsApp(): Promise<{ test: DescribedApp; token: string }> {
  const test = await describedApp();
  await test.define({ slug: "posts", fields: everyField().filter(({ type }) => type !== "block") });
  return { test, token: await test.token() };
}

Deno.test("clients of every kind of site type-check", async () => {
  await inFolder(async (folder) => {
    const said = await typeCheck(folder, {
      "openapi.ts": await openApiTypes(everyTypeSite()),
      "types.ts": typesModule(everyTypeSite(), ORIGIN),
      "fetch_client.ts": FETCH_CLIENT,
      "own_client.ts": OWN_CLIENT,
      "odd_openapi.ts": await openApiTypes(oddSite()),
      "odd_types.ts": typesModule(oddSite(), ORIGIN),
      "empty_openapi.ts": await openApiTypes(site([])),
      "empty_types.ts": typesModule(site([]), ORIGIN),
      "large_types.ts": typesModule(largeSite(200, 4), ORIGIN),
    });
    assertEquals(said, "");
  });
});

Deno.test("typeCheck() reports type errors", async () => {
  await inFolder(async (folder) => {
    const said = await typeCheck(folder, { "wrong.ts": "export const one: string = 1;" });
    assertStringIncludes(said, "TS2322");
  });
});

Deno.test("a client made by openapi-typescript works against the application", async () => {
  const { test, token } = await postsApp();
  await using _ = test;
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/client.ts`, FETCH_CLIENT);
    await Deno.writeTextFile(`${folder}/openapi.ts`, "export type paths = never;");
    const { run } = await import(`file://${folder}/client.ts`);
    assertEquals(await run(test.fetch, token), {
      total: 1,
      cleared: null,
      code: "NOT_FOUND",
      gone: 204,
    });
  });
});

Deno.test("the types module of the application is a client of it", async () => {
  const { test, token } = await postsApp();
  await using _ = test;
  await inFolder(async (folder) => {
    const { text } = await test.call("GET", "/api/v1/_meta/types.ts", { token });
    assertStringIncludes(text, "export interface Post ");
    await Deno.writeTextFile(`${folder}/types.ts`, text);
    await Deno.writeTextFile(`${folder}/client.ts`, OWN_CLIENT);
    const { run } = await import(`file://${folder}/client.ts`);
    assertEquals(await run(test.fetch, token), {
      deep: 2,
      rating: 4,
      failure: [412, "PRECONDITION_FAILED"],
      titles: ["Own"],
      sameId: true,
    });
  });
});
