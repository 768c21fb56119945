/** Releases while processes die, other writers intervene, and slugs are taken. */
import { settleImportedRelease } from "../../../kv/history/restore/release_restore.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { jobKey } from "../../../kv/jobs/job_keys.ts";
import { versionPrefix } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { VersionRow } from "../../../kv/versioning/entities.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "../../support/harness/assert.ts";
import { HookedDriver, Killed } from "../../support/stores/hooked_driver.ts";
import { type ReleaseSite, releaseSite, runnerOf } from "../../support/sites/release_site.ts";
import { isWholeRun } from "../../support/harness/whole_run.ts";

/** A process dies at one of so many calls; in a whole run at each. */
const CALLS_PER_DEATH = isWholeRun ? 1 : 5;

/** Longer than any lease and any delay of a failed step, milliseconds. */
const LATER_MS = 1_000_000;

/** Four documents in a release: a draft, a change, a change of name, and one that leaves. */
async function prepared() {
  const site = await releaseSite();
  const ids = [
    await site.post("Draft", { body: "draft" }),
    await site.changed("Changed", { body: "changed" }),
    await site.changed("Renamed", { slug: "other-name", sku: "x" }),
    await site.post("Leaving", { status: "published", body: "leaving" }),
  ];
  await site.test.runner.drain();
  const id = await site.release("Spring", {
    [ids[0]!]: "publish",
    [ids[1]!]: "publish",
    [ids[2]!]: "publish",
    [ids[3]!]: "unpublish",
  });
  return { site, ids, id };
}

async function statuses(site: ReleaseSite, ids: string[]): Promise<Json[]> {
  return await Promise.all(ids.map(async (id) => {
    const { status, body, slug } = await site.want(200, "GET", `/documents/${id}`);
    return [status, body, slug];
  }));
}

const AFTER = [
  ["published", "draft", "draft"],
  ["published", "changed", "changed"],
  ["published", "public", "other-name"],
  ["draft", "leaving", "leaving"],
];

/** Publishes in a process that dies at call `n` of the store; whether it came so far. */
async function publishDyingAt(n: number, when: "before" | "after"): Promise<boolean> {
  const { site, ids, id } = await prepared();
  await using _site = site;
  const { jobId } = await site.want(202, "POST", `/releases/${id}/publish`);
  const survivor = runnerOf(site);
  const driver = new HookedDriver(site.test.context.store.driver);
  const dying = runnerOf(site, driver);
  let dead = false;
  driver.hook = (calls, at) => {
    if (dead || (calls === n && at === when)) {
      dead = true;
      throw new Killed();
    }
  };
  await dying.drain().catch(() => {});
  for (let turn = 0; turn < 6; turn++) {
    site.test.context.advance(LATER_MS);
    await survivor.drain();
  }
  const job = await site.want(200, "GET", `/jobs/${jobId}`);
  assertEquals([n, when, job.state, job.error], [n, when, "done", null]);
  assertEquals(await statuses(site, ids), AFTER, `${n} ${when}`);
  for (const one of ids) {
    const { data } = await site.want(200, "GET", `/versions/document/${one}`);
    const own = data.filter(({ change_summary }: { change_summary: string | null }) =>
      change_summary?.includes('"Spring"')
    );
    assertEquals([n, when, own.length], [n, when, 1], "each document goes out once");
  }
  const { state, jobId: busy } = await site.want(200, "GET", `/releases/${id}`);
  assertEquals([state, busy], ["published", null]);
  assertEquals(await site.test.context.store.listAll({ prefix: ["release_part"] }), []);
  return dead;
}

Deno.test("a process that dies anywhere in a release leaves it to another, which does nothing twice", async () => {
  for (const when of ["before", "after"] as const) {
    let n = 1;
    while (n < 60 && await publishDyingAt(n, when)) n += CALLS_PER_DEATH;
    assert(n > 10, `the job made only ${n} calls`);
  }
});

Deno.test("writes between the check and the commits are not lost, and are not published", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  await site.want(202, "POST", `/releases/${id}/publish`);
  const [draft, changed, renamed, leaving] = ids as [string, string, string, string];
  await site.want(200, "PATCH", `/documents/${draft}`, { body: "after the check" });
  await site.want(200, "PATCH", `/documents/${changed}`, { sku: "public meanwhile" });
  await site.want(204, "DELETE", `/documents/${renamed}`);
  await site.want(200, "PATCH", `/documents/${leaving}/working-copy`, { body: "typed" });
  await site.want(409, "PATCH", `/releases/${id}`, { name: "Other" });
  await site.want(409, "DELETE", `/releases/${id}`);
  await site.test.runner.drain();
  assertEquals(await site.seen(draft), ["published", "Draft", "draft", true]);
  const copy = await site.want(200, "GET", `/documents/${draft}/working-copy`);
  assertEquals(copy.body, "after the check");
  const merged = await site.want(200, "GET", `/documents/${changed}`);
  assertEquals([merged.body, merged.sku, merged.hasWorkingCopy], [
    "changed",
    "public meanwhile",
    false,
  ]);
  assertEquals(await site.seen(renamed), ["trashed", "Renamed", "public", false]);
  assertEquals(await site.seen(leaving), ["draft", "Leaving", "typed", false]);
  const { documents, state } = await site.want(200, "GET", `/releases/${id}`);
  assertEquals([state, documents[2].left], ["published", "it is trashed"]);
});

Deno.test("a document whose status was decided there and back since the check is left alone", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  await site.want(202, "POST", `/releases/${id}/publish`);
  const [draft, changed] = ids as [string, string];
  for (const step of ["publish", "unpublish"]) {
    await site.want(202, "POST", `/documents/${draft}/${step}`);
  }
  for (const step of ["unpublish", "publish"]) {
    await site.want(202, "POST", `/documents/${changed}/${step}`);
  }
  await site.want(200, "PATCH", `/documents/${changed}/working-copy`, { body: "typed since" });
  await site.test.runner.drain();

  assertEquals((await site.seen(draft))[0], "draft");
  assertEquals(await site.seen(changed), ["published", "Changed", "changed", true]);
  const { documents } = await site.want(200, "GET", `/releases/${id}`);
  assertEquals(documents.slice(0, 2).map(({ left }: { left?: string }) => left), [
    "it has been published and unpublished again since",
    "it has been unpublished and published again since",
  ]);
});

Deno.test("a document is left alone if its status or too much of its history changed since the check", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  await site.want(202, "POST", `/releases/${id}/publish`);
  const [draft, changed, renamed] = ids as [string, string, string];
  await site.want(202, "POST", `/documents/${draft}/publish`);
  await site.want(202, "POST", `/documents/${changed}/unpublish`);
  for (const sku of ["y", "z"]) {
    site.test.context.advance(600_000);
    await site.want(200, "PATCH", `/documents/${renamed}`, { sku });
  }
  const { store } = site.test.context;
  const versions = await store.listAll<VersionRow>({ prefix: versionPrefix("document", renamed) });
  // The version between the checked and the current one was pruned.
  await store.commit(new Operation().delete(versions.at(-2)!.key));
  await site.test.runner.drain();
  const { documents } = await site.want(200, "GET", `/releases/${id}`);
  assertEquals(documents.slice(0, 3).map(({ left }: { left?: string }) => left), [
    "it has been published since",
    "it has been unpublished since",
    "it has changed too often since",
  ]);
});

Deno.test("a document whose former version was pruned is not put back", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  await site.run(id, "publish");
  const { store } = site.test.context;
  const changed = ids[1]!;
  const versions = await store.listAll<VersionRow>({ prefix: versionPrefix("document", changed) });
  await store.commit(new Operation().delete(versions.at(-2)!.key));
  const { result } = await site.run(id, "revert");
  const reason = "its former version was pruned";
  assertEquals(result.finish.left, [{ id: changed, title: "Changed", reason }]);
  assertEquals(await site.seen(changed), ["published", "Changed", "changed", false]);
});

Deno.test("work whose job was lost starts again", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  const { jobId } = await site.want(202, "POST", `/releases/${id}/publish`);
  await site.want(409, "POST", `/releases/${id}/publish`);
  await site.test.context.store.commit(new Operation().delete(jobKey(jobId)));
  const again = await site.want(202, "POST", `/releases/${id}/publish`);
  assertNotEquals(again.jobId, jobId);
  await site.test.runner.drain();
  assertEquals(await statuses(site, ids), AFTER);
});

Deno.test("a slug that is taken between the check and the commits undoes all of it", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  const also = await site.changed("Also", { slug: "also-other", body: "new" });
  await site.want(200, "PUT", `/releases/${id}/documents/${also}`, { action: "publish" });
  ids.push(also);
  const before = await statuses(site, ids);
  const { jobId } = await site.want(202, "POST", `/releases/${id}/publish`);
  await site.post("Other name", { body: "x" });
  await site.test.runner.drain();
  const job = await site.want(200, "GET", `/jobs/${jobId}`);
  assertEquals(job.state, "failed");
  assertMatch(job.error, /slug is already used/);
  assertEquals(await statuses(site, ids), before);
  assertEquals(await site.seen(also), ["published", "Also", "public", true]);
  const { data } = await site.want(200, "GET", `/versions/document/${also}`);
  assertEquals(data[0].change_summary, 'The release "Spring" was not published');
  const { state, reason } = await site.want(200, "GET", `/releases/${id}`);
  assertEquals(state, "open");
  assertMatch(reason, /slug is already used/);
  await site.want(200, "PATCH", `/documents/${ids[2]}/working-copy`, { slug: "free-name" });
  assertEquals((await site.run(id, "publish")).state, "done");
});

Deno.test("two processes that publish at the same time publish once", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  const answers = await Promise.all(
    [1, 2, 3].map(() => site.test.admin("POST", `/releases/${id}/publish`)),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [202, 409, 409]);
  await Promise.all([site.test.runner.drain(), runnerOf(site).drain()]);
  assertEquals(await statuses(site, ids), AFTER);
});

Deno.test("a reversal is checked as a whole: a slug that is taken by now keeps all of it", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  await site.run(id, "publish");
  const taker = await site.post("Taker", { body: "x", slug: "renamed" });
  const refused = await site.want(409, "POST", `/releases/${id}/revert`);
  assertEquals(refused.error.code, "SLUG_CONFLICT");
  assertEquals(await statuses(site, ids), AFTER);
  await site.want(204, "DELETE", `/documents/${taker}`);
  const { result } = await site.run(id, "revert");
  assertEquals(result.finish, { documents: 4, changed: 4, left: [] });
});

Deno.test("changes made by hand before a release's time do not block it, nor does a removed user", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  const { test } = site;
  const [draft, changed, renamed, leaving] = ids as [string, string, string, string];
  const at = Math.floor(test.context.now() / 1000) + 600;
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: at });
  await site.want(409, "DELETE", "/collections/posts");
  await site.want(202, "POST", `/documents/${draft}/publish`);
  await site.want(204, "DELETE", `/documents/${changed}/working-copy`);
  await site.want(202, "POST", `/documents/${leaving}/unpublish`);
  const second = { email: "bo@example.org", displayName: "Bo", roles: ["editor"] };
  const bo = await site.want(201, "POST", "/users", { ...second, password: "a long password" });
  await site.want(204, "DELETE", `/users/${bo.id}`);
  test.context.advance(601_000);
  await test.runner.drain();
  assertEquals((await site.want(200, "GET", `/releases/${id}`)).state, "published");
  assertEquals(await site.seen(draft), ["published", "Draft", "draft", false]);
  assertEquals(await site.seen(changed), ["published", "Changed", "public", false]);
  assertEquals((await site.want(200, "GET", `/documents/${renamed}`)).slug, "other-name");
  assertEquals((await site.seen(leaving))[0], "draft");
  // Only what it has changed is put back.
  const { result } = await site.run(id, "revert");
  assertEquals(result.finish, { documents: 1, changed: 1, left: [] });
  assertEquals((await site.want(200, "GET", `/documents/${renamed}`)).slug, "renamed");
});

Deno.test("a back-up brings releases back: those with a time wait for it, nothing is under way", async () => {
  const { site, ids, id } = await prepared();
  await using _site = site;
  const { test } = site;
  const at = Math.floor(test.context.now() / 1000) + 600;
  const other = await site.release("Later", {
    [await site.post("Late", { body: "x" })]: "publish",
  });
  await site.want(200, "PATCH", `/releases/${other}`, { publishAt: at });
  await site.want(202, "POST", `/releases/${id}/publish`);
  const { context } = site.test;
  await settleImportedRelease(site.test.deps.content, id);
  const state = await site.want(200, "GET", `/releases/${id}`);
  assertEquals([state.state, state.jobId], ["open", null]);
  // The job that was under way finds that the release is not its own any more.
  const before = await statuses(site, ids);
  await test.runner.drain();
  assertEquals(await statuses(site, ids), before);
  assertEquals((await site.want(200, "GET", `/releases/${id}`)).state, "open");
  assertEquals(await context.store.listAll({ prefix: ["release_part"] }), []);
});
