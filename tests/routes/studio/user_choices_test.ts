/** Filters by user: the first names are on the page, the others are found as the user searches. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { testApp } from "../../support/sites/app.ts";
import { ADMIN, setUpAdmin } from "../../support/sites/backups.ts";
import { USER_CHOICES_MAX } from "../../../routes/input/limits.ts";

const SOURCE = 'data-source="/admin/find/users"';

/** A site whose only user is Ada, and its pages as she sees them. */
async function site() {
  const app = await testApp();
  const ada = await setUpAdmin(app);
  const { headers } = await app.call("POST", "/api/admin/session", {
    body: { email: ADMIN.email, password: ADMIN.password },
  });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = async (path: string) => await app.call("GET", path, { headers: { cookie } });
  const invite = async (name: string) => {
    const user = { email: `${name.replace(" ", "")}@example.org`, displayName: name, roles: [] };
    return answered(await ada.ask("POST", "/users", user), 201).id as string;
  };
  return { app, page, invite, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** The values of a filter that are ids of users. */
function idsIn(html: string, name: string): string[] {
  const select = new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`, "s").exec(html);
  assert(select !== null);
  return [...select[0].matchAll(/value="(01[0-9A-Z]{24})"/g)].map(([, id]) => id!);
}

Deno.test("filters by user have a bounded number of names, and find the others", async () => {
  await using test = await site();
  const { page, invite } = test;
  const path = "/admin/content", activity = "/admin/activity";
  assert(!(await page(path)).text.includes(SOURCE));
  for (let n = 0; n < USER_CHOICES_MAX; n += 1) await invite(`Reader ${n}`);
  const last = await invite("Zoe Zed");

  for (const [address, name] of [[path, "createdBy"], [activity, "by"]] as const) {
    const { text } = await page(address);
    assertEquals(idsIn(text, name).length, USER_CHOICES_MAX, address);
    assert(text.includes(SOURCE), address);
    assert(!idsIn(text, name).includes(last), address);

    const chosen = (await page(`${address}?${name}=${last}`)).text;
    assertEquals(idsIn(chosen, name).length, USER_CHOICES_MAX + 1, address);
    assert(chosen.includes(`<option value="${last}" selected`), address);
  }

  const { json } = await page("/admin/find/users?q=%20zOe&fields=id,title&perPage=20");
  assertEquals(json.data, [{ id: last, title: "Zoe Zed" }]);
  const all = (await page("/admin/find/users")).json.data;
  assertEquals([all.length, all[0].title], [20, "Ada"]);
  assertEquals((await test.app.call("GET", "/admin/find/users?q=zoe")).status, 302);
});
