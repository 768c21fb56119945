import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "../../support/harness/assert.ts";
import { type Answer, callApp, type TestApp, testApp } from "../../support/sites/app.ts";
import {
  type Admin,
  download,
  finishJob,
  importTarball,
  signIn,
} from "../../support/sites/backups.ts";
import { install, packageOf, publisher, themeParts, trust } from "../../support/sites/packages.ts";

async function setUp(app: TestApp): Promise<Admin> {
  await app.setUp();
  return await signIn(app);
}

function screen(app: TestApp, { cookie }: Admin, path: string): Promise<Answer> {
  return callApp(app.app, "GET", `/admin${path}`, { headers: { cookie } });
}

/** The words of a job's page, among which is no notation of the program. */
async function wordsOf(app: TestApp, admin: Admin, jobId: string): Promise<string> {
  const { status, text } = await screen(app, admin, `/jobs/${jobId}`);
  assertEquals(status, 200);
  const main = /<main[^]*<\/main>/.exec(text)![0];
  assert(!/[{}]|\bId\b|true|false/.test(main.replaceAll(/<[^>]*>/g, " ")), main);
  return main.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
}

async function exported(app: TestApp, admin: Admin): Promise<string> {
  const { json } = await admin.ask("POST", "/exports", { media: true });
  await finishJob(app, json.jobId);
  return json.jobId;
}

Deno.test("GET /admin/jobs/:id of a back-up says what it holds and offers it", async () => {
  await using app = await testApp();
  const admin = await setUp(app);

  const words = await wordsOf(app, admin, await exported(app, admin));

  assertMatch(words, /The backup is ready: \d+ rows, with files, \d+ kB\./);
  assertStringIncludes(words, "Download");
});

Deno.test("GET /admin/jobs/:id of an import says what the site is now", async () => {
  await using app = await testApp();
  const admin = await setUp(app);
  const tarball = await download(app, admin);

  const job = await importTarball(app, admin, tarball);

  const words = await wordsOf(app, admin, job.id);
  assertMatch(words, /The backup is restored: \d+ rows\. The previous state is in a/);
});

Deno.test("GET /admin/jobs/:id of an installation names the installed package", async () => {
  await using app = await testApp();
  const admin = await setUp(app);
  await trust(app, [publisher()]);

  const { id } = await install(app, "themes", await packageOf(themeParts("Midnight")));

  const words = await wordsOf(app, admin, id);
  assertMatch(words, /The theme com\.acme\.\S+ 1\.0\.0 is installed\. All themes/);
});

Deno.test("GET /admin/jobs names the document of a job", async () => {
  await using app = await testApp();
  const admin = await setUp(app);
  await admin.ask("POST", "/collections", { slug: "posts", name: "Posts", fields: [] });
  const { json } = await admin.ask("POST", "/documents", {
    collection: "posts",
    title: "The lamp room",
    status: "published",
  });
  assertEquals(json.status, "published");

  const { text } = await screen(app, admin, "/jobs?type=PUBLISH");

  assertMatch(text, /Publish<\/a><p class="muted clip">The lamp room</);
});

Deno.test("GET /admin/jobs/:id of an export for another system offers its file", async () => {
  await using app = await testApp();
  const admin = await setUp(app);
  await admin.ask("POST", "/collections", { slug: "notes", name: "Notes" });
  await admin.ask("POST", "/documents", { collection: "notes", title: "A note" });
  const { json } = await admin.ask("POST", "/transfers/export", { kind: "json" });
  await finishJob(app, json.jobId);

  const words = await wordsOf(app, admin, json.jobId);

  assertMatch(words, /The export is ready: 1 document, \d+ bytes\.Download/);
});
