/** Media that are no pictures: taken where the settings say so, known by their bytes, served so that nothing runs. */
import { SNIFF_BYTES, sniffType } from "../../../../kv/media/file_bytes.ts";
import { FILE_MIMES, type FileMime } from "../../../../kv/model/values/file_type.ts";
import { MEDIA_MIMES } from "../../../../kv/model/entities/media.ts";
import { MEDIA_PREFIX } from "../../../../kv/objects/paths.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { type Admin, download, importTarball, setUpAdmin } from "../../../support/sites/backups.ts";
import { FILES } from "../../../support/harness/files.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { formOf, objectKeys } from "../../../support/sites/media_app.ts";

const ALL = ["pdf", "audio", "video", "office", "text", "archive"];
const PDF = FILES["application/pdf"];
const text = (words: string) => new TextEncoder().encode(words);

async function site(kinds: string[] = ALL): Promise<{ app: TestApp; admin: Admin }> {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  answered(await admin.ask("PATCH", "/settings", { "media.file_types": kinds }), 200);
  return { app, admin };
}

const post = (admin: Admin, bytes: Uint8Array, name: string) =>
  admin.ask("POST", "/media", undefined, formOf(bytes, name));

Deno.test("sniffType() knows each type by its beginning, and nothing that a browser runs", async () => {
  for (const [mime, bytes] of [...Object.entries(FILES), ...Object.entries(IMAGES)]) {
    assertEquals(await sniffType(bytes.subarray(0, SNIFF_BYTES)), mime);
  }
  const impostors = [
    "<!doctype html><script>alert(1)</script>",
    "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
    "<?xml version='1.0'?><x/>",
    "MZ\x90\0\x03",
    "PK\x03\x04",
    "#!/bin/sh\n",
    "",
    "\n \n",
    " \ufeff<script>alert(1)</script>",
    "%!PS-Adobe-3.0\n",
    "{\\rtf1 a}",
    "text\0",
    "PK\x05\x06" + "\0".repeat(18),
  ];
  for (const impostor of impostors) assertEquals(await sniffType(text(impostor)), null, impostor);
  assertEquals(await sniffType(Uint8Array.of(0x61, 0xe9, 0x62)), null);
  assertEquals(await sniffType(text("a,b\n1,2,3\n")), "text/plain");
  assertEquals(await sniffType(text("Dear all, one line\n")), "text/plain");
  // The head ends within a character, and within a line of a table.
  for (const letters of [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
    const long = text("x".repeat(letters) + "größe\t1\n".repeat(3_000));
    const head = long.subarray(0, SNIFF_BYTES);
    assertEquals(await sniffType(head), "text/csv", String(letters));
  }
});

Deno.test("only pictures are taken until a setting allows more, and then only its kinds", async () => {
  const { app, admin } = await site([]);
  await using _ = app;
  assertEquals((await admin.ask("GET", "/media/limits")).json.allowedMimes, [...MEDIA_MIMES]);
  for (const mime of FILE_MIMES) {
    const { status, json } = await post(admin, FILES[mime], "file.png");
    assertEquals([status, json.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"], mime);
  }
  assertEquals(await objectKeys(app.context, MEDIA_PREFIX), []);

  answered(await admin.ask("PATCH", "/settings", { "media.file_types": ["pdf"] }), 200);
  const { allowedMimes } = (await admin.ask("GET", "/media/limits")).json;
  assertEquals(allowedMimes, [...MEDIA_MIMES, "application/pdf"]);
  for (const mime of FILE_MIMES) {
    const expected = mime === "application/pdf" ? 201 : 415;
    assertEquals((await post(admin, FILES[mime], "file")).status, expected, mime);
  }
  for (const name of ["a.html", "a.svg", "a.pdf.js"]) {
    assertEquals((await post(admin, PDF, name)).status, 415, name);
  }
  for (const bad of [["html"], "pdf", ["pdf", "pdf"]]) {
    assertEquals((await admin.ask("PATCH", "/settings", { "media.file_types": bad })).status, 422);
  }
});

Deno.test("files are served by their own type, unsniffed, in parts, and only sound and films in place", async () => {
  const { app, admin } = await site();
  await using _ = app;
  for (const mime of FILE_MIMES) {
    const made = answered(await post(admin, FILES[mime], "Fest ü.exe"), 201);
    assertEquals([made.mime, made.width, made.height], [mime, 0, 0]);
    const answer = await app.app.request(`${made.url}?w=640`);
    assertEquals(new Uint8Array(await answer.arrayBuffer()), FILES[mime]);
    const { headers } = answer;
    assertEquals(headers.get("content-type"), mime);
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    assertEquals(headers.get("content-security-policy"), "default-src 'none'; sandbox");
    const disposition = headers.get("content-disposition")!;
    const inPlace = /^(?:audio|video)\//.test(mime);
    assertEquals(disposition.startsWith("inline"), inPlace, mime);
    assertEquals(disposition.startsWith("attachment"), !inPlace, mime);
    assert(/Fest%20%C3%BC\.exe\.[a-z0-9]{3,4}$/.test(disposition), disposition);
    const part = await app.app.request(made.url, { headers: { range: "bytes=2-5" } });
    assertEquals([part.status, part.headers.get("content-length")], [206, "4"]);
    assertEquals(new Uint8Array(await part.arrayBuffer()), FILES[mime].slice(2, 6));
  }
});

Deno.test("a file is replaced only by one of its kind, and misses no alternative text", async () => {
  const { app, admin } = await site();
  await using _ = app;
  const picture = answered(await post(admin, IMAGES["image/png"], "a.png"), 201);
  const song = answered(await post(admin, FILES["audio/mpeg"], "a.mp3"), 201);
  const { json: undescribed } = await admin.ask("GET", "/media?alt=missing");
  assertEquals(undescribed.data.map(({ id }: { id: string }) => id), [picture.id]);
  const put = async (id: string, bytes: Uint8Array) =>
    (await admin.ask("PUT", `/media/${id}/file`, undefined, formOf(bytes, "b"))).status;
  assertEquals(await put(picture.id, PDF), 415);
  assertEquals(await put(song.id, IMAGES["image/png"]), 415);
  assertEquals(await put(song.id, FILES["audio/flac"]), 200);
  const { mime, filename } = (await admin.ask("GET", `/media/${song.id}`)).json;
  assertEquals([mime, filename], ["audio/flac", "a.mp3.flac"]);
});

Deno.test("a field takes files only where it names their types, and pages show them as what they are", async () => {
  const { app, admin } = await site();
  await using _ = app;
  const of = async (mime: FileMime, name: string) =>
    answered(await post(admin, FILES[mime], name), 201).id as string;
  const pdf = await of("application/pdf", "plan.pdf");
  const song = await of("audio/mpeg", "song.mp3");
  const film = await of("video/mp4", "film.mp4");
  const files = ["plan", "song", "film"].map((name) => ({
    name,
    type: "media",
    options: { mimes: [...FILE_MIMES] },
  }));
  const fields = [...files, { name: "cover", type: "media" }];
  answered(await admin.ask("POST", "/collections", { slug: "posts", name: "Posts", fields }), 201);
  const facts = { collection: "posts", title: "Plans", status: "published" };
  const refused = await admin.ask("POST", "/documents", { ...facts, cover: pdf });
  assertEquals([refused.status, refused.json.error.details[0].field], [422, "cover"]);

  answered(await admin.ask("POST", "/documents", { ...facts, plan: pdf, song, film }), 201);
  await app.runner.drain();
  const html = await (await app.app.request("/posts/plans")).text();
  assert(html.includes(`<a href="/media/${pdf}/plan.pdf">plan.pdf</a>`), html);
  assert(html.includes(`<audio controls preload="none" src="/media/${song}/song.mp3">`), html);
  assert(html.includes(`<video controls preload="metadata" src="/media/${film}/film.mp4">`));
  assert(!html.includes("og:image") && !html.includes("<img"));
  const markdown = await (await app.app.request("/posts/plans.md")).text();
  assert(markdown.includes("[plan.pdf](") && !markdown.includes("!["), markdown);
});

Deno.test("a backup restores files with their bytes, whatever the setting is at that time", async () => {
  const { app, admin } = await site();
  await using _ = app;
  const { id, url } = answered(await post(admin, PDF, "plan.pdf"), 201);
  const backup = await download(app, admin, { media: true });
  answered(await admin.ask("PATCH", "/settings", { "media.file_types": [] }), 200);
  await admin.ask("DELETE", `/media/${id}`);
  for (const key of await objectKeys(app.context, MEDIA_PREFIX)) {
    await app.context.objects.delete(key);
  }
  assertEquals((await importTarball(app, admin, backup)).error, null);
  const answer = await app.app.request(url);
  assertEquals(new Uint8Array(await answer.arrayBuffer()), PDF);
});
