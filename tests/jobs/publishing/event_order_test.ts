/** Lists of events begin with upcoming ones, reordered every day. */
import { addJob } from "../../../kv/jobs/jobs.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";
import { renderPath } from "../../../jobs/publishing/render_path.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

const DAY = 86_400;

/** Lets everything be done that is due soon. */
async function settle(test: TestApp): Promise<void> {
  for (let n = 0; n < 6; n++) {
    await test.runner.drain();
    test.context.advance(3_000);
  }
}

async function compareSite(test: TestApp): Promise<void> {
  const operation = new Operation();
  addJob(operation, test.context, { type: "COMPARE_SITE", payload: {} });
  await test.context.store.commit(operation);
  await settle(test);
}

Deno.test("upcoming events come first by date, past events last, in lists and on the front page", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.admin("POST", "/collections", {
    slug: "events",
    name: "Events",
    fields: [{ name: "startsAt", type: "datetime" }],
  });
  const now = Math.floor(test.context.now() / 1_000);
  const events: [title: string, startsAt: number | null][] = [
    ["Next month", now + 30 * DAY],
    ["Last year", now - 365 * DAY],
    ["Tomorrow", now + DAY],
    ["Without a date", null],
    ["Last week", now - 7 * DAY],
    ["Next week", now + 7 * DAY],
    ["Long ago", now - 2_000 * DAY],
  ];
  for (const [title, startsAt] of events) {
    const body = { collection: "events", title, startsAt, status: "published" };
    assertEquals((await test.admin("POST", "/documents", body)).status, 201);
    test.context.advance(1_000);
  }
  const drain = async () => {
    for (let n = 0; n < 6; n++) {
      await test.runner.drain();
      test.context.advance(3_000);
    }
  };
  await drain();
  const titles = async (path: string) => {
    const { text } = await test.call("GET", path);
    const main = text.slice(text.indexOf("<main"));
    const names = new Set(events.map(([title]) => title));
    return [...main.matchAll(/>([^<>]+)<\/a><\/h[23]>/g)].map(([, title]) => title!)
      .filter((title) => names.has(title));
  };
  const order = [
    "Tomorrow",
    "Next week",
    "Next month",
    "Without a date",
    "Last week",
    "Last year",
    "Long ago",
  ];
  assertEquals(await titles("/events"), order);
  assertEquals(await titles("/"), order.slice(0, 5));

  // Ten days later the comparison of the night has seen to it.
  test.context.advance(10 * DAY * 1_000);
  const operation = new Operation();
  addJob(operation, test.context, { type: "COMPARE_SITE", payload: {} });
  await test.context.store.commit(operation);
  await drain();
  const later = [
    "Next month",
    "Without a date",
    "Next week",
    "Tomorrow",
    "Last week",
    "Last year",
    "Long ago",
  ];
  assertEquals(await titles("/events"), later);
  assertEquals(await titles("/"), later.slice(0, 5));
});

/** Titles of the events of all pages, from the newest page on. */
async function listedEvents(test: TestApp, older: number): Promise<string[]> {
  const paths = ["/events"];
  for (let page = older; page > 0; page--) paths.push(`/events/page/${page}`);
  const titles: string[] = [];
  for (const path of paths) {
    const { status, text } = await test.call("GET", path);
    assertEquals([path, status], [path, 200]);
    titles.push(...titlesIn(text));
  }
  return titles;
}

function titlesIn(page: string | Uint8Array): string[] {
  const html = typeof page === "string" ? page : new TextDecoder().decode(page);
  const main = html.slice(html.indexOf("<main"));
  return [...main.matchAll(/>(Event [^<>]+)<\/a><\/h[23]>/g)].map(([, title]) => title!);
}

Deno.test("events are in the order of their dates over all pages, also when dates change and days pass", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.admin("POST", "/collections", {
    slug: "events",
    name: "Events",
    fields: [{ name: "startsAt", type: "datetime", sortable: true }],
  });
  const today = Math.floor(test.context.now() / 1_000 / DAY) * DAY;
  const events = new Map<string, { title: string; startsAt: number | null }>();
  // 41 upcoming events and 29 past ones, published in an order of its own.
  for (let n = 0; n < 70; n++) {
    const startsAt = today + (n * 37 % 70 - 29) * DAY + 3_600;
    const title = `Event ${startsAt}`;
    const body = { collection: "events", title, startsAt, status: "published" };
    const { status, json } = await test.admin("POST", "/documents", body);
    assertEquals(status, 201);
    events.set(json.id, { title, startsAt });
    test.context.advance(1_000);
    if (n % 10 === 0) await test.runner.drain();
  }
  const expected = () => {
    const start = Math.floor(test.context.now() / 1_000 / DAY) * DAY;
    const all = [...events.values()];
    const dated = all.filter((one) => one.startsAt !== null) as {
      title: string;
      startsAt: number;
    }[];
    const upcoming = dated.filter((one) => one.startsAt >= start)
      .sort((a, b) => a.startsAt - b.startsAt);
    const past = dated.filter((one) => one.startsAt < start).sort((a, b) =>
      b.startsAt - a.startsAt
    );
    const undated = all.filter((one) => one.startsAt === null);
    return [...upcoming, ...undated, ...past].map(({ title }) => title);
  };
  await settle(test);
  assertEquals(await listedEvents(test, 2), expected());

  // One moves from the past to tomorrow, one loses its date, one is withdrawn.
  const [moved, undated, withdrawn] = [3, 40, 60].map((n) => [...events.keys()][n]!);
  const change = async (id: string, startsAt: number | null) => {
    assertEquals((await test.admin("PATCH", `/documents/${id}`, { startsAt })).status, 200);
    events.get(id)!.startsAt = startsAt;
  };
  await change(moved!, today + DAY);
  await change(undated!, null);
  assertEquals((await test.admin("POST", `/documents/${withdrawn}/unpublish`)).status, 202);
  events.delete(withdrawn!);
  await settle(test);
  assertEquals(await listedEvents(test, 2), expected());

  // A preview shows the same pages.
  const { publishing } = test.deps;
  for (const path of ["/events", "/events/page/2", "/events/page/1"]) {
    const { body } = await renderPath(publishing, await publishing.rendering(), path);
    const { text } = await test.call("GET", path);
    assertEquals(titlesIn(body), titlesIn(text), path);
    assert(titlesIn(text).length >= 20, path);
  }
  const beyond = await renderPath(publishing, await publishing.rendering(), "/events/page/3");
  assertEquals(titlesIn(beyond.body), []);

  test.context.advance(10 * DAY * 1_000);
  await compareSite(test);
  assertEquals(await listedEvents(test, 2), expected());
});
