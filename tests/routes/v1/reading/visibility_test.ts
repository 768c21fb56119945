/** Who sees what: scopes, statuses and collections that are not exposed. */
import { patchCollection } from "../../../../kv/schema/collections.ts";
import { archiveDocument } from "../../../../kv/documents/status.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import {
  assertFramed,
  assertRefused,
  type Headless,
  headless,
  NO_ID,
  titles,
} from "../../../support/sites/headless.ts";

/** A document of each status; the title is the status. */
async function everyStatus(test: Headless): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const status of ["draft", "published", "scheduled", "archived", "trashed"]) {
    const isAdminOnly = status === "archived" || status === "trashed";
    const { id } = await test.post({ title: status, ...(!isAdminOnly && { status }) });
    if (status === "archived") await archiveDocument(test.deps.content, UNATTENDED, id);
    if (status === "trashed") await test.v1("DELETE", `/posts/${id}`);
    found[status] = id;
  }
  return found;
}

/** Scopes, and the statuses that they show; null where even the collection is closed. */
const SCOPES: [string[], string | null][] = [
  [["posts:read"], "published"],
  [["*:read"], "published"],
  [["posts:read", "posts:read-drafts"], "archived draft published scheduled"],
  [["*:read", "posts:read-drafts"], "archived draft published scheduled"],
  [["posts:read", "*:read-drafts"], "archived draft published scheduled"],
  [["*"], "archived draft published scheduled"],
  [["posts:read", "other:read-drafts"], "published"],
  [["posts:read", "posts:write"], "published"],
  [["posts:read-drafts"], null],
  [["*:read-drafts"], null],
  [["posts:write"], null],
  [["*:write"], null],
  [["post:read"], null],
  [["posts-2:read"], null],
];
for (const [scopes, shown] of SCOPES) {
  Deno.test(`the scopes ${scopes.join(" ")} show ${shown ?? "nothing"}`, async () => {
    await using test = await headless([]);
    const documents = await everyStatus(test);
    const token = await test.token({ scopes });

    const list = await test.v1("GET", "/posts?sort=status", { token });
    if (shown === null) assertRefused(list, 403, "FORBIDDEN");
    else {
      assertEquals(titles(list), shown);
      assertEquals(list.json.meta, { page: 1, perPage: 20, total: shown.split(" ").length });
    }

    const missing = await test.v1("GET", `/posts/${NO_ID}`, { token });
    for (const [status, id] of Object.entries(documents)) {
      for (const path of [`/posts/${id}`, `/posts/by-slug/${status}`]) {
        const answer = await test.v1("GET", path, { token });
        if (shown?.split(" ").includes(status)) {
          assertEquals([answer.status, answer.json.status], [200, status]);
        } else {
          assertRefused(answer, 404, "NOT_FOUND");
          // Like one that is not there, to the letter.
          assertEquals(answer.text, missing.text);
          assertEquals(headerNames(answer.headers), headerNames(missing.headers));
        }
      }
    }
  });
}

function headerNames(headers: Headers): string[] {
  return [...headers.keys()].sort();
}

for (const status of ["draft", "scheduled", "archived"]) {
  Deno.test(`GET /{collection}?status=${status} is empty without read-drafts`, async () => {
    await using test = await headless([]);
    await everyStatus(test);
    const reader = await test.token({ scopes: ["posts:read"] });
    const answer = await test.v1("GET", `/posts?status=${status}`, { token: reader });
    assertEquals(answer.status, 200);
    assertFramed(answer);
    assertEquals(answer.json, { data: [], meta: { page: 1, perPage: 20, total: 0 } });
    assertEquals(titles(await test.v1("GET", `/posts?status=${status}`)), status);
  });
}

for (const status of ["trashed", "", "Draft", "draft,published", "any", "%00"]) {
  Deno.test(`GET /{collection}?status=${status} is refused`, async () => {
    await using test = await headless([]);
    for (const scopes of [["*"], ["posts:read"]]) {
      const token = await test.token({ scopes });
      const answer = await test.v1("GET", `/posts?status=${status}`, { token });
      assertRefused(answer, 422, "VALIDATION_FAILED", ["status INVALID_FILTER_VALUE"]);
    }
  });
}

Deno.test("a collection that is not exposed is not there for anybody", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "T", status: "published" });
  await patchCollection(test.deps.content, UNATTENDED, "posts", { exposed: false });
  const body = { title: "U" };
  for (const scopes of [["*"], ["posts:read", "posts:write"], ["other:read"]]) {
    const token = await test.token({ scopes });
    const answers = [
      await test.v1("GET", "/posts", { token }),
      await test.v1("GET", `/posts/${id}`, { token }),
      await test.v1("GET", "/posts/by-slug/t", { token }),
      await test.v1("POST", "/posts", { token, body }),
      await test.v1("PATCH", `/posts/${id}`, { token, body }),
      await test.v1("DELETE", `/posts/${id}`, { token }),
    ];
    const unknown = await test.v1("GET", "/nowhere", { token });
    for (const answer of answers) {
      assertRefused(answer, 404, "COLLECTION_NOT_FOUND");
      assertEquals(answer.text, unknown.text);
    }
  }
  await patchCollection(test.deps.content, UNATTENDED, "posts", { exposed: true });
  assertEquals((await test.v1("GET", `/posts/${id}`)).status, 200);
});

Deno.test("a collection is live with its first request, and gone with its last", async () => {
  await using test = await headless([]);
  assertRefused(await test.v1("GET", "/pages"), 404, "COLLECTION_NOT_FOUND");
  await test.collection({ slug: "pages", name: "Pages" });
  const list = await test.v1("GET", "/pages");
  assertEquals(list.json, { data: [], meta: { page: 1, perPage: 20, total: 0 } });
  await patchCollection(test.deps.content, UNATTENDED, "pages", { slug: "leaves" });
  assertRefused(await test.v1("GET", "/pages"), 404, "COLLECTION_NOT_FOUND");
  assertEquals((await test.v1("GET", "/leaves")).status, 200);
});

Deno.test("a document is found under its own collection only", async () => {
  await using test = await headless([]);
  await test.collection({ slug: "pages", name: "Pages" });
  const { id } = await test.post({ title: "Hello", status: "published" });
  assertRefused(await test.v1("GET", `/pages/${id}`), 404, "NOT_FOUND");
  assertRefused(await test.v1("GET", "/pages/by-slug/hello"), 404, "NOT_FOUND");
});
