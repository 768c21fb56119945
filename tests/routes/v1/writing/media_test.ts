/** Media over the headless API. */
import { mediaPath } from "../../../../kv/objects/paths.ts";
import { findMedia } from "../../../../kv/media/media.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, type Headless, headless, NO_ID } from "../../../support/sites/headless.ts";
import { IMAGES } from "../../../support/sites/images.ts";

const PNG = IMAGES["image/png"];

function formOf(bytes: Uint8Array, name: string, alt = ""): FormData {
  const form = new FormData();
  form.set("file", new File([bytes as Uint8Array<ArrayBuffer>], name));
  if (alt !== "") form.set("alt", alt);
  return form;
}

async function uploaded(test: Headless, name: string, token = test.full) {
  const request = new Request("http://localhost/api/v1/media", {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: formOf(PNG, name, "A lamp"),
  });
  return await test.app.request(request);
}

Deno.test("media: upload, read, list, change, delete, each with its scope", async () => {
  await using test = await headless();
  const reader = await test.token({ scopes: ["media:read"] });
  const others = await test.token({ scopes: ["*:read", "*:write"] });

  const made = await uploaded(test, "lamp.png");
  assertEquals(made.status, 201);
  const medium = await made.json();
  assertEquals(made.headers.get("location"), `/api/v1/media/${medium.id}`);
  assertEquals(Object.keys(medium), [
    "id",
    "filename",
    "mime",
    "bytes",
    "width",
    "height",
    "alt",
    "focus",
    "url",
    "createdAt",
    "updatedAt",
  ]);
  assertEquals([medium.filename, medium.mime, medium.alt, medium.focus], [
    "lamp.png",
    "image/png",
    "A lamp",
    null,
  ]);
  const path = `/media/${medium.id}`;
  assertEquals((await test.v1("GET", path, { token: reader })).json, medium);
  assertRefused(await test.v1("GET", path, { token: others }), 404, "NOT_FOUND");
  assertRefused(await test.v1("GET", "/media", { token: others }), 403, "FORBIDDEN");
  assertEquals((await uploaded(test, "x.png", reader)).status, 403);
  const body = { alt: "Two lamps", focus: { x: 0.5, y: 1 } };
  assertRefused(await test.v1("PATCH", path, { token: reader, body }), 403, "FORBIDDEN");
  const changed = await test.v1("PATCH", path, { body });
  assertEquals([changed.json.alt, changed.json.focus], ["Two lamps", { x: 0.5, y: 1 }]);
  assertRefused(await test.v1("DELETE", path, { token: reader }), 403, "FORBIDDEN");
  assertEquals((await test.v1("DELETE", path)).status, 204);
  assertRefused(await test.v1("GET", path), 404, "NOT_FOUND");
  assertRefused(await test.v1("GET", `/media/${NO_ID}`), 404, "NOT_FOUND");
});

Deno.test("PATCH /media/{id} accepts a medium as it was read; read-only members are ignored", async () => {
  await using test = await headless();
  const { id } = await (await uploaded(test, "lamp.png")).json();
  const read = await test.v1("GET", `/media/${id}`);
  const back = await test.v1("PATCH", `/media/${id}`, { body: read.json });
  assertEquals([back.status, back.json], [200, read.json], back.text);
  assertEquals(back.headers.get("etag"), read.headers.get("etag"));
  const body = { ...read.json, alt: "Mine", mime: "text/html", bytes: "many", url: null };
  const changed = await test.v1("PATCH", `/media/${id}`, { body });
  assertEquals([changed.json.alt, changed.json.mime], ["Mine", "image/png"]);
  const unknown = await test.v1("PATCH", `/media/${id}`, { body: { color: "red" } });
  assertEquals(unknown.json.error.details[0].code, "UNKNOWN_KEY");
});

Deno.test("GET /media pages by number and by cursor, filtered and sorted", async () => {
  await using test = await headless();
  for (const name of ["c.png", "a.png", "b.png", "a2.png"]) {
    assertEquals((await uploaded(test, name)).status, 201);
  }
  const page = await test.v1("GET", "/media?sort=filename&perPage=2&page=2");
  assertEquals(page.json.meta, { page: 2, perPage: 2, total: 4 });
  for (
    const [sort, expected] of [
      ["filename", "a.png a2.png b.png c.png"],
      ["-filename", "c.png b.png a2.png a.png"],
    ]
  ) {
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { json } = await test.v1("GET", `/media?sort=${sort}&perPage=3&cursor=${cursor}`);
      seen.push(...json.data.map(({ filename }: { filename: string }) => filename));
      assertEquals([json.meta.total, json.meta.page], [4, undefined]);
      cursor = json.meta.nextCursor;
    }
    assertEquals(seen.join(" "), expected);
  }
  assertEquals((await test.v1("GET", "/media?q=a2")).json.meta.total, 1);
  assertEquals((await test.v1("GET", "/media?mime=image/gif")).json.meta.total, 0);
  assertRefused(await test.v1("GET", "/media?cursor=x"), 400, "CURSOR_INVALID");
});

Deno.test("POST /media with an address keeps to public ones", async () => {
  await using test = await headless();
  for (const url of ["http://127.0.0.1/a.png", "https://169.254.169.254/", "file:///etc", "x"]) {
    const answer = await test.v1("POST", "/media", { body: { url } });
    assertRefused(answer, 422, "VALIDATION_FAILED", ["url PATTERN_MISMATCH"]);
    assert(!answer.text.includes("127.0.0.1"));
  }
});

Deno.test("include: a medium stands in the place of its id for tokens with media:read", async () => {
  await using test = await headless();
  const medium = await (await uploaded(test, "lamp.png")).json();
  await test.post({ title: "P", cover: medium.id, status: "published" });
  const both = await test.token({ scopes: ["posts:read", "media:read"] });
  const posts = await test.token({ scopes: ["*:read"] });

  const seen = await test.v1("GET", "/posts?include=cover&fields=title", { token: both });
  assertEquals(seen.json.data[0].cover, medium);
  const unseen = await test.v1("GET", "/posts?include=cover", { token: posts });
  assertEquals(unseen.json.data[0].cover, medium.id);
});

Deno.test("include: the secret of a preview shows the media of its document, and no others", async () => {
  await using test = await headless();
  await test.setUp();
  const medium = await (await uploaded(test, "lamp.png")).json();
  const { id } = await test.post({ title: "P", cover: medium.id });
  const { token } = (await test.admin("POST", `/documents/${id}/preview`)).json;

  const seen = await test.v1("GET", `/posts/${id}?include=cover`, { token });
  assertEquals([seen.status, seen.json.cover], [200, medium]);
  for (const path of ["/media", `/media/${medium.id}`, "/posts"]) {
    assertRefused(await test.v1("GET", path, { token }), 403, "FORBIDDEN");
  }
});

Deno.test("a medium whose bytes are missing answers 404 at its address", async () => {
  await using test = await headless();
  const { id, url } = await (await uploaded(test, "lamp.png")).json();
  assertEquals((await test.app.request(url)).status, 200);
  const medium = await findMedia(test.context, id);
  await test.context.objects.delete(mediaPath(medium!.object));
  assertEquals((await test.app.request(url)).status, 404);
});

Deno.test("media have entity tags: 304 for who has it, 412 for who has seen another state", async () => {
  await using test = await headless();
  const made = await uploaded(test, "lamp.png");
  const { id } = await made.json();
  const path = `/media/${id}`;
  const tagOf = async (of: string) => (await test.v1("GET", of)).headers.get("etag")!;
  const first = await tagOf(path);
  assertEquals(made.headers.get("etag"), first);
  const list = await tagOf("/media");
  for (const [of, etag] of [[path, first], ["/media", list]] as const) {
    assert(/^"[^"]+"$/.test(etag), "a strong one");
    const again = await test.v1("GET", of, { headers: { "if-none-match": `"x", ${etag}` } });
    assertEquals([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  }

  const patch = (alt: string, tag: string) =>
    test.v1("PATCH", path, { body: { alt }, headers: { "if-match": tag } });
  const changed = await patch("Another lamp", first);
  assertEquals([changed.status, changed.headers.get("etag")], [200, await tagOf(path)]);
  assertRefused(await patch("A third lamp", first), 412, "PRECONDITION_FAILED");
  assertEquals((await test.v1("GET", path, { headers: { "if-none-match": first } })).status, 200);
  assert(await tagOf("/media") !== list);
  const remove = (tag: string) => test.v1("DELETE", path, { headers: { "if-match": tag } });
  assertRefused(await remove(first), 412, "PRECONDITION_FAILED");
  assertEquals((await remove(changed.headers.get("etag")!)).status, 204);
  assertEquals((await remove(first)).status, 204, "deleted already");
});

Deno.test("media: size and type of a JSON body are checked before the scope", async () => {
  await using test = await headless();
  const token = await test.token({ scopes: ["posts:read"] });
  for (const [method, path] of [["POST", "/media"], ["PATCH", `/media/${NO_ID}`]] as const) {
    const write = (headers: Record<string, string>) =>
      test.v1(method, path, { token, raw: "{", headers });
    const type = { "content-type": "application/json" };
    assertRefused(await write({ "content-type": "text/plain" }), 415, "UNSUPPORTED_MEDIA_TYPE");
    const large = await write({ ...type, "content-length": "5000001" });
    assertRefused(large, 413, "PAYLOAD_TOO_LARGE");
    assertRefused(await write(type), 403, "FORBIDDEN");
  }
});
