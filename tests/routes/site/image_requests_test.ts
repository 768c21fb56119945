/** Images in any size, quality and format, private media with signed addresses, downloads. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { formOf } from "../../support/sites/media_app.ts";
import { ADA, type Answer } from "../../support/sites/app.ts";
import { headless } from "../../support/sites/headless.ts";
import { IMAGES } from "../../support/sites/images.ts";

async function site() {
  const test = await headless([]);
  await test.setUp();
  const upload = async (mime: keyof typeof IMAGES, more: Record<string, string> = {}) => {
    const body = formOf(IMAGES[mime], `a.${mime.slice(6)}`);
    for (const [name, value] of Object.entries(more)) body.append(name, value);
    const request = new Request("http://localhost/api/v1/media", {
      method: "POST",
      headers: { authorization: `Bearer ${test.full}` },
      body,
    });
    const response = await test.app.fetch(request);
    const json = await response.json();
    assertEquals(response.status, 201, JSON.stringify(json));
    return json;
  };
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await test.app.fetch(new Request(`http://localhost${path}`, { headers }));
    await response.body?.cancel();
    return {
      status: response.status,
      headers: response.headers,
      type: response.headers.get("content-type"),
      size: response.headers.get("x-image-size"),
    };
  };
  return { ...test, [Symbol.asyncDispose]: test[Symbol.asyncDispose], upload, get };
}

Deno.test("an image is answered in any quality and format, rounded up to a step", async () => {
  await using test = await site();
  const { url, width, height } = await test.upload("image/jpeg");
  const old = await test.get(`${url}?w=160`);
  assertEquals([old.status, old.type, old.headers.get("vary")], [200, "image/webp", null]);
  const jpeg = await test.get(`${url}?w=150&format=jpeg&q=33`);
  assertEquals([jpeg.status, jpeg.type], [200, "image/jpeg"]);
  const [wide] = (jpeg.size ?? "").split("x").map(Number);
  assertEquals(wide, Math.min(160, width));
  const accepts: [string, string][] = [
    ["image/avif,image/webp,*/*", "image/avif"],
    ["image/webp,*/*", "image/webp"],
    ["image/avif;q=0,image/webp", "image/webp"],
    ["*/*", "image/jpeg"],
  ];
  for (const [accept, type] of accepts) {
    const auto = await test.get(`${url}?w=160&format=auto`, { accept });
    assertEquals([auto.status, auto.type, auto.headers.get("vary")], [200, type, "Accept"], accept);
  }
  const square = await test.get(`${url}?w=160&crop=square&format=webp`);
  const side = Math.min(width, height, 160);
  assertEquals(square.size, `${side}x${side}`);
  const inside = await test.get(`${url}?w=4000&h=4000&fit=scale-down`);
  assertEquals(inside.size, `${width}x${height}`);
  const wrong = [
    "w=0",
    "w=4001",
    "h=x",
    "q=0",
    "q=101",
    "fit=fill",
    "format=gif",
    "crop=none",
    "crop=",
  ];
  for (const query of wrong) {
    assertEquals((await test.get(`${url}?${query}`)).status, 422, query);
  }
});

Deno.test("a file that has no other form is answered if it is about the size that was asked for", async () => {
  await using test = await site();
  const { url, width } = await test.upload("image/gif");
  const near = await test.get(`${url}?w=${width}&format=auto`);
  assertEquals([near.status, near.type, near.size], [200, "image/gif", null]);
  if (width > 2) assertEquals((await test.get(`${url}?w=1&format=auto`)).status, 415);
  await test.admin("PATCH", "/settings", { "images.transform_enabled": false });
  assertEquals((await test.get(`${url}?w=1&format=auto`)).status, 200);
});

Deno.test("download=1 makes a response a download", async () => {
  await using test = await site();
  const { url } = await test.upload("image/png");
  const plain = await test.get(url);
  const down = await test.get(`${url}?download=1`);
  assert(plain.headers.get("content-disposition")?.startsWith("inline"));
  assert(down.headers.get("content-disposition")?.startsWith("attachment"));
});

Deno.test("a private medium is answered at signed addresses only", async () => {
  await using test = await site();
  const medium = await test.upload("image/png", { private: "true" });
  const { id, url } = medium;
  assertEquals(medium.private, true);
  assertEquals((await test.get(url)).status, 404);
  assertEquals((await test.get(`/media/${id}/other.png`)).status, 404);
  const sign = (body: Record<string, string | number>, token = test.full) =>
    test.v1("POST", `/media/${id}/sign`, { body, token });
  const { status, json: signed } = await sign({ ttl: 60, w: 160, format: "webp" });
  assertEquals([status, signed.expiresAt], [200, Math.floor(test.context.now() / 1000) + 60]);
  const shown = await test.get(signed.url);
  assertEquals([shown.status, shown.type], [200, "image/webp"]);
  assertEquals(shown.headers.get("cache-control"), "private, max-age=60");
  const changed = [
    signed.url.replace("w=160", "w=320"),
    `${signed.url}&q=10`,
    signed.url.replace(/expires=\d+/, `expires=${signed.expiresAt + 1}`),
    signed.url.slice(0, -1),
    signed.url.replace(".png", ".jpg"),
  ];
  for (const other of changed) assertEquals((await test.get(other)).status, 404, other);
  assertEquals((await test.get(`${signed.url}&download=1`)).status, 200);
  for (const ttl of [0, 604_801]) assertEquals((await sign({ ttl })).status, 422);
  assertEquals((await sign({ w: 5_000 })).status, 422);
  const blind = await test.token({ scopes: ["posts:read"] });
  assertEquals((await sign({}, blind)).status, 403);
  assertEquals((await test.v1("GET", `/media/${id}`)).json.url, url);
  test.context.advance(61_000);
  assertEquals((await test.get(signed.url)).status, 404);
  const open = await test.v1("PATCH", `/media/${id}`, { body: { private: false } });
  assertEquals([open.status, open.json.private], [200, undefined]);
  assertEquals((await test.get(url)).status, 200);
  const closed = await test.admin("PATCH", `/media/${id}`, { private: true });
  assertEquals([closed.status, closed.json.private], [200, true]);
  assertEquals((await test.get(url)).status, 404);
});

Deno.test("the studio shows private media to signed-in users who may see media", async () => {
  await using test = await site();
  const { url } = await test.upload("image/png", { private: "true" });
  const cookieOf = (answer: Answer) => answer.headers.get("set-cookie")!.split(";")[0]!;
  const { email, password } = ADA;
  const signedIn = await test.call("POST", "/api/admin/session", { body: { email, password } });
  const cookie = cookieOf(signedIn);
  const shown = await test.get(`${url}?w=160`, { cookie });
  assertEquals([shown.status, shown.type], [200, "image/webp"]);
  assertEquals(shown.headers.get("cache-control"), "private, no-store");
  assertEquals((await test.get(url, { cookie: `${cookie}x` })).status, 404);
  const reader = {
    email: "r@example.org",
    displayName: "R",
    password: "a long password",
    roles: [],
  };
  assertEquals((await test.admin("POST", "/users", reader)).status, 201);
  const other = await test.call("POST", "/api/admin/session", {
    body: { email: reader.email, password: reader.password },
  });
  assertEquals((await test.get(url, { cookie: cookieOf(other) })).status, 404);
});
