/**
 * Where the version with an id is: the first versions of new documents, whose ids tell it, and all others, whose rows do.
 */
import {
  findVersionLocation,
  stageVersionLocation,
} from "../../../kv/versioning/version_locations.ts";
import { versionIdKey, versionKey } from "../../../kv/keys.ts";
import { SPILL_BYTES } from "../../../kv/limits/store.ts";
import { successor } from "../../../kv/model/values/ulid.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { download, importTarball, signIn } from "../../support/sites/backups.ts";
import { testContext } from "../../support/harness/context.ts";
import { HistorySite, withPosts } from "../../support/harness/history_site.ts";

const DAY = 24 * 3_600;

/** Whether a version has a row of its place. */
async function hasRow({ app: { context } }: HistorySite, versionId: string): Promise<boolean> {
  return (await context.store.get(versionIdKey(versionId))).value !== null;
}

Deno.test("of new documents, many at a time, no first version has a row, and every one is found", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const made = await Promise.all(Array.from({ length: 40 }, (_, n) => post(`Post ${n}`)));
  await Promise.all(
    made.map(({ id }) => site.want(200, "PATCH", `/documents/${id}`, { body: "Changed" })),
  );
  for (const { id, title } of made) {
    const [second, first] = await site.versions("document", id);
    assertEquals([await hasRow(site, first.id), await hasRow(site, second.id)], [false, true]);
    const version = await site.want(200, "GET", `/versions/${first.id}`);
    assertEquals([version.entity_id, version.version_number], [id, 1]);
    assertEquals([version.state.title, version.state.data], [title, {}]);
    const found = await findVersionLocation(site.app.context, second.id);
    assertEquals(found, { location: ["document", id, 2] });
  }
  const [{ id }] = made;
  assertEquals((await site.restore("document", id, 1)).status, 200);
  assertEquals((await site.versions("document", id)).length, 3);
});

Deno.test("a back-up brings the places of versions with it, those without a row too", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One");
  await site.want(200, "PATCH", `/documents/${id}`, { title: "Two" });
  const before = await site.versions("document", id);
  const admin = await signIn(site.app);
  const tarball = await download(site.app, admin);
  await site.want(204, "DELETE", `/documents/${id}`);

  assertEquals((await importTarball(site.app, admin, tarball)).state, "done");

  site.cookie = (await signIn(site.app)).cookie;
  assertEquals(await site.versions("document", id), before);
  for (const { id: versionId, version_number: n } of before) {
    assertEquals((await site.want(200, "GET", `/versions/${versionId}`)).version_number, n);
    assertEquals(await hasRow(site, versionId), n > 1);
  }
});

Deno.test("the snapshot of a large first version stays while the version does", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const body = "x".repeat(SPILL_BYTES + 1);
  const { id } = await post("Large", { body });
  await site.want(200, "PATCH", `/documents/${id}`, { body: "Small" });
  site.pass(2 * DAY);
  site.cookie = (await signIn(site.app)).cookie;
  const [, first] = await site.versions("document", id);

  assertEquals((await site.run("SWEEP_MEDIA")).state, "done");

  assertEquals(await hasRow(site, first.id), false);
  assertEquals((await site.want(200, "GET", `/versions/${first.id}`)).state.data.body, body);
});

Deno.test("an id tells a location only of the version that has it", async () => {
  await using context = await testContext();
  const [id, other, third] = [context.newId(0), context.newId(1_000), context.newId(2_000)];
  const version = { vid: other, n: 1, at: 0, by: null, summary: null };
  const operation = new Operation().set(versionKey("document", id, 1), version);
  stageVersionLocation(operation, other, ["document", id, 1]);
  // What only looks like a first version of a document has its row.
  stageVersionLocation(operation, successor(other), ["role", other, 1]);
  stageVersionLocation(operation, successor(third), ["document", third, 2]);
  await context.store.commit(operation);

  const placed = async (versionId: string) =>
    (await findVersionLocation(context, versionId))?.location;

  assertEquals(await placed(other), ["document", id, 1]);
  assertEquals(await placed(successor(other)), ["role", other, 1]);
  assertEquals(await placed(successor(third)), ["document", third, 2]);
  for (const nobodys of [successor(id), id, "", "0".repeat(26), "x", "__proto__"]) {
    assertEquals(await placed(nobodys), undefined);
  }
});
