import { assertEquals } from "@std/assert";
import { answered } from "../../../support/sites/admin_answers.ts";
import { callApp, secondApp, testApp } from "../../../support/sites/app.ts";
import {
  type Admin,
  download,
  finishJob,
  importTarball,
  setUpAdmin,
} from "../../../support/sites/backups.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { formOf } from "../../../support/sites/media_app.ts";

type Names = (query: string) => Promise<string[]>;

async function uploaded(admin: Admin, filename: string, mime: keyof typeof IMAGES) {
  return answered(
    await admin.ask("POST", "/media", undefined, formOf(IMAGES[mime], filename)),
    201,
  );
}

/** Two processes over one store, each of which has listed before. */
async function twoProcesses() {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  const other = secondApp(app.context);
  const names: Names = async (query) => {
    const lists = [];
    for (const one of [app.app, other.app]) {
      const headers = { cookie: admin.cookie };
      const { json } = await callApp(one, "GET", `/api/admin/media${query}`, { headers });
      lists.push(json.data.map(({ filename }: { filename: string }) => filename));
      assertEquals(json.meta.total, lists.at(-1)!.length);
    }
    assertEquals(lists[1], lists[0]);
    return lists[0]!;
  };
  await app.collection({
    slug: "posts",
    name: "Posts",
    fields: [{ name: "cover", type: "media" }],
  });
  return { app, admin, names };
}

Deno.test("an import leaves the lists and uses of media as the back-up has them", async () => {
  const { app, admin, names } = await twoProcesses();
  await using _ = app;
  const first = await uploaded(admin, "a.png", "image/png");
  await uploaded(admin, "b.jpg", "image/jpeg");
  const posts = { collection: "posts", title: "T", cover: first.id };
  const document = answered(await admin.ask("POST", "/documents", posts), 201);
  const before = await download(app, admin, { media: true });
  const third = await uploaded(admin, "c.gif", "image/gif");
  await admin.ask("PATCH", `/media/${first.id}`, { filename: "renamed.png" });
  await admin.ask("PATCH", `/documents/${document.id}`, { cover: third.id });
  assertEquals(await names("?unused=true&sort=filename"), ["b.jpg", "renamed.png"]);

  const job = await importTarball(app, admin, before);

  assertEquals(job.error, null);
  assertEquals(await names("?sort=filename"), ["a.png", "b.jpg"]);
  assertEquals(await names("?unused=true"), ["b.jpg"]);
  assertEquals((await admin.ask("GET", `/media/${first.id}/uses`)).json.meta.total, 1);
});

Deno.test("a restore of the site leaves the lists and uses of media as they were then", async () => {
  const { app, admin, names } = await twoProcesses();
  await using _ = app;
  const first = await uploaded(admin, "a.png", "image/png");
  const posts = { collection: "posts", title: "T", cover: first.id };
  const document = answered(await admin.ask("POST", "/documents", posts), 201);
  const then = Math.floor(app.context.now() / 1000);
  app.context.advance(10_000);
  await uploaded(admin, "b.jpg", "image/jpeg");
  await admin.ask("PATCH", `/documents/${document.id}`, { cover: null });
  await admin.ask("DELETE", `/media/${first.id}`);
  assertEquals(await names(""), ["b.jpg"]);
  app.context.advance(10_000);

  const { jobId } = answered(await admin.ask("POST", "/restore", { timestamp: then }), 202);
  const job = await finishJob(app, jobId);

  assertEquals(job.error, null);
  assertEquals(await names(""), ["a.png"]);
  assertEquals(await names("?unused=false"), ["a.png"]);
  assertEquals(await names("?deleted=true"), []);
});
