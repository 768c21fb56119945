/** The file, crop and focus of a medium that the public sees change with the right to publish there. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type Answer, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { IMAGES } from "../../../support/sites/images.ts";

type Ask = (
  method: string,
  path: string,
  call?: { body?: Json; raw?: BodyInit },
) => Promise<Answer>;

const NO_ONE = "a password of some length";

async function person(test: TestApp, name: string, role: Json): Promise<Ask> {
  const { name: roleName = role } = typeof role === "object" ? role as { name: string } : {};
  if (typeof role === "object") answered(await test.admin("POST", "/roles", role), 201);
  const email = `${name}@example.org`;
  const user = { email, displayName: name, password: NO_ONE, roles: [roleName as string] };
  answered(await test.admin("POST", "/users", user), 201);
  const signedIn = await test.call("POST", "/api/admin/session", {
    body: { email, password: NO_ONE },
    address: `198.51.100.${name.length}`,
  });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  return (method, path, call = {}) =>
    test.call(method, `/api/admin${path}`, { ...call, headers: { cookie } });
}

function form(name = "a.png"): FormData {
  const file = new FormData();
  file.append("file", new Blob([IMAGES["image/png"]]), name);
  return file;
}

async function site() {
  const test = await testApp();
  await test.setUp();
  const fields = [{ name: "cover", type: "media" }, { name: "body", type: "rich_text" }];
  for (const slug of ["posts", "pages"]) await test.collection({ slug, name: slug, fields });
  const upload = async () =>
    answered(await test.admin("POST", "/media", undefined, { raw: form() }), 201).id as string;
  const use = async (collection: string, medium: string, status: string, where = "cover") => {
    const image = [{ _type: "image", _key: "k", media: medium }];
    const value = where === "cover" ? { cover: medium } : { body: image };
    const token = await test.token();
    const body = { title: "T", status, ...value };
    assertEquals((await test.call("POST", `/api/v1/${collection}`, { token, body })).status, 201);
  };
  return { test, upload, use };
}

/** What changes the picture that is seen. */
const CHANGES: [string, (ask: Ask, id: string) => Promise<Answer>][] = [
  ["replacing", (ask, id) => ask("PUT", `/media/${id}/file`, { raw: form() })],
  ["focus", (ask, id) => ask("PATCH", `/media/${id}`, { body: { focus: { x: 0, y: 0 } } })],
  ["crops", (ask, id) => ask("PATCH", `/media/${id}`, { body: { crops: {} } })],
  ["deleting", (ask, id) => ask("DELETE", `/media/${id}`)],
];

for (const [name, change] of CHANGES) {
  Deno.test(`${name} takes the right to publish where the medium is seen`, async () => {
    const { test, upload, use } = await site();
    await using _ = test;
    const author = await person(test, "author", "author");
    const editor = await person(test, "an-editor", "editor");
    const [cover, inText, drafted, unused, inPages] = [
      await upload(),
      await upload(),
      await upload(),
      await upload(),
      await upload(),
    ];
    await use("posts", cover, "published");
    await use("posts", inText, "published", "text");
    await use("posts", drafted, "draft");
    await use("pages", inPages, "published");
    const ofPosts = await person(test, "of-posts", {
      name: "posts only",
      permissions: ["media.read", "media.write"],
      collections: [{ collection: "posts", actions: ["read", "publish"] }],
    });

    assertRefusal(await change(author, cover), 403, "FORBIDDEN");
    assertRefusal(await change(author, inText), 403, "FORBIDDEN");
    assertRefusal(await change(ofPosts, inPages), 403, "FORBIDDEN");
    for (const [ask, id] of [[author, drafted], [author, unused], [ofPosts, cover]] as const) {
      const { status, text } = await change(ask, id);
      assertEquals(status < 300, true, text);
    }
    assertEquals((await change(editor, inText)).status < 300, true);
  });
}

Deno.test("the picture of every page takes the right to publish or to change settings", async () => {
  const { test, upload } = await site();
  await using _ = test;
  const author = await person(test, "author", "author");
  const logo = await upload();
  answered(await test.admin("PATCH", "/settings", { "site.logo": logo }), 200);

  assertRefusal(await author("DELETE", `/media/${logo}`), 403, "FORBIDDEN");
  // Words about a picture are no picture.
  assertEquals(
    (await author("PATCH", `/media/${logo}`, { body: { alt: "The logo" } })).status,
    200,
  );
});

Deno.test("media:write over the headless API takes the right to write where the medium is seen", async () => {
  const { test, upload, use } = await site();
  await using _ = test;
  const [cover, other] = [await upload(), await upload()];
  await use("posts", cover, "published");
  await use("posts", other, "published");
  const media = await test.token({ scopes: ["media:write", "media:read", "pages:write"] });
  const both = await test.token({ scopes: ["media:write", "media:read", "posts:write"] });
  const path = `/api/v1/media/${cover}`;
  const focus = { focus: { x: 0, y: 0 } };

  assertRefusal(await test.call("PATCH", path, { token: media, body: focus }), 403, "FORBIDDEN");
  assertRefusal(await test.call("DELETE", path, { token: media }), 403, "FORBIDDEN");
  assertEquals((await test.call("PATCH", path, { token: both, body: focus })).status, 200);
  assertEquals((await test.call("DELETE", path, { token: both })).status, 204);
  const all = await test.token({ scopes: ["*"] });
  assertEquals((await test.call("DELETE", `/api/v1/media/${other}`, { token: all })).status, 204);
});
