/** Folders and tags of media, changes of many at once, and media from an address. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { MEDIA_PREFIX } from "../../../../kv/objects/paths.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { callApp, secondApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { download, finishJob, importTarball, setUpAdmin } from "../../../support/sites/backups.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { formOf, objectKeys } from "../../../support/sites/media_app.ts";
import { pictureServer } from "../../../support/browser/picture_server.ts";

const GONE = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** An administrator, and media by the letters of their names. */
async function library() {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  const names = async (query: string): Promise<string> => {
    const { json } = await admin.ask("GET", `/media?sort=filename&${query}`);
    return json.data.map(({ filename }: { filename: string }) => filename[0]).join("");
  };
  const put = async (letter: string, fields: Record<string, string> = {}) => {
    const form = formOf(IMAGES["image/png"], `${letter}.png`, fields);
    return answered(await admin.ask("POST", "/media", undefined, form), 201);
  };
  return { app, admin, names, put };
}

Deno.test("media are put into folders and found there, below them, and outside of all", async () => {
  const { app, admin, names, put } = await library();
  await using _ = app;
  const a = await put("a", { folder: " Press / 2026/ " });
  assertEquals([a.folder, a.tags], ["Press/2026", undefined]);
  const b = await put("b", { folder: "Press" });
  const c = await put("c");
  assert(!("folder" in c) && !("tags" in c));
  await put("d", { folder: "Pressed" });

  const found = await Promise.all(
    ["folder=Press", "folder=Press/2026/", "folder=/", "folder=Pres", ""].map(names),
  );
  assertEquals(found, ["ab", "a", "c", "", "abcd"]);
  const { json: counts } = await admin.ask("GET", "/media/folders");
  assertEquals(counts, {
    folders: [
      { path: "Press", media: 2 },
      { path: "Press/2026", media: 1 },
      { path: "Pressed", media: 1 },
    ],
    tags: [],
  });
  const out = answered(await admin.ask("PATCH", `/media/${b.id}`, { folder: "", alt: "B" }), 200);
  assertEquals(["folder" in out, await names("folder=/")], [false, "bc"]);
  await admin.ask("DELETE", `/media/${a.id}`);
  assertEquals((await admin.ask("GET", "/media/folders")).json.folders.length, 1);
});

Deno.test("media are found by all of the tags that are asked for, whatever their case", async () => {
  const { app, admin, names, put } = await library();
  await using _ = app;
  const a = await put("a");
  const b = await put("b");
  const tagged = answered(
    await admin.ask("PATCH", `/media/${a.id}`, { tags: ["Lamp", " red  dot ", "LAMP"] }),
    200,
  );
  assertEquals(tagged.tags, ["Lamp", "red dot"]);
  const { json } = await admin.ask("POST", "/media/organize", {
    ids: [b.id, a.id, b.id, GONE],
    folder: "Press",
    addTags: ["lamp", "new"],
    removeTags: ["Red Dot"],
  });
  assertEquals(json, { organized: 2, missing: [GONE] });

  assertEquals((await admin.ask("GET", `/media/${a.id}`)).json.tags, ["Lamp", "new"]);
  const found = await Promise.all(
    ["tag=LAMP", "tag=new&tag=lamp", "tag=red+dot", "q=lam", "folder=Press"].map(names),
  );
  assertEquals(found, ["ab", "ab", "", "ab", "ab"]);
  const { tags } = (await admin.ask("GET", "/media/folders")).json;
  assertEquals(tags, [{ tag: "Lamp", media: 2 }, { tag: "new", media: 2 }]);
});

Deno.test("a folder is moved with everything below it, however much that is", async () => {
  const { app, admin, names, put } = await library();
  await using _ = app;
  const first = await put("a", { folder: "Press/2026" });
  for (let n = 0; n < 104; n++) await put("b", { folder: "Press" });
  const move = (from: string, to: string) => admin.ask("POST", "/media/folders/move", { from, to });

  assertEquals((await move("Press", "Archive/Old")).json, { moved: 100, remaining: 5 });
  assertEquals((await move("Press", "Archive/Old")).json, { moved: 5, remaining: 0 });
  assertEquals((await move("Press", "Archive/Old")).json, { moved: 0, remaining: 0 });

  assertEquals((await admin.ask("GET", `/media/${first.id}`)).json.folder, "Archive/Old/2026");
  assertEquals((await names("folder=Press")).length, 0);
  for (const to of ["Archive", "Archive/New", "1/2/3/4/5/6/7"]) {
    const { status, json } = await move("Archive", to);
    assertEquals([status, json.error.details[0].field], [422, "to"], to);
  }
  assertEquals((await move("", "Archive")).status, 422);
  const { moved } = (await move("Archive/Old/2026", "")).json;
  assertEquals([moved, await names("folder=/")], [1, "a"]);
});

Deno.test("bad folders and tags are refused by name and change nothing", async () => {
  const { app, admin, put } = await library();
  await using _ = app;
  const a = await put("a", { folder: "Press" });
  const refused: [string, Json, string][] = [
    ["folder", "a/../b", "PATTERN_MISMATCH"],
    ["folder", "a\u0000b", "PATTERN_MISMATCH"],
    ["folder", "a\u202eb", "PATTERN_MISMATCH"],
    ["folder", "x".repeat(301), "TOO_LONG"],
    ["folder", "1/2/3/4/5/6/7/8/9", "TOO_LONG"],
    ["folder", 7, "INVALID_TYPE"],
    ["tags.0", [" "], "TOO_SHORT"],
    ["tags.1", ["a", "x".repeat(61)], "TOO_LONG"],
    ["tags", Array.from({ length: 31 }, (_, n) => `t${n}`), "TOO_LONG"],
  ];
  for (const [field, value, code] of refused) {
    const { status, json } = await admin.ask("PATCH", `/media/${a.id}`, {
      [field.split(".")[0]!]: value,
      alt: "Changed",
    });
    const [detail] = json.error.details;
    assertEquals([status, detail.field, detail.code], [422, field, code]);
  }
  assertEquals((await admin.ask("GET", `/media/${a.id}`)).json, a);
  const form = formOf(IMAGES["image/gif"], "b.gif", { folder: ".." });
  assertEquals((await admin.ask("POST", "/media", undefined, form)).status, 422);
  assertEquals((await objectKeys(app.context, MEDIA_PREFIX)).length, 1);
  for (const body of [{ ids: [] }, { ids: ["x"] }, { ids: [a.id], nothing: 1 }, {}]) {
    assertEquals((await admin.ask("POST", "/media/organize", body)).status, 422);
  }
});

Deno.test("folders and tags are versioned: restored one by one, with the site, and by a back-up", async () => {
  const { app, admin, names, put } = await library();
  await using _ = app;
  const a = await put("a", { folder: "Press" });
  await admin.ask("PATCH", `/media/${a.id}`, { tags: ["lamp"] });
  const backup = await download(app, admin, { media: true });
  const then = Math.floor(app.context.now() / 1000);
  app.context.advance(10_000);
  await admin.ask("POST", "/media/organize", {
    ids: [a.id],
    folder: "Archive",
    removeTags: ["lamp"],
  });
  const { json } = await admin.ask("GET", `/versions/media_metadata/${a.id}`);
  assertEquals(json.data.length, 3);
  const restored = await admin.ask("POST", `/versions/${json.data[1].id}/restore`);
  assertEquals([restored.status, await names("folder=Press&tag=lamp")], [200, "a"]);
  await admin.ask("PATCH", `/media/${a.id}`, { folder: "", tags: [] });
  app.context.advance(10_000);

  const { jobId } = answered(await admin.ask("POST", "/restore", { timestamp: then }), 202);
  assertEquals((await finishJob(app, jobId)).error, null);
  assertEquals(await names("folder=Press&tag=lamp"), "a");

  await admin.ask("PATCH", `/media/${a.id}`, { folder: "Other" });
  assertEquals((await importTarball(app, admin, backup)).error, null);
  assertEquals(await names("folder=Press&tag=lamp"), "a");
});

Deno.test("POST /media/import fetches what an address answers, into a folder, once", async () => {
  const { app, admin } = await library();
  await using _ = app;
  const other = secondApp(app.context, { guard: { allowLocal: true } });
  const pictures = pictureServer();
  const post = (body: Json, query = "", one = other.app) =>
    callApp(one, "POST", `/api/admin/media/import${query}`, {
      body,
      headers: { cookie: admin.cookie, origin: "http://localhost" },
    });
  const url = `${pictures.at}/lamp%20two.png`;

  const made = await post({ url, alt: "Two", folder: "Press" });
  assertEquals(made.status, 201, made.text);
  const { filename, alt, folder, mime } = made.json;
  assertEquals([filename, alt, folder, mime], ["lamp two.png", "Two", "Press", "image/png"]);
  const present = await post({ url }, "?ifNew=true");
  assertEquals([present.status, present.json.id], [200, made.json.id]);

  for (const path of ["/page", "/huge", "/loop", "/nothing"]) {
    const { status, json } = await post({ url: pictures.at + path });
    assertEquals([status, json.error.details[0].field], [422, "url"], path);
  }
  assertEquals((await post({ url, folder: ".." })).status, 422);
  const guarded = await post({ url }, "", app.app);
  assertEquals([guarded.status, guarded.json.error.details[0].field], [422, "url"]);
  assertEquals((await objectKeys(app.context, MEDIA_PREFIX)).length, 1);
  await pictures.close();
});
