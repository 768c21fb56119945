/**
 * What the description of a started service promises, held against that service over HTTP: clients made
 * from it, and the fuzzer.
 */
import openapiTS, { astToString } from "openapi-typescript";
import { fuzz } from "../contract/fuzz.ts";
import { everyField } from "../contract/sites.ts";
import { typeCheck } from "../contract/type_check.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { Client } from "../support/harness/client.ts";
import { IMAGES } from "../support/sites/images.ts";
import { startService } from "../tour.ts";

/** The most that publishing may take before what was published is found, milliseconds. */
const PUBLISH_MS_MAX = 10_000;

const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: everyField().map((field) => ({ label: field.name, ...field })) as unknown as Json,
};

/** A started service with a collection of every field type, a medium and a document to refer to. */
async function describedService() {
  const service = await startService();
  const client = new Client(service.origin);
  await client.setUp(POSTS);
  const asAdmin = { cookie: client.cookie };
  const block = {
    name: "quote",
    label: "Quote",
    fields: [{ name: "words", label: "Words", type: "text" }],
  };
  assertEquals((await client.call("POST", "/api/admin/blocks", block)).status, 201);
  const form = new FormData();
  form.set("file", new File([IMAGES["image/png"]], "dot.png", { type: "image/png" }));
  const uploaded = await fetch(`${service.origin}/api/admin/media`, {
    method: "POST",
    headers: asAdmin,
    body: form,
  });
  assertEquals(uploaded.status, 201);
  const { id: mediaId } = await uploaded.json();
  const other = await client.call("POST", "/api/v1/posts", { title: "Other" });
  assertEquals(other.status, 201);
  return {
    client,
    mediaId: mediaId as string,
    otherId: other.json.id as string,
    origin: service.origin,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

type Described = Awaited<ReturnType<typeof describedService>>;

/** Modules in a folder of their own that type-check together; answers what `client.ts` exports. */
async function withModules(
  modules: Record<string, string>,
  use: (client: {
    write: (...given: string[]) => Promise<string>;
    find: (...given: string[]) => Promise<number>;
    rest: (...given: string[]) => Promise<unknown>;
  }) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "described-" });
  try {
    assertEquals(await typeCheck(folder, modules), "");
    await use(await import(`file://${folder}/client.ts`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Every type of value, as a client has to spell it. */
const BODY = `{
  title: "A typed lighthouse",
  status: "published",
  textField: "Hello, world",
  richtextField: [{ _type: "block", children: [{ _type: "span", text: "By the sea" }] }],
  numberField: 2.5,
  booleanField: true,
  datetimeField: 1_700_000_000,
  selectField: "it's",
  multiselectField: ["red", "blue"],
  urlField: "https://example.org/a?b=c,d",
  emailField: "ada@example.org",
  jsonField: { any: ["thing", null, 1] },
  mediaField: mediaId,
  referenceField: otherId,
  repeaterField: [{ caption: "One", image: mediaId, inner: { deep: 2 } }],
  groupField: { caption: "Two", image: null, inner: { deep: 3 } },
  blockField: [{ type: "quote", id: "b1", data: { words: "So be it" } }],
}`;

/** Uses what \`openapi-typescript\` made, by the serialization that its client has when left alone. */
const FETCH_CLIENT = `
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.ts";

const clientOf = (baseUrl: string, token: string) =>
  createClient<paths>({ baseUrl, headers: { authorization: "Bearer " + token } });

export async function write(origin: string, token: string, mediaId: string, otherId: string) {
  const created = await clientOf(origin, token).POST("/api/v1/posts", { body: ${BODY} });
  if (created.error !== undefined) throw new Error(JSON.stringify(created.error));
  return created.data.id;
}

export async function find(origin: string) {
  const found = await createClient<paths>({ baseUrl: origin }).GET("/api/v1/search", {
    params: { query: { q: "typed lightho", collection: ["posts"] } },
  });
  if (found.error !== undefined) throw new Error(JSON.stringify(found.error));
  return found.data.meta.total;
}

export async function rest(origin: string, token: string, id: string) {
  const client = clientOf(origin, token);
  const read = await client.GET("/api/v1/posts/{id}", { params: { path: { id } } });
  const listed = await client.GET("/api/v1/posts", {
    params: {
      query: {
        perPage: 5,
        sort: ["-title", "createdAt"],
        "field.numberField": [2.5, 1],
        "field.selectField": ["it's", "quo\\"te", "日本"],
        "field.urlField": ["https://example.org/a?b=c,d"],
        "field.multiselectField": ["blue"],
      },
    },
  });
  const joined = await client.GET("/api/v1/posts", {
    params: { query: { sort: ["-title", "createdAt"] } },
    querySerializer: { array: { style: "form", explode: false } },
  });
  const etag = read.response.headers.get("etag")!;
  const patched = await client.PATCH("/api/v1/posts/{id}", {
    params: { path: { id }, header: { "If-Match": etag } },
    // Neither \`fields\` nor \`richText\` was asked for: it is the whole document.
    body: {
      ...read.data as components["schemas"]["Post"],
      numberField: null,
      multiselectField: ["green"],
    },
  });
  const stale = await client.PATCH("/api/v1/posts/{id}", {
    params: { path: { id }, header: { "If-Match": etag } },
    body: { numberField: 1 },
  });
  const removed = await client.DELETE("/api/v1/posts/{id}", { params: { path: { id } } });
  const gone = await client.GET("/api/v1/posts/{id}", { params: { path: { id } } });
  return {
    repeater: read.data!.repeaterField,
    listed: listed.data?.data.map(({ title }) => title) ?? listed.error,
    joined: joined.data?.data.map(({ title }) => title) ?? joined.error,
    patched: [patched.data?.numberField, patched.data?.multiselectField],
    stale: stale.error?.error.code,
    removed: removed.response.status,
    gone: gone.error?.error.code,
  };
}
`;

const OWN_CLIENT = `
import { ApiError, createClient, type PostCreate } from "./types.ts";

const clientOf = (baseUrl: string, token: string) => createClient({ baseUrl, token });

export async function write(origin: string, token: string, mediaId: string, otherId: string) {
  const body: PostCreate = ${BODY};
  return (await clientOf(origin, token).collection("posts").create(body)).id;
}

export async function find(origin: string) {
  const client = createClient({ baseUrl: origin });
  return (await client.search({ q: "typed lightho", collection: ["posts"] })).meta.total;
}

const codeOf = (error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  return error.code;
};

export async function rest(origin: string, token: string, id: string) {
  const posts = clientOf(origin, token).collection("posts");
  const { document, etag } = await posts.getTagged(id);
  const listed = await posts.list({
    perPage: 5,
    sort: ["-title", "createdAt"],
    filter: {
      numberField: [2.5, 1],
      selectField: ["it's", "quo\\"te", "日本"],
      urlField: "https://example.org/a?b=c,d",
      multiselectField: "blue",
    },
  });
  const joined: string[] = [];
  for await (const { title } of posts.all({ sort: ["-title", "createdAt"], perPage: 1 })) {
    joined.push(title);
  }
  const patched = await posts.update(
    id,
    { ...document, numberField: null, multiselectField: ["green"] },
    { ifMatch: etag },
  );
  const stale = await posts.update(id, { numberField: 1 }, { ifMatch: etag }).catch(codeOf);
  await posts.delete(id);
  const gone = await posts.get(id).catch(codeOf);
  return {
    repeater: document.repeaterField,
    listed: listed.data.map(({ title }) => title),
    joined,
    patched: [patched.numberField, patched.multiselectField],
    stale,
    removed: 204,
    gone,
  };
}
`;

/** Creates, waits until it is found, reads, lists, filters, patches and deletes. */
async function holdClient(described: Described, modules: Record<string, string>): Promise<void> {
  const { client: { token }, origin, mediaId, otherId } = described;
  await withModules(modules, async ({ write, find, rest }) => {
    const id = await write(origin, token, mediaId, otherId);
    const deadline = performance.now() + PUBLISH_MS_MAX;
    // The pause keeps the searches within the quota of an address.
    while (await find(origin) !== 1) {
      assert(performance.now() < deadline, "what was published is not found");
      await new Promise((done) => setTimeout(done, 250));
    }
    assertEquals(await rest(origin, token, id), {
      repeater: [{ caption: "One", image: mediaId, inner: { deep: 2 } }],
      listed: ["A typed lighthouse"],
      joined: ["Other", "A typed lighthouse"],
      patched: [null, ["green"]],
      stale: "PRECONDITION_FAILED",
      removed: 204,
      gone: "NOT_FOUND",
    });
  });
}

Deno.test("a client made by openapi-typescript from a started service works with it", async () => {
  await using described = await describedService();
  const { client } = described;
  const description = await client.call("GET", "/api/v1/_meta");
  assertEquals(description.json.servers, [{ url: described.origin }]);
  const types = astToString(await openapiTS(JSON.stringify(description.json)));

  await holdClient(described, { "openapi.ts": types, "client.ts": FETCH_CLIENT });
});

Deno.test("the types module of a started service works with it", async () => {
  await using described = await describedService();
  const types = await described.client.call("GET", "/api/v1/_meta/types.ts");
  assertEquals(types.status, 200);

  await holdClient(described, { "types.ts": types.json, "client.ts": OWN_CLIENT });
});

Deno.test("fuzz() finds nothing over HTTP that the description does not have", async () => {
  await using described = await describedService();
  const { client, origin } = described;
  const reader = await client.call("POST", "/api/admin/tokens", {
    name: "reader",
    scopes: ["posts:read"],
  });

  const report = await fuzz({
    fetch,
    description: (await client.call("GET", "/api/v1/_meta")).json,
    token: client.token,
    lesserTokens: [reader.json.token, "", "svc_pk_wrong"],
    seed: 7,
    rounds: 90,
    base: origin,
  });

  assertEquals(report.problems, []);
  assert(report.sent >= 90 * 13);
  for (
    const reached of [
      "createPost 201",
      "listPosts 200",
      "updatePost 200",
      "putPostBySlug 201",
      "bulkPosts 200",
      "deletePost 204",
    ]
  ) {
    assert((report.statuses.get(reached) ?? 0) > 0, `${reached} was never reached`);
  }
});
