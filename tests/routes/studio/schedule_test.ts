import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "../../support/harness/assert.ts";
import { callApp, type TestApp, testApp } from "../../support/sites/app.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

async function site(test: TestApp) {
  const setUp = await test.setUp();
  const cookie = setUp.headers.get("set-cookie")!.split(";")[0]!;
  await test.collection({ slug: "posts", name: "Posts" });
  const draft = await test.admin("POST", "/documents", { collection: "posts", title: "Later" });
  const id: string = draft.json.id;
  const at = Math.floor(test.context.now() / 1_000) + 86_400;
  await test.admin("POST", `/documents/${id}/schedule`, { publishAt: at });
  const move = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    callApp(test.app, "POST", "/admin/schedule/move", {
      raw: new URLSearchParams(fields).toString(),
      headers: { ...FORM, cookie, "sec-fetch-site": "same-origin", ...headers },
    });
  const page = (query: string) =>
    test.call("GET", `/admin/schedule?${query}`, { headers: { cookie } });
  return { id, at, move, page };
}

const timeOf = (at: number) => new Date(at * 1_000).toISOString().slice(0, 16);

Deno.test("POST /admin/schedule/move changes when a document goes public, without a script", async () => {
  await using test = await testApp();
  const { id, at, move, page } = await site(test);
  const get = async () => (await test.admin("GET", `/documents/${id}`)).json;

  const later = at + 172_800;
  const moved = await move({
    id,
    when: timeOf(later),
    view: "week",
    day: timeOf(later).slice(0, 10),
  });

  assertEquals(moved.status, 303);
  const day = timeOf(later).slice(0, 10);
  const query = moved.headers.get("location")!.split("?")[1]!;
  assertEquals(query, `view=week&day=${day}&moved=${id}`);
  assertEquals((await get()).publishAt, later - later % 60);
  const { text } = await page(query);
  assertStringIncludes(text, "“Later” will be published");

  const past = await move({ id, when: "2020-01-01T10:00" });
  assertEquals(past.headers.get("location"), "/admin/schedule?refused=past");
  const nonsense = await move({ id, when: "soon" });
  assertEquals(nonsense.headers.get("location"), "/admin/schedule?refused=time");
  for (const wrong of ["x", "01JD0000000000000000000000"]) {
    const answer = await move({ id: wrong, when: timeOf(later) });
    assertEquals(answer.headers.get("location"), "/admin/schedule?refused=other");
  }
  assertEquals((await get()).publishAt, later - later % 60);
  await move({ id, act: "draft", when: "" });
  assertEquals((await get()).status, "draft");
});

Deno.test("POST /admin/schedule/move is for users who publish, from this origin, with a small form", async () => {
  await using test = await testApp();
  const { id, at, move } = await site(test);
  const when = timeOf(at + 86_400);

  assertEquals((await move({ id, when }, { "sec-fetch-site": "cross-site" })).status, 403);
  assert((await move({ id, when }, { "content-type": "application/json" })).status >= 400);
  assert((await move({ id, when, more: "x".repeat(5_000) })).status >= 400);
  assertEquals((await move({ id, when }, { cookie: "" })).status, 302);
  assertEquals((await test.admin("GET", `/documents/${id}`)).json.publishAt, at);
  for (const [role, status] of [["viewer", 403], ["author", 403], ["editor", 303]] as const) {
    const [email, password] = [`${role}@example.org`, `${role} has a password`];
    await test.admin("POST", "/users", { email, displayName: role, password, roles: [role] });
    const session = await test.call("POST", "/api/admin/session", { body: { email, password } });
    const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
    assertEquals((await move({ id, when }, { cookie })).status, status, role);
  }
});

Deno.test("POST /admin/schedule/move refuses a time that the clocks skip, and says so", async () => {
  await using test = await testApp();
  const { id, at, move, page } = await site(test);
  await test.admin("PATCH", "/settings", { "site.timezone": "Europe/Berlin" });
  const answer = await move({ id, when: "2027-03-28T02:30" });
  assertEquals([answer.status, (await test.admin("GET", `/documents/${id}`)).json.publishAt], [
    303,
    at,
  ]);
  const { text } = await page(answer.headers.get("location")!.split("?")[1]!);
  assertStringIncludes(
    text,
    "That time does not exist on that day because the clocks change. Nothing was moved.",
  );
});

Deno.test("GET /admin/schedule shows the days of a month or a week, whatever the address says", async () => {
  await using test = await testApp();
  const { page } = await site(test);
  const days = async (query: string) =>
    [...(await page(query)).text.matchAll(/data-day="([^"]+)"/g)].map(([, day]) => day!);

  const month = await days("view=month&day=2026-06-17");
  assertEquals([month[0], month.at(-1), month.length], ["2026-06-01", "2026-07-05", 35]);
  const february = await days("day=2027-02-11");
  assertEquals([february[0], february.at(-1)], ["2027-02-01", "2027-02-28"]);
  const week = await days("view=week&day=2026-06-17");
  assertEquals([week[0], week.at(-1), week.length], ["2026-06-15", "2026-06-21", 7]);
  for (const query of ["view=year", "day=x", "day=9999-12-31", "day=0001-01-01", "moved=%3Cb%3E"]) {
    const { status, text } = await page(query);
    assertEquals(status, 200, query);
    assert(!text.includes("<b>"), query);
  }
});

Deno.test("GET /admin/schedule links from empty days to the next planned document", async () => {
  await using test = await testApp();
  const { id, at, page } = await site(test);
  const now = Math.floor(test.context.now() / 1_000);
  const dayOf = (seconds: number) => timeOf(seconds).slice(0, 10);
  const shown = async (query: string) => (await page(query)).text;

  assert(!(await shown(`view=week&day=${dayOf(at)}`)).includes("Nothing is planned"));
  const before = await shown(`view=week&day=${dayOf(now - 28 * 86_400)}`);
  assertStringIncludes(before, "Nothing is scheduled for this week.");
  assertStringIncludes(
    before,
    `Next: <a href="/admin/documents/${id}" dir="auto">Later</a> (Posts)`,
  );
  assertStringIncludes(before, `/admin/schedule?view=week&amp;day=${dayOf(at)}`);
  const year = Number(dayOf(at).slice(0, 4)) + 3;
  const after = await shown(`view=month&day=${year}-03-01`);
  assertMatch(after, new RegExp(`Before: <a [^(]*\\(Posts\\), [^.]* ${dayOf(at).slice(0, 4)} at `));

  const release = at + 14 * 86_400;
  await test.admin("POST", "/releases", { name: "Spring", publishAt: release });
  const between = await shown(`view=week&day=${dayOf(at + 7 * 86_400)}`);
  assertStringIncludes(between, "Spring</a> (Release)");
  await test.admin("DELETE", `/documents/${id}`);
  assertStringIncludes(await shown(`day=${dayOf(release)}`), "Spring");
  assert(!(await shown("")).includes("Nothing is scheduled"));
});
