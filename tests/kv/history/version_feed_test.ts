/**
 * The version feed of a site: every version newest first, how much was written when, and what a restore would
 * do, beside what it does.
 */
import { newestVersions, type VersionEvent } from "../../../kv/history/newest_versions.ts";
import { siteActivity } from "../../../kv/history/site_activity.ts";
import { changedStates, type SiteChange, siteChanges } from "../../../kv/history/site_changes.ts";
import { compactTimeline } from "../../../kv/history/timeline/compaction.ts";
import { Timeline } from "../../../kv/history/timeline/timeline.ts";
import { currentPrefix, versionTypePrefix } from "../../../kv/keys.ts";
import type { CurrentRow, VersionRow } from "../../../kv/versioning/entities.ts";
import { ENTITY_TYPES } from "../../../kv/model/entities/entity_kinds.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { HistorySite, withPosts } from "../../support/harness/history_site.ts";

/** Some posts over some hours, one deleted, a setting changed; answers an instant in between. */
async function busy(site: HistorySite): Promise<{ ids: string[]; middle: number }> {
  const { post } = await withPosts(site);
  const ids: string[] = [];
  for (let count = 0; count < 6; count++) {
    ids.push((await post(`Post ${count}`)).id);
    site.pass(count % 2 * 600);
  }
  await site.want(204, "DELETE", `/documents/${ids[5]}`);
  const middle = site.pass(600);
  for (let turn = 0; turn < 9; turn++) {
    await site.want(200, "PATCH", `/documents/${ids[turn % 3]}`, { body: `Turn ${turn}` });
    if (turn % 4 === 0) site.pass(60);
  }
  await site.want(200, "PATCH", "/settings", { "site.description": "Lamps" });
  await post("Come since");
  await site.want(200, "POST", `/documents/${ids[5]}/untrash`);
  site.pass(60);
  return { ids, middle };
}

/** Every version that the store has, newest first. */
async function everyVersion({ app: { context } }: HistorySite): Promise<string[]> {
  const all: VersionEvent[] = [];
  for (const type of ENTITY_TYPES) {
    const range = { prefix: versionTypePrefix(type) };
    for await (const { key, value } of context.store.list<VersionRow>(range)) {
      const { n, at } = value!;
      all.push({ type, id: key[2] as string, n, at, gone: false });
    }
  }
  all.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : b.n - a.n));
  return all.map(({ id, n }) => `${id} ${n}`);
}

Deno.test("newestVersions() pages through every version once, in order, compacted or not", async () => {
  await using site = await HistorySite.open();
  const { ids } = await busy(site);
  // Some of one second, in rows that they share.
  for (let round = 0; round < 4; round++) {
    await Promise.all(
      ids.slice(0, 5).map((id) =>
        site.want(200, "PATCH", `/documents/${id}`, { body: `Round ${round}` })
      ),
    );
    if (round === 2) site.pass(1);
  }
  const { context } = site.app;
  const expected = await everyVersion(site);
  for (const state of ["not compacted", "partly compacted", "compacted"]) {
    if (state !== "not compacted") {
      const types = state === "compacted" ? ENTITY_TYPES : ["document", "setting"] as const;
      for (const type of types) {
        while (!(await compactTimeline(context, type, { eventsMin: 1 })).done);
      }
    }
    for (const limit of [1, 7, 1_000]) {
      const timeline = new Timeline(context.store);
      const seen: string[] = [];
      let before: VersionEvent | null = null;
      for (;;) {
        const found: VersionEvent[] = await newestVersions(timeline, ENTITY_TYPES, {
          before,
          limit,
        });
        seen.push(...found.slice(0, limit).map(({ id, n }) => `${id} ${n}`));
        if (found.length <= limit) break;
        before = found[limit - 1]!;
      }
      assertEquals(seen, expected, `${state}, ${limit} at a time`);
    }
    if (state === "partly compacted") {
      await site.want(200, "PATCH", "/settings", { "site.title": "X" });
    }
    if (state === "partly compacted") {
      expected.splice(0, expected.length, ...await everyVersion(site));
    }
  }
});

Deno.test("siteActivity() counts each version in its part of the span", async () => {
  await using site = await HistorySite.open();
  const { middle } = await busy(site);
  const { context } = site.app;
  const timeline = new Timeline(context.store);
  const all = await everyVersion(site);

  const whole = await siteActivity(timeline, { from: null, to: site.now, parts: 10 });
  const late = await siteActivity(timeline, { from: middle + 1, to: site.now, parts: 4 });
  const none = await siteActivity(timeline, { from: 0, to: 1_000, parts: 4 });

  const sum = (bins: number[]) => bins.reduce((all, one) => all + one, 0);
  assertEquals(sum(whole.bins), all.length);
  assertEquals(whole.first, whole.from);
  // Nine turns, the setting, the post that has come, the one that is back, with its reservations.
  assertEquals(sum(late.bins), 12);
  assertEquals(sum(none.bins), 0);
});

Deno.test("siteChanges() previews what a restore does", async () => {
  await using site = await HistorySite.open();
  const { ids, middle } = await busy(site);
  const { context } = site.app;
  const query = { now: site.now, then: middle, skip: 0, limit: 1_000 };
  const timeline = new Timeline(context.store);

  const { changes, counts, total } = await siteChanges(timeline.snapshot(), query);

  const kinds = (type: string) =>
    changes.filter((one) => one.type === type).map(({ id, kind }) => `${ids.indexOf(id)} ${kind}`)
      .sort();
  assertEquals(kinds("document"), [
    "-1 removed",
    "0 changed",
    "1 changed",
    "2 changed",
    "5 changed",
  ]);
  assertEquals(kinds("setting"), ["-1 removed"]);
  assertEquals([total, counts.document], [6, { created: 0, changed: 4, removed: 1, lost: 0 }]);
  const paged: SiteChange[] = [];
  for (let skip = 0; skip < total; skip += 2) {
    paged.push(...(await siteChanges(timeline, { ...query, skip, limit: 2 })).changes);
  }
  assertEquals(paged, changes);
  const only = await siteChanges(timeline, { ...query, type: "document", kind: "removed" });
  assertEquals([only.total, only.changes.length], [1, 1]);
  const states = await changedStates(context, changes);

  site.pass(60);
  await site.travel(middle);
  // The versions of a restore are later than the second in which it was asked for.
  site.pass(2);

  for (const [index, { type, id, kind }] of changes.entries()) {
    const rows = await context.store.listAll<CurrentRow>({ prefix: currentPrefix(type) });
    const live = rows.find(({ key }) => key.at(-1) === id)!.value!;
    assertEquals(live.gone === true, kind === "removed", `${type} ${id}`);
    if (type !== "document" || kind !== "changed") continue;
    const after = await site.want(200, "GET", `/documents/${id}`);
    const then = states[index]!.then as { title: string; status: string };
    assertEquals([after.title, after.status], [then.title, then.status]);
  }
  const back = await siteChanges(new Timeline(context.store), { ...query, now: site.now });
  // Whatever is minted is as it was, in a version of its own.
  for (const one of await changedStates(context, back.changes)) {
    const { updatedAt: _a, ...now } = one.now ?? {};
    const { updatedAt: _b, ...then } = one.then ?? {};
    assertEquals(now, then);
  }
  assertEquals(new Set(back.changes.map(({ kind }) => kind)), new Set(["changed"]));
});

Deno.test("siteChanges() says what stays because its version was pruned", async () => {
  await using site = await HistorySite.open();
  const { ids, middle } = await busy(site);
  await site.want(200, "PATCH", "/settings", { "versions.keep.document": 1 });
  await site.run("PRUNE");

  const { changes } = await siteChanges(new Timeline(site.app.context.store), {
    now: site.now,
    then: middle,
    type: "document",
    skip: 0,
    limit: 100,
  });

  const lost = changes.filter(({ kind }) => kind === "lost").map(({ id }) => ids.indexOf(id))
    .sort();
  assertEquals(lost, [0, 1, 2, 5]);
  site.pass(60);
  const { result } = await site.travel(middle);
  assertEquals(result.documents.left, 4);
});
