/** What a later run does about documents that were deleted, and about kinds of rows that are named like files. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { zipOf } from "../../../support/transfers/archives.ts";
import {
  formOf,
  type TransferSite,
  transferSite,
} from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { addAnyJob } from "../../../support/harness/any_job.ts";
import { MEDIA_RETENTION_SECONDS } from "../../../../kv/model/entities/media.ts";
import { takeInstant } from "../../../../kv/backup/rows.ts";
import { transferLines } from "../../../../kv/backup/transfer_rows.ts";
import type { TransferredLine } from "../../../../kv/model/entities/backup.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { FILE_KIND, FORMER_FILE_KIND } from "../../../../kv/transfers/file_marks.ts";
import { transferredPrefix } from "../../../../kv/transfers/transfer_keys.ts";

const TABLE = "id,title\n1,One\n2,Two\n3,Three\n";

async function remove(site: TransferSite, id: string): Promise<void> {
  answered(await site.admin("DELETE", `/documents/${id}`), 204);
  answered(await site.admin("POST", `/documents/${id}/remove`), 204);
  await site.runner.drain();
}

Deno.test("a row whose document was deleted from the trash becomes a new document", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([["posts.csv", TABLE]]);
  assertEquals((await site.run(id)).report.created, 3);
  const [first, second] = await site.documents("posts");
  await remove(site, first.id);
  answered(await site.admin("DELETE", `/documents/${second.id}`), 204);

  const { report: dry } = await site.run(id, { dryRun: true });
  const { report } = await site.run(id);

  assertEquals([report.created, report.updated, report.unchanged], [1, 0, 2]);
  assertEquals([dry.created, dry.updated, dry.unchanged], [1, 0, 2]);
  const shown = (await site.documents("posts")).filter(({ status }) => status !== "trashed");
  assertEquals(shown.map(({ title }) => title).sort(), ["One", "Three"]);
  assert(shown.every((document) => document.id !== first.id));
  assertEquals((await site.run(id)).report.unchanged, 3);
});

/** A blog with a picture. */
async function blog(title: string): Promise<[string, Uint8Array]> {
  const post = {
    id: "1",
    title,
    slug: "one",
    type: "post",
    status: "published",
    html: "<p>Hi</p>",
    feature_image: "__GHOST_URL__/content/images/a.png",
  };
  const text = JSON.stringify({ db: [{ meta: {}, data: { posts: [post] } }] });
  return [
    "blog.zip",
    await zipOf({ "blog.json": text, "content/images/a.png": IMAGES["image/png"] }),
  ];
}

async function mediaIds(site: TransferSite): Promise<string[]> {
  const { data } = answered(await site.admin("GET", "/media"), 200);
  return data.map(({ id }: { id: string }) => id);
}

/** Deletes an asset so long ago that its retention is over, though the session is not. */
async function removeAsset(site: TransferSite, id: string): Promise<void> {
  const retentionMs = (MEDIA_RETENTION_SECONDS + 1) * 1000;
  site.context.advance(-retentionMs);
  answered(await site.admin("DELETE", `/media/${id}`), 204);
  site.context.advance(retentionMs);
  const operation = new Operation();
  addAnyJob(operation, site.context, { type: "SWEEP_MEDIA", payload: {} });
  await site.context.store.commit(operation);
  await site.runner.drain();
}

/** The asset that the only post shows. */
async function assetOfPost(site: TransferSite): Promise<string> {
  const [{ id }] = await site.documents("posts");
  const { cover } = answered(await site.admin("GET", `/documents/${id}`), 200);
  return cover;
}

Deno.test("a file whose asset was deleted for good becomes an asset again, as often as it takes", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([await blog("One")]);
  await site.run(id);
  const [first = ""] = await mediaIds(site);
  assertEquals(await assetOfPost(site), first);

  const used = [first];
  for (let round = 0; round < 2; round++) {
    await removeAsset(site, used.at(-1) ?? "");

    const { report: dry } = await site.run(id, { dryRun: true });
    const { report } = await site.run(id);

    const [again = "", ...more] = await mediaIds(site);
    assertEquals([more, used.includes(again)], [[], false]);
    assertEquals([report.updated, report.unchanged, report.failed], [1, 0, 0]);
    assertEquals([dry.updated, dry.unchanged], [1, 0]);
    assertEquals(await assetOfPost(site), again);
    const lines = (await site.report(id)).filter(({ source }) => source === "media");
    assertEquals(lines.map(({ status, id }) => [status, id]), [["created", again]]);
    assertEquals((await site.run(id)).report.unchanged, 1);
    used.push(again);
  }
});

Deno.test("a file whose asset is deleted, but not for good, stays as it is", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([await blog("One")]);
  await site.run(id);
  const [asset = ""] = await mediaIds(site);
  answered(await site.admin("DELETE", `/media/${asset}`), 204);

  const { report } = await site.run(id);

  assertEquals([report.unchanged, report.failed], [1, 0]);
  assertEquals(await mediaIds(site), []);
});

Deno.test("files that an earlier release has marked become no second asset", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([await blog("One")]);
  await site.run(id);
  const media = await mediaIds(site);
  const { store } = site.context;
  const marks = await store.listAll({ prefix: transferredPrefix });
  const files = marks.filter(({ key }) => key[2] === FILE_KIND);
  assertEquals(files.length, 1);
  for (const { key, value } of files) {
    const former = [key[0] ?? "", key[1] ?? "", FORMER_FILE_KIND, key[3] ?? ""];
    await store.commit(new Operation().delete(key).set(former, value));
  }

  const later = await site.analysed([await blog("One, changed")]);
  const { report } = await site.run(later.id);

  assertEquals([report.updated, report.failed], [1, 0]);
  assertEquals(await mediaIds(site), media);
  const [{ id: post }] = await site.documents("posts");
  const document = answered(await site.admin("GET", `/documents/${post}`), 200);
  assert(
    JSON.stringify(document).includes(media[0] ?? "none"),
    "the document still has its picture",
  );
});

Deno.test("a backup holds the marks of rows of a kind that is called media and was written since", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([["media.csv", TABLE]]);
  await site.run(id);
  const instant = await takeInstant(site.context);
  const form = formOf([["media.csv", TABLE.replace("Two", "Changed")]]);
  answered(await site.admin("POST", `/transfers/${id}/files`, undefined, { raw: form }), 202);
  await site.runner.drain();
  assertEquals((await site.transfer(id)).report.updated, 1);

  const lines: TransferredLine[] = [];
  for await (const { line } of transferLines(site.context, "transferred", instant, null)) {
    lines.push(JSON.parse(new TextDecoder().decode(line)));
  }

  assertEquals(lines.map(({ kind, source_id }) => [kind, source_id]), [
    ["media", "1"],
    ["media", "2"],
    ["media", "3"],
  ]);
});

Deno.test("an upload whose kinds of rows have control characters fails", async () => {
  await using site = await transferSite();
  const row = JSON.stringify({ _id: "1", _type: FILE_KIND, title: "One" });
  const { state, error } = await site.analysed([["data.ndjson", row]], "?kind=sanity");
  assertEquals([state, error], ["failed", "The name of a kind of rows has a control character"]);
});
