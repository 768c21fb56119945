/** Backups hold what rows of other systems have become: a later export changes what a restored site has. */
import { answered } from "../../../support/sites/admin_answers.ts";
import {
  ADMIN,
  changedTarball,
  download,
  filesOf,
  importTarball,
  signIn,
  tablesOf,
} from "../../../support/sites/backups.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { apiServer } from "../../../support/transfers/api_server.ts";
import { zipOf } from "../../../support/transfers/archives.ts";
import {
  formOf,
  type TransferSite,
  transferSite,
} from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import type { TransferChange } from "../../../../kv/transfers/transfer_changes.ts";

/** An export with posts of these ids and titles; the first has a picture. */
async function exportOf(posts: Record<string, string>): Promise<[string, Uint8Array]> {
  const rows = Object.entries(posts).map(([id, title], n) => ({
    id,
    title,
    slug: `post-${n}`,
    type: "post",
    status: "published",
    html: "<p>Hi</p>",
    feature_image: n === 0 ? "__GHOST_URL__/content/images/a.png" : null,
    published_at: "2020-01-01T00:00:00.000Z",
  }));
  const text = JSON.stringify({ db: [{ meta: {}, data: { posts: rows } }] });
  const files = { "blog.json": text, "content/images/a.png": IMAGES["image/png"] };
  return ["blog.zip", await zipOf(files)];
}

/** Ids whose order differs between code units and bytes. */
const FIRST = { a: "One", "\u{1d4b3}": "Two", "\ufb01": "Three", "": "Four" };
const LATER = { ...FIRST, a: "One, changed", z: "New" };

async function transferred(site: TransferSite, posts: Record<string, string>) {
  const planned = await site.analysed([await exportOf(posts)]);
  return await site.run(planned.id);
}

async function mediaIds(site: TransferSite): Promise<string[]> {
  const { data } = answered(await site.admin("GET", "/media"), 200);
  return data.map(({ id }: { id: string }) => id);
}

const titlesOf = async (site: TransferSite) =>
  (await site.documents("posts")).map(({ title }) => title).sort();

Deno.test("a later export changes the documents of a restored site, and the restored transfer can be undone", async () => {
  await using from = await transferSite();
  const { id, report } = await transferred(from, FIRST);
  assertEquals([report.created, report.failed], [4, 0]);
  const tarball = await download(from, await signIn(from, ADMIN), { media: true });
  await using to = await transferSite();
  const admin = await signIn(to, ADMIN);

  const job = await importTarball(to, admin, tarball);

  assertEquals(job.error, null);
  assertEquals(
    await tablesOf(await download(to, admin, { media: true })),
    await tablesOf(tarball),
  );
  const media = await mediaIds(to);
  const later = await transferred(to, LATER);
  assertEquals([later.report.created, later.report.updated, later.report.unchanged], [1, 1, 3]);
  assertEquals(await titlesOf(to), ["Four", "New", "One, changed", "Three", "Two"]);
  assertEquals(await mediaIds(to), media);

  const restored = await to.transfer(id);
  assertEquals([restored.state, restored.plan.sourceKey], ["done", "blog:ghost"]);
  answered(await to.admin("POST", `/transfers/${id}/undo`), 202);
  await to.runner.drain();
  assertEquals((await to.transfer(id)).state, "undone");
  // What the later transfer has changed or created stays.
  const kept = (await to.documents("posts")).filter(({ status }) => status !== "trashed");
  assertEquals(kept.map(({ title }) => title).sort(), ["New", "One, changed"]);
});

Deno.test("the plan of a restored transfer runs with a later export", async () => {
  await using from = await transferSite();
  const { id } = await transferred(from, FIRST);
  const tarball = await download(from, await signIn(from, ADMIN), { media: true });
  await using to = await transferSite();
  await importTarball(to, await signIn(to, ADMIN), tarball);

  const form = formOf([await exportOf(LATER)]);
  answered(await to.admin("POST", `/transfers/${id}/files`, undefined, { raw: form }), 202);
  await to.runner.drain();

  const { state, report } = await to.transfer(id);
  assertEquals([state, report.created, report.updated, report.unchanged], ["done", 1, 1, 3]);
});

Deno.test("an import over a site takes marks and journals of transfers from the backup", async () => {
  await using site = await transferSite();
  const { id } = await transferred(site, FIRST);
  const admin = await signIn(site, ADMIN);
  const tarball = await download(site, admin, { media: true });
  const later = await transferred(site, LATER);
  assertEquals([later.report.created, later.report.updated], [1, 1]);

  assertEquals((await importTarball(site, admin, tarball)).error, null);

  assertEquals(await titlesOf(site), ["Four", "One", "Three", "Two"]);
  const prefix = ["transfer_change", later.id];
  assertEquals(await site.context.store.listAll<TransferChange>({ prefix }), []);
  const again = await transferred(site, LATER);
  assertEquals([again.report.created, again.report.updated, again.report.unchanged], [1, 1, 3]);
  assertEquals((await titlesOf(site)).length, 5);
  // A transfer that the site still has keeps its files.
  assertEquals((await site.run(id, { dryRun: true })).report.failed, 0);
});

Deno.test("after a backup of an earlier release, marks of what it holds stay", async () => {
  await using site = await transferSite();
  await transferred(site, FIRST);
  const admin = await signIn(site, ADMIN);
  const whole = await download(site, admin);
  await transferred(site, LATER);
  const tables = ["transfer", "transferred", "transfer_change"];
  const gone = Object.fromEntries(tables.map((name) => [`tables/${name}.jsonl`, null]));
  const earlier = await changedTarball(whole, {
    ...gone,
    "manifest.json": (text) => {
      const manifest = JSON.parse(text);
      for (const table of tables) delete manifest.tables[table];
      return JSON.stringify(manifest);
    },
  });

  assertEquals((await importTarball(site, admin, earlier)).error, null);

  const again = await transferred(site, LATER);
  assertEquals([again.report.created, again.report.updated, again.report.unchanged], [1, 1, 3]);
  assertEquals((await titlesOf(site)).length, 5);
});

Deno.test("neither tokens nor addresses of live sources are in a backup, and a redacted one has nothing of transfers", async () => {
  await using site = await transferSite({ guard: { allowLocal: true } });
  await using server = apiServer(({ pathname }) => {
    const field = { collection: "posts", field: "title", type: "string", meta: {} };
    const lists: Record<string, object[]> = {
      "/fields": [field],
      "/relations": [],
      "/files": [],
      "/items/posts": [{ id: 1, title: "One" }],
    };
    return lists[pathname] && { data: lists[pathname] } as never;
  });
  const body = { kind: "directus", url: server.origin, token: "secret-token", name: "Old site" };
  const { id } = answered(await site.admin("POST", "/transfers", body), 202);
  await site.runner.drain();
  assertEquals((await site.run(id)).report.created, 1);
  const admin = await signIn(site, ADMIN);

  const files = await filesOf(await download(site, admin));
  const redacted = await filesOf(await download(site, admin, { redacted: true }));

  const record = JSON.parse(files.get("tables/transfer.jsonl") ?? "");
  assertEquals([record.id, record.state, "token" in record, "url" in record], [
    id,
    "done",
    false,
    false,
  ]);
  for (const [name, text] of files) {
    assert(!text.includes("secret-token") && !text.includes(server.origin), name);
  }
  const tables = ["transfer", "transferred", "transfer_change"];
  assertEquals(tables.map((name) => redacted.get(`tables/${name}.jsonl`)), ["", "", ""]);
});
