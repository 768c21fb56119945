/** Media that programs write: from an address, and once however often the same request comes. */

import { mediaPath } from "../../../../kv/objects/paths.ts";
import { findMedia } from "../../../../kv/media/media.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, type Headless, headless } from "../../../support/sites/headless.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { pictureServer } from "../../../support/browser/picture_server.ts";

const PNG = IMAGES["image/png"] as Uint8Array<ArrayBuffer>;
const GIF = IMAGES["image/gif"] as Uint8Array<ArrayBuffer>;

const withKey = (key: string) => ({ "idempotency-key": key });

function formOf(bytes: Uint8Array<ArrayBuffer>, alt = "A lamp"): FormData {
  const form = new FormData();
  form.set("file", new File([bytes], "lamp.png"));
  form.set("alt", alt);
  return form;
}

const upload = (test: Headless, form: FormData, key: string) =>
  test.v1("POST", "/media", { raw: form, headers: withKey(key) });

Deno.test("POST /media with a URL fetches the picture, and reports errors on url", async () => {
  await using test = await headless();
  const { app } = secondApp(test.context, { guard: { allowLocal: true } });
  const pictures = pictureServer();
  const post = (body: Record<string, string>) =>
    callApp(app, "POST", "/api/v1/media", { token: test.full, body });

  const made = await post({ url: `${pictures.at}/lamp%20two.png`, alt: "Two" });
  assertEquals(made.status, 201, made.text);
  assertEquals([made.json.mime, made.json.alt, made.json.filename], [
    "image/png",
    "Two",
    "lamp two.png",
  ]);
  assertEquals(made.headers.get("location"), `/api/v1/media/${made.json.id}`);
  assertEquals((await test.app.request(made.json.url)).status, 200);
  assertEquals((await post({ url: `${pictures.at}/moved` })).status, 201);
  for (const path of ["/page", "/huge", "/loop", "/nothing"]) {
    const answer = await post({ url: pictures.at + path });
    assertRefused(answer, 422, "VALIDATION_FAILED", ["url PATTERN_MISMATCH"]);
  }
  assertRefused(await post({}), 422, "VALIDATION_FAILED", ["url REQUIRED"]);
  await pictures.close();
});

Deno.test("POST /media under an Idempotency-Key makes one medium of a form that is sent again", async () => {
  await using test = await headless();

  const first = await upload(test, formOf(PNG), "form");
  const again = await upload(test, formOf(PNG), "form");

  assertEquals([first.status, again.status, again.text], [201, 201, first.text]);
  assertEquals(again.headers.get("location"), first.headers.get("location"));
  assertEquals(first.headers.get("idempotency-replayed"), null);
  assertEquals(again.headers.get("idempotency-replayed"), "true");
  assertEquals((await test.v1("GET", "/media")).json.meta.total, 1);
  const medium = await findMedia(test.context, first.json.id);
  assert(await test.context.objects.head(mediaPath(medium!.object)) !== null);
  for (const form of [formOf(PNG, "Other words"), formOf(GIF)]) {
    assertRefused(await upload(test, form, "form"), 422, "IDEMPOTENCY_KEY_REUSED");
  }
});

Deno.test("POST /media under an Idempotency-Key does not fetch an address again", async () => {
  await using test = await headless();
  const { app } = secondApp(test.context, { guard: { allowLocal: true } });
  const pictures = pictureServer();
  const call = {
    token: test.full,
    body: { url: `${pictures.at}/lamp%20two.png` },
    headers: withKey("address"),
  };

  const first = await callApp(app, "POST", "/api/v1/media", call);
  const again = await callApp(app, "POST", "/api/v1/media", call);

  assertEquals([again.status, again.text], [201, first.text]);
  assertEquals([...pictures.counts.values()], [1]);
  await pictures.close();
});

Deno.test("PATCH and DELETE /media/{id} under an Idempotency-Key write once", async () => {
  await using test = await headless();
  const { json: { id } } = await upload(test, formOf(PNG), "made");
  const path = `/media/${id}`;
  const patch = { body: { alt: "One" }, headers: withKey("patch") };

  const first = await test.v1("PATCH", path, patch);
  await test.v1("PATCH", path, { body: { alt: "Two" } });
  const again = await test.v1("PATCH", path, patch);

  assertEquals([again.status, again.text], [200, first.text]);
  assertEquals((await test.v1("GET", path)).json.alt, "Two");
  const same = { body: { alt: "Two" }, headers: withKey("same") };
  await test.v1("PATCH", path, same);
  const repeated = await test.v1("PATCH", path, same);
  assertEquals(repeated.headers.get("idempotency-replayed"), "true");
  for (const expected of [null, "true"]) {
    const gone = await test.v1("DELETE", path, { headers: withKey("gone") });
    assertEquals([gone.status, gone.headers.get("idempotency-replayed")], [204, expected]);
  }
  const other = { body: { alt: "Three" }, headers: withKey("gone") };
  assertRefused(await test.v1("PATCH", path, other), 422, "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("a medium that was refused leaves its Idempotency-Key free", async () => {
  await using test = await headless();

  const refused = await upload(test, formOf(new Uint8Array([1, 2, 3])), "free");
  const made = await upload(test, formOf(PNG), "free");

  assertRefused(refused, 415, "UNSUPPORTED_MEDIA_TYPE");
  assertEquals(made.status, 201);
});
