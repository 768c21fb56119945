import { MEDIA_BYTES_MAX } from "../../../../kv/limits/media.ts";
import { MEDIA_PREFIX } from "../../../../kv/objects/paths.ts";
import { callApp, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals, assertStringIncludes } from "../../../support/harness/assert.ts";
import {
  type Admin,
  download,
  importTarball,
  setUpAdmin,
  tarballOf,
} from "../../../support/sites/backups.ts";
import { IMAGES, talkativeJpeg } from "../../../support/sites/images.ts";
import { formOf } from "../../../support/sites/media_app.ts";
import { SIGNED_PICTURES } from "../../../support/signed_pictures.ts";

const PNG = IMAGES["image/png"];
const GIF = IMAGES["image/gif"];

/** Begins as a JPEG and stops being one long before its end. */
const BROKEN = new Uint8Array(2_000_000);
BROKEN.set(talkativeJpeg(1).slice(0, 24));

async function upload(app: TestApp, { cookie }: Admin, form: FormData, path = "/media") {
  const { status, json, text } = await callApp(app.app, "POST", `/api/admin${path}`, {
    raw: form,
    headers: { cookie },
  });
  return { status, json, text };
}

/** A site whose back-up, without the images themselves, went to a machine that has none of them. */
async function movedWithoutImages(app: TestApp, other: TestApp) {
  const before = await setUpAdmin(app);
  const { json: photo } = await upload(app, before, formOf(talkativeJpeg(1), "photo.jpg"));
  const { json: mark } = await upload(app, before, formOf(PNG, "mark.png"));
  const { json: again } = await upload(app, before, formOf(PNG, "mark-again.png"));
  const bare = await download(app, before);
  const whole = await download(app, before, { media: true });
  const admin = await setUpAdmin(other);
  const job = await importTarball(other, admin, bare);
  assertEquals(job.state, "done", `${job.error}`);
  return { admin, whole, urls: [photo.url, mark.url, again.url] as string[] };
}

async function statuses(app: TestApp, urls: string[]): Promise<number[]> {
  return await Promise.all(urls.map(async (url) => (await callApp(app.app, "GET", url)).status));
}

async function missing(admin: Admin): Promise<string[]> {
  const { json } = await admin.ask("GET", "/media/missing");
  const names = json.data.map(({ filename }: { filename: string }) => filename);
  assertEquals(json.meta.total, names.length);
  return names.sort();
}

Deno.test("GET /api/admin/media/missing lists what a back-up without images did not bring", async () => {
  await using app = await testApp();
  await using other = await testApp();

  const { admin, urls } = await movedWithoutImages(app, other);

  assertEquals(await missing(admin), ["mark-again.png", "mark.png", "photo.jpg"]);
  assertEquals(await statuses(other, urls), [404, 404, 404]);
  const { json } = await admin.ask("GET", "/media/missing?perPage=1&page=2");
  assertEquals([json.data.length, json.meta], [1, { page: 2, perPage: 1, total: 3 }]);
});

Deno.test("POST /api/admin/media/missing brings bytes to all media that miss them, by digest", async () => {
  await using app = await testApp();
  await using other = await testApp();
  const { admin, urls } = await movedWithoutImages(app, other);

  // The picture as it was taken: what is stored of it lacks the place.
  const photo = await upload(other, admin, formOf(talkativeJpeg(1), "x.jpg"), "/media/missing");
  const mark = await upload(other, admin, formOf(PNG, "some.png"), "/media/missing");
  const again = await upload(other, admin, formOf(PNG, "some.png"), "/media/missing");

  assertEquals(photo.json, { restored: 1, replaced: 0, unneeded: 0 }, photo.text);
  assertEquals(mark.json, { restored: 1, replaced: 0, unneeded: 0 });
  assertEquals(again.json, { restored: 0, replaced: 0, unneeded: 1 });
  assertEquals(await missing(admin), []);
  assertEquals(await statuses(other, urls), [200, 200, 200]);
  const objects = await Array.fromAsync(other.context.objects.list(MEDIA_PREFIX));
  assertEquals(objects.length, 2, "what was uploaded is left behind");
});

Deno.test("POST /api/admin/media/missing takes other bytes of the same name for what misses its own", async () => {
  await using app = await testApp();
  await using other = await testApp();
  const { admin, urls } = await movedWithoutImages(app, other);

  const { json } = await upload(other, admin, formOf(GIF, "mark.png"), "/media/missing");

  assertEquals(json, { restored: 0, replaced: 1, unneeded: 0 });
  assertEquals(await missing(admin), ["mark-again.png", "photo.jpg"]);
  const { json: { data } } = await admin.ask("GET", "/media?q=mark.gif");
  assertEquals(data.length, 1);
  assertEquals(await statuses(other, [data[0].url, urls[0]!]), [200, 404]);
});

Deno.test("POST /api/admin/media/missing/archive takes a back-up with its images, or a packed folder", async () => {
  await using app = await testApp();
  await using other = await testApp();
  const { admin, whole, urls } = await movedWithoutImages(app, other);
  const folder = await tarballOf([
    { name: "pictures/", type: "directory" },
    { name: "pictures/notes.txt", body: "No picture" },
    { name: "pictures/film.mov", body: new Uint8Array(MEDIA_BYTES_MAX + 1) },
    { name: "pictures/broken.jpg", body: BROKEN },
    { name: "pictures/mark.png", body: PNG },
  ]);

  const first = await admin.ask("POST", "/media/missing/archive", undefined, folder);
  const left = await missing(admin);
  const second = await admin.ask("POST", "/media/missing/archive", undefined, whole);

  assertEquals(first.json, { restored: 1, replaced: 0, unneeded: 0 }, first.text);
  assertEquals(left, ["photo.jpg"]);
  assertEquals(second.json, { restored: 1, replaced: 0, unneeded: 1 }, second.text);
  assertEquals(await missing(admin), []);
  assertEquals(await statuses(other, urls), [200, 200, 200]);
});

Deno.test("POST /api/admin/media/missing brings a file as an earlier release has stored it", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("PATCH", "/settings", { "media.keepCredentials": true });
  const signed = SIGNED_PICTURES["image/jpeg"];
  const { json: medium } = await upload(app, admin, formOf(signed, "lake.jpg"));
  assertEquals(medium.bytes, signed.byteLength);
  const archive = await download(app, admin, { media: true });
  await admin.ask("PATCH", "/settings", { "media.keepCredentials": false });
  const lose = async () => {
    for await (const { key } of app.context.objects.list(MEDIA_PREFIX)) {
      await app.context.objects.delete(key);
    }
    assertEquals(await missing(admin), ["lake.jpg"]);
  };

  await lose();
  const one = await upload(app, admin, formOf(signed, "other.jpg"), "/media/missing");
  assertEquals(one.json, { restored: 1, replaced: 0, unneeded: 0 });
  assertEquals(await statuses(app, [medium.url, medium.credentials.url]), [200, 200]);

  await lose();
  const many = await admin.ask("POST", "/media/missing/archive", undefined, archive);
  assertEquals(many.json, { restored: 1, replaced: 0, unneeded: 0 });
  assertEquals(await statuses(app, [medium.url, medium.credentials.url]), [200, 200]);
  const objects = await Array.fromAsync(app.context.objects.list(MEDIA_PREFIX));
  assertEquals(objects.map(({ bytes }) => bytes).sort((a, b) => a - b), [
    medium.credentials.bytes,
    medium.bytes,
  ]);
});

Deno.test("POST /api/admin/media/missing/archive reports faults of an archive", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);

  const text = await admin.ask("POST", "/media/missing/archive", undefined, new Uint8Array([1, 2]));
  const plain = await callApp(app.app, "POST", "/api/admin/media/missing/archive", {
    raw: "words",
    headers: { cookie: admin.cookie, "content-type": "text/plain" },
  });

  assertEquals([text.status, text.json.error.code], [400, "BODY_INVALID"]);
  assertEquals(plain.status, 415);
});

Deno.test("GET /admin/back-ups and the page of the import offer to upload missing files", async () => {
  await using app = await testApp();
  await using other = await testApp();
  const { admin } = await movedWithoutImages(app, other);
  const { json: { data: [job] } } = await admin.ask("GET", "/jobs?type=IMPORT");

  for (const path of ["/admin/back-ups", `/admin/jobs/${job.id}`]) {
    const { text } = await callApp(other.app, "GET", path, { headers: { cookie: admin.cookie } });
    assertStringIncludes(text, 'data-island="missing-media"');
  }
});

Deno.test("POST /api/admin/media?ifNew=true answers the medium that has the bytes already", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const { json: first } = await upload(app, admin, formOf(PNG, "mark.png"));

  const same = await upload(app, admin, formOf(PNG, "other.png"), "/media?ifNew=true");
  const kept = await upload(app, admin, formOf(PNG, "other.png"), "/media?ifNew=false");
  const other = await upload(app, admin, formOf(GIF, "other.gif"), "/media?ifNew=true");
  const wrong = await upload(app, admin, formOf(GIF, "other.gif"), "/media?ifNew=yes");

  assertEquals([same.status, same.json], [200, first]);
  assertEquals([kept.status, other.status, wrong.status], [201, 201, 422]);
  assert(kept.json.id !== first.id);
  const objects = await Array.fromAsync(app.context.objects.list(MEDIA_PREFIX));
  assertEquals(objects.length, 2, "what was uploaded is left behind");
});

Deno.test("POST /api/admin/media?ifNew=true makes a medium of bytes that are only in the trash", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const { json: first } = await upload(app, admin, formOf(PNG, "mark.png"));
  await admin.ask("DELETE", `/media/${first.id}`);

  const again = await upload(app, admin, formOf(PNG, "mark.png"), "/media?ifNew=true");

  assertEquals(again.status, 201);
});

Deno.test("POST /api/admin/media?ifNew=true of the same bytes at the same time makes one medium", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);

  const uploads = await Promise.all(
    Array.from({ length: 8 }, () => upload(app, admin, formOf(PNG), "/media?ifNew=true")),
  );

  assertEquals(new Set(uploads.map(({ json }) => json.id)).size, 1);
  assertEquals(uploads.filter(({ status }) => status === 201).length, 1);
});
