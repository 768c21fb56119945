/** Lists of what takes place begin with what is to come, on every day anew. */
import { addJob } from "../../../kv/jobs/jobs.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testApp } from "../../support/sites/app.ts";
import { assertEquals } from "../../support/harness/assert.ts";

const DAY = 86_400;

Deno.test("what is to come stands first by its date, what is over last, in lists and on the first page", async () => {
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
