/** Releases at their edges: without documents, at their number, and when their time moves. */
import { currentKey } from "../../../../kv/keys.ts";
import { RELEASES_MAX, RELEASES_OPEN_MAX } from "../../../../kv/limits/content.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { getRelease } from "../../../../kv/releases/releases.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { versionedWrite } from "../../../../kv/versioning/versioned_write.ts";
import { assertEquals, assertMatch, assertRejects } from "../../../support/harness/assert.ts";
import { releaseSite } from "../../../support/sites/release_site.ts";

Deno.test("a release that is made with a time waits for it; without documents it says so", async () => {
  await using site = await releaseSite();
  const { context, runner } = site.test;
  const at = Math.floor(context.now() / 1000) + 600;
  const made = await site.want(201, "POST", "/releases", { name: "Empty", publishAt: at });
  assertEquals([made.state, made.publishAt], ["scheduled", at]);
  context.advance(700_000);
  await runner.drain();
  const { state, reason } = await site.want(200, "GET", `/releases/${made.id}`);
  assertEquals([state, reason], ["open", "It has no documents"]);
});

Deno.test("a time that moves leaves one job that waits", async () => {
  await using site = await releaseSite();
  const at = Math.floor(site.test.context.now() / 1000) + 600;
  const jobs = async () => {
    const { data } = await site.want(200, "GET", "/jobs?type=RELEASE");
    return data.filter(({ state }: { state: string }) => state === "queued" || state === "waiting");
  };
  const { id } = await site.want(201, "POST", "/releases", { name: "Spring", publishAt: at });
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: at + 60 });
  assertEquals((await jobs()).length, 1);
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: null });
  assertEquals((await jobs()).length, 0);
});

Deno.test("what a release takes back may be in the trash, what it publishes may not", async () => {
  await using site = await releaseSite();
  const [out, away] = [
    await site.post("Out", { body: "x", status: "published" }),
    await site.post("Away", { body: "x", status: "published" }),
  ];
  const id = await site.release("Spring", { [out]: "publish", [away]: "unpublish" });
  await site.want(204, "DELETE", `/documents/${out}`);
  await site.want(204, "DELETE", `/documents/${away}`);
  const { documents } = await site.want(200, "GET", `/releases/${id}/check`);
  const codes = documents.map(({ errors }: { errors: { code: string }[] }) =>
    errors.map(({ code }) => code)
  );
  assertEquals(codes, [["CONFLICT"], []]);
});

Deno.test("a site has at most 100 open releases", async () => {
  await using site = await releaseSite();
  const ids: string[] = [];
  for (let n = 0; n < RELEASES_OPEN_MAX; n++) ids.push(await site.release(`Release ${n}`, {}));
  const refused = await site.want(409, "POST", "/releases", { name: "One more" });
  assertMatch(refused.error.message, /at most 100 open releases/);
  await site.want(204, "DELETE", `/releases/${ids[0]}`);
  await site.release("One more", {});
});

Deno.test("a site has at most 1,000 releases, published ones too", async () => {
  await using site = await releaseSite();
  const { context } = site.test;
  const first = await site.release("Spring", {});
  const { state: open } = await getRelease(site.test.deps.content, first);
  for (let made = 1; made < RELEASES_MAX; made += 111) {
    await versionedWrite(context, UNATTENDED, (transaction) => {
      for (let n = 0; n < 111; n++) {
        const id = transaction.newId();
        const state = { ...open, id, state: "published" as const };
        transaction.save("release", id, null, state);
      }
      return Promise.resolve();
    });
  }
  const refused = await site.want(409, "POST", "/releases", { name: "One more" });
  assertMatch(refused.error.message, /at most 1000 releases/);
  await site.want(204, "DELETE", `/releases/${first}`);
  await site.release("One more", {});
});

Deno.test("a document in the trash is not planned, and one that is gone keeps its release back", async () => {
  await using site = await releaseSite();
  const [good, gone, away] = [
    await site.post("Good", { body: "x" }),
    await site.post("Gone", { body: "x" }),
    await site.post("Away", { body: "x" }),
  ];
  const id = await site.release("Spring", { [good]: "publish", [gone]: "publish" });
  await site.want(204, "DELETE", `/documents/${away}`);
  const path = `/releases/${id}/documents/${away}`;
  const refused = await site.want(409, "PUT", path, { action: "publish" });
  assertMatch(refused.error.message, /the document is trashed/);
  const { context: { store } } = site.test;
  await store.commit(new Operation().delete(currentKey("document", gone)));
  const { ok, documents } = await site.want(200, "GET", `/releases/${id}/check`);
  assertEquals([ok, documents[1].errors], [false, [
    { field: "id", code: "NOT_FOUND", message: "The document is not there any more" },
  ]]);
  await site.want(409, "POST", `/releases/${id}/publish`);
  assertEquals((await site.seen(good))[0], "draft");
});

Deno.test("documents of a release may give up their unique values together", async () => {
  await using site = await releaseSite();
  const plans: Record<string, "publish"> = {};
  for (const sku of ["a", "b"]) {
    const id = await site.post(sku, { status: "published", body: "x", sku });
    await site.want(200, "PATCH", `/documents/${id}/working-copy`, { sku: null });
    plans[id] = "publish";
  }
  const id = await site.release("Spring", plans);
  assertEquals((await site.want(200, "GET", `/releases/${id}/check`)).ok, true);
  assertEquals((await site.run(id, "publish")).result.finish.changed, 2);
});

Deno.test("an id that no release can have is not found, however long it is", async () => {
  await using site = await releaseSite();
  for (const id of ["x", "x".repeat(4_000)]) {
    const read = () => getRelease(site.test.deps.content, id);
    assertEquals((await assertRejects(read, Refusal)).code, "NOT_FOUND");
  }
});
