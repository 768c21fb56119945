/**
 * What goes together comes back together: a collection with its fields, somebody with their roles, also when
 * a clock that is ahead has changed a part of it, and when the removal itself was restored before.
 *
 * @module
 */
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import type { EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import { patchField } from "../../../kv/schema/fields.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { contentOf } from "../../support/harness/simulated_site.ts";
import type { HistoryFixture } from "./history_fixture.ts";

/** By how much a clock may be ahead, seconds. */
const AHEAD_MAX = 60;

/** Something goes and comes back. */
export async function goAndComeBack(fixture: HistoryFixture): Promise<void> {
  await (fixture.chance(0.5) ? collectionComesBack(fixture) : userComesBack(fixture));
}

async function collectionComesBack(fixture: HistoryFixture): Promise<void> {
  const slug = `gone${fixture.pasts("collection").length}`;
  const path = `/collections/${slug}`;
  const fields = ["body", "price"].map((name) => ({ name, label: name, type: "text" }));
  const { status, json } = await fixture.ask("POST", "/collections", { slug, name: slug, fields });
  if (status >= 400) return;
  const ahead = fixture.number(AHEAD_MAX);
  const { context } = fixture;
  const now = () => context.now() + ahead * 1_000;
  await patchField(contentOf({ ...context, now }), UNATTENDED, slug, "price", { label: "Cost" });
  await removeAndRestore(fixture, "collection", json.id, path);
  // Nothing is remembered of the seconds that only one clock has seen.
  fixture.pass(ahead + 1);
  const back = (await fixture.ask("GET", path)).json;
  assertEquals(back.fields.map(({ name }: { name: string }) => name), ["body", "price"], slug);
  fixture.count("comebacks");
}

async function userComesBack(fixture: HistoryFixture): Promise<void> {
  const { status, json } = await fixture.ask("POST", "/users", {
    email: `gone${fixture.pasts("user").length}@example.org`,
    displayName: "Bea",
    password: "a long enough one",
    roles: ["editor", "viewer"],
  });
  if (status >= 400) return;
  const path = `/users/${json.id}`;
  await removeAndRestore(fixture, "user", json.id, path);
  const back = (await fixture.ask("GET", path)).json;
  assertEquals(back.roles, json.roles, "with the roles of then");
  fixture.count("comebacks");
}

/** Removes something, restores the removal once or not, and then the version before it. */
async function removeAndRestore(
  fixture: HistoryFixture,
  type: EntityType,
  id: string,
  path: string,
): Promise<void> {
  assertEquals((await fixture.ask("DELETE", path)).status, 204, path);
  await fixture.model.follow();
  const { versions } = fixture.model.all.get(`${type} ${id}`)!;
  const [living, removal] = versions.slice(-2);
  const restore = async (vid: string) => {
    fixture.pass(fixture.number(2));
    const { status, text } = await fixture.ask("POST", `/versions/${vid}/restore`);
    assertEquals(status, 200, text);
  };
  if (fixture.chance(0.5)) await restore(removal!.vid);
  await restore(living!.vid);
}
