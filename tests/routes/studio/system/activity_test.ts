import { ADA, testApp } from "../../../support/sites/app.ts";
import { assertEquals, assertStringIncludes } from "../../../support/harness/assert.ts";

const DAY_MS = 86_400_000;

/** Three documents: two by Ada on two days, one by Bea on a third; the clock stands at noon in Vienna. */
async function site() {
  const test = await testApp();
  await test.setUp();
  await test.admin("PATCH", "/settings", { "site.timezone": "Europe/Vienna" });
  await test.admin("POST", "/collections", { slug: "notes", name: "Notes" });
  const bea = { email: "bea@example.org", password: "another correct horse" };
  await test.admin("POST", "/users", { ...bea, displayName: "Bea", roles: ["editor"] });
  const signIn = async (body: { email: string; password: string }) =>
    (await test.call("POST", "/api/admin/session", { body })).headers.get("set-cookie")!
      .split(";")[0]!;
  const write = async (title: string, cookie: string) => {
    const body = { collection: "notes", title };
    await test.call("POST", "/api/admin/documents", { body, headers: { cookie } });
  };
  const ada = { email: ADA.email, password: ADA.password };
  const days: string[] = [];
  for (const [title, author] of [["First", ada], ["Second", ada], ["Third", bea]] as const) {
    await write(title, await signIn(author));
    days.push(new Date(test.context.now()).toISOString().slice(0, 10));
    test.context.advance(DAY_MS);
  }
  const own = await signIn(ada);
  const names = async (query: string) => {
    const { text } = await test.call("GET", `/admin/activity?type=document&${query}`, {
      headers: { cookie: own },
    });
    return [...text.matchAll(/<a href="\/admin\/versions\/document\/[^"]*">([^<]*)</g)]
      .map(([, name]) => name);
  };
  const { text } = await test.call("GET", "/admin/activity", { headers: { cookie: own } });
  const idOf = (name: string) => new RegExp(`<option value="([^"]*)"[^>]*>${name}<`).exec(text)![1];
  return { test, names, days, idOf, own, write };
}

Deno.test("Activity is filtered by person and by days", async () => {
  const { test, names, days, idOf } = await site();
  await using _ = test;

  assertEquals(await names(""), ["Third", "Second", "First"]);
  assertEquals(await names(`by=${idOf("Bea")}`), ["Third"]);
  assertEquals(await names(`by=${idOf("Ada")}`), ["Second", "First"]);
  assertEquals(await names("by=service"), []);
  assertEquals(await names(`from=${days[1]}`), ["Third", "Second"]);
  assertEquals(await names(`to=${days[1]}`), ["Second", "First"]);
  assertEquals(await names(`from=${days[1]}&to=${days[1]}`), ["Second"]);
  assertEquals(await names(`from=${days[1]}&by=${idOf("Ada")}`), ["Second"]);
  assertEquals(await names("from=never&by=unknown"), ["Third", "Second", "First"]);
});

Deno.test("Activity says so if nothing matches, and continues after what was searched", async () => {
  const { test, names, days, idOf, own, write } = await site();
  await using _ = test;
  const page = async (query: string) =>
    (await test.call("GET", `/admin/activity?${query}`, { headers: { cookie: own } })).text;

  const none = await page(`type=document&by=${idOf("Bea")}&to=${days[0]}`);
  assertStringIncludes(none, "No changes by this user in this period.");
  assertStringIncludes(none, 'href="/admin/activity?type=document"');
  for (let n = 0; n < 60; n++) await write(`Note ${n}`, own);
  const first = await page(`type=document&by=${idOf("Ada")}`);
  assertEquals(first.match(/class="changes"/g)?.length, 1);
  const older = /href="[^"?]*\?([^"]*before=[^"]*)"[^>]*rel="next"/.exec(first)![1]!;
  assertEquals((await names(older.replaceAll("&amp;", "&"))).slice(-3), [
    "Note 0",
    "Second",
    "First",
  ]);
  assertEquals((await names(older.replaceAll("&amp;", "&"))).length, 12);
});
