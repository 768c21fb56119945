/**
 * What the daily jobs and migrations read, at two sizes of a site: PRUNE what has changed, the others in
 * proportion to what there is.
 */
import { createDocument } from "../../kv/documents/documents.ts";
import { createMedia } from "../../kv/media/media.ts";
import { storeUpload } from "../../kv/media/upload.ts";
import { versionPrefix } from "../../kv/keys.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { Operation } from "../../kv/store/operation.ts";
import { findJob } from "../../kv/jobs/jobs.ts";
import { compactTimeline } from "../../kv/history/timeline/compaction.ts";
import { addAnyJob } from "../support/harness/any_job.ts";
import { signIn } from "../support/sites/backups.ts";
import type { TestApp } from "../support/sites/app.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { type Headless, headless } from "../support/sites/headless.ts";
import { paddedPng } from "../support/sites/images.ts";
import { transferSite } from "../support/transfers/transfer_site.ts";
import { streamOf } from "../support/stores/object_store_contract.ts";

const DAY_MS = 86_400_000;
const AT_ONCE = 50;
/** How long a commit of a distant store takes, milliseconds. */
const COMMIT_MS = 50;

/** A site whose histories have all been gone through, with a number of documents. */
async function site(documents: number): Promise<Headless> {
  const test = await headless([{ name: "rating", type: "number" }]);
  await test.setUp();
  await addDocuments(test, documents);
  await test.runner.drain();
  return test;
}

async function addDocuments({ deps }: TestApp, count: number): Promise<void> {
  for (let start = 0; start < count; start += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => {
      const body = { title: `Document ${start + index}`, rating: index % 10 };
      return createDocument(deps.content, UNATTENDED, "posts", body);
    }));
  }
}

/**
 * What a piece of work asks the store for: keys and entries read, calls that read them, and commits, each of which
 * takes `commitMs` longer.
 */
async function asked(
  { context: { store } }: TestApp,
  work: () => Promise<unknown>,
  { commitMs = 0 } = {},
): Promise<{ read: number; calls: number; commits: number }> {
  const counts = { read: 0, calls: 0, commits: 0 };
  const { driver } = store;
  const [getMany, list, commit] = [driver.getMany, driver.list, driver.commit];
  driver.getMany = (keys) => {
    counts.read += keys.length;
    counts.calls += 1;
    return getMany.call(driver, keys);
  };
  driver.list = async function* (range, options) {
    counts.calls += 1;
    for await (const entry of list.call(driver, range, options)) {
      counts.read += 1;
      yield entry;
    }
  };
  driver.commit = async (operation) => {
    counts.commits += 1;
    if (commitMs > 0) await new Promise((done) => setTimeout(done, commitMs));
    return await commit.call(driver, operation);
  };
  try {
    await work();
  } finally {
    Object.assign(driver, { getMany, list, commit });
  }
  return counts;
}

async function run(
  test: TestApp,
  type: "PRUNE" | "SWEEP_MEDIA" | "RENDER_SITE",
): Promise<void> {
  const operation = new Operation();
  const id = addAnyJob(operation, test.context, { type, payload: {} });
  await test.context.store.commit(operation);
  await test.runner.drain();
  const job = (await findJob(test.context.store, id))!;
  assertEquals([job.state, job.error], ["done", null]);
}

/** What a PRUNE asks for on the day after the last, when one document has changed. */
async function pruneOfOneChange(documents: number): Promise<number> {
  await using test = await site(documents);
  await run(test, "PRUNE");
  test.context.advance(3 * DAY_MS);
  await run(test, "PRUNE");
  while (!(await compactTimeline(test.context, "document", { eventsMin: 1 })).done);
  const { id } = await test.post({ title: "News" });
  await test.v1("PATCH", `/posts/${id}`, { body: { rating: 1 } });
  await test.runner.drain();

  return (await asked(test, () => run(test, "PRUNE"))).read;
}

Deno.test("PRUNE reads what has changed since the last one, however much there is", async () => {
  const [some, many] = [await pruneOfOneChange(100), await pruneOfOneChange(600)];

  assert(many - some < 50, `${some} and ${many} keys read`);
});

Deno.test("PRUNE looks at everything again when a cap or a name is not what it was", async () => {
  await using test = await site(50);
  const { id } = await test.post({ title: "Old" });
  for (let n = 0; n < 5; n++) {
    await test.v1("PATCH", `/posts/${id}`, { body: { rating: n } });
    test.context.advance(2 * 3_600_000);
  }
  const kept = async () => {
    await run(test, "PRUNE");
    const prefix = versionPrefix("document", id);
    const rows = await test.context.store.listAll({ prefix });
    return rows.map(({ key }) => key.at(-1));
  };
  const { json: { data } } = await test.admin("GET", `/versions/document/${id}`);
  const third = data.find((one: { version_number: number }) => one.version_number === 3);
  await test.admin("PATCH", `/versions/${third.id}`, { name: "Kept" });
  test.context.advance(3 * DAY_MS);

  assertEquals(await kept(), [1, 2, 3, 4, 5, 6]);
  const admin = await signIn(test);
  await admin.ask("PATCH", "/settings", { "versions.keep.document": 2 });
  assertEquals(await kept(), [3, 5, 6]);
  assertEquals(await kept(), [3, 5, 6]);
  await admin.ask("PATCH", `/versions/${third.id}`, { name: null });
  assertEquals(await kept(), [5, 6]);
});

Deno.test("SWEEP_MEDIA reads in proportion to the media", async () => {
  const sweepOf = async (media: number) => {
    await using test = await site(0);
    for (let n = 0; n < media; n++) {
      const upload = await storeUpload(test.context, streamOf(paddedPng(400 + n)));
      await createMedia(test.context, UNATTENDED, upload, { filename: `${n}.png`, alt: "" });
    }
    test.context.advance(2 * DAY_MS);
    await test.runner.drain();
    return await asked(test, () => run(test, "SWEEP_MEDIA"));
  };
  const [some, many] = [await sweepOf(30), await sweepOf(120)];

  assert(many.read < 4 * some.read, `${some.read} and ${many.read} keys read`);
  assert(many.commits < 4 * some.commits, `${some.commits} and ${many.commits} commits`);
});

Deno.test("MIGRATE reads and commits in proportion to the documents", async () => {
  const migrationOf = async (documents: number) => {
    await using test = await site(documents);
    return await asked(test, async () => {
      const path = "/collections/posts/fields/rating";
      const answer = await test.admin("PATCH", path, { type: "text" });
      assertEquals(answer.status, 202, answer.text);
      await test.runner.drain();
      const { json } = await test.admin("GET", `/jobs/${answer.json.jobId}`);
      assertEquals([json.state, json.result.documents.documents], ["done", documents]);
    });
  };
  const [some, many] = [await migrationOf(200), await migrationOf(800)];

  assert(many.read < 4 * some.read, `${some.read} and ${many.read} keys read`);
  assert(many.commits < 4 * some.commits, `${some.commits} and ${many.commits} commits`);
});

Deno.test("RENDER_SITE reads of a draft its row and where its page would be", async () => {
  const renderingOf = async (drafts: number) => {
    await using test = await site(drafts);
    return (await asked(test, () => run(test, "RENDER_SITE"))).read;
  };

  const [some, many] = [await renderingOf(50), await renderingOf(250)];

  assert(many - some <= 200 * 2 + 20, `${some} and ${many} keys read`);
});

Deno.test("TRANSFER reads marks and commits rows in groups, and a repeated run commits nothing of them", async () => {
  const transferOf = async (rows: number) => {
    await using test = await transferSite();
    const lines = Array.from({ length: rows }, (_, n) => {
      return `${n},Row ${n},${n % 10},${new Date(n * DAY_MS).toISOString()}\n`;
    });
    const table = `id,title,rating,created_at\n${lines.join("")}`;
    const { id, plan } = await test.analysed([["rows.csv", table]]);
    assertEquals(plan.collections[0].createdAt, "created_at");
    // A distant store: how many rows share a commit then depends on the rows in flight, and not on the machine.
    const run = (status: "created" | "unchanged") =>
      asked(test, async () => assertEquals((await test.run(id)).report[status], rows), {
        commitMs: COMMIT_MS,
      });
    return { first: await run("created"), again: await run("unchanged") };
  };
  const added = 1_000;

  const [some, many] = [await transferOf(400), await transferOf(400 + added)];

  const perRow = (run: "first" | "again") => ({
    read: (many[run].read - some[run].read) / added,
    calls: (many[run].calls - some[run].calls) / added,
    commits: (many[run].commits - some[run].commits) / added,
  });
  const [first, again] = [perRow("first"), perRow("again")];
  // Its mark, and what the upkeep of the index and of the history read of it.
  assert(first.read < 3.5 && first.calls < 1 / 4, JSON.stringify(first));
  assert(first.commits < 1 / 16, JSON.stringify(first));
  // Its mark, and whether its document still exists.
  assert(again.read < 2.1 && again.calls < 0.22, JSON.stringify(again));
  assert(again.commits < 0.005, JSON.stringify(again));
});
