import { screenList } from "../../../routes/studio/screens.ts";
import { ICON_NAMES } from "../../../routes/studio/components/icon_names.ts";
import DRAWN from "../../../routes/studio/built/icons.json" with { type: "json" };
import { callApp, type TestApp, testApp } from "../../support/sites/app.ts";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";

/** Sets the site up; answers the cookie of its administrator. */
async function setUp(test: TestApp): Promise<string> {
  const body = {
    code: "setup-code",
    email: "ada@example.org",
    displayName: "Ada",
    password: "correct horse battery",
    siteTitle: "The Lantern",
  };
  const { headers } = await test.call("POST", "/api/admin/setup", { body });
  return headers.get("set-cookie")!.split(";")[0]!;
}

Deno.test("every screen of the navigation opens for an administrator, and has its name there", async () => {
  await using test = await testApp();
  const cookie = await setUp(test);

  for (const [, { path, title, nav }] of screenList()) {
    if (nav === undefined) continue;
    const address = path === "/" ? "/admin" : `/admin${path}`;
    const { status, text } = await callApp(test.app, "GET", address, { headers: { cookie } });
    assertEquals(status, 200, address);
    assert(text.includes(`<a href="${address}" aria-current="page" title="${title}">`), address);
    assertEquals((text.match(/aria-current="page" title=/g) ?? []).length, 1, address);
  }
});

Deno.test("groups that the user has closed stay closed, except the current one", async () => {
  await using test = await testApp();
  const cookie = await setUp(test);
  const headers = {
    cookie:
      `${cookie}; studio-closed=Site.System; studio-sidebar=collapsed; studio-details=collapsed`,
  };

  const { text } = await callApp(test.app, "GET", "/admin/jobs", { headers });

  assertMatch(text, /data-sidebar="collapsed"/);
  assertMatch(text, /data-details="collapsed"/);
  const open = [...text.matchAll(/<details[^>]*?( open(?:="[^"]*")?)? data-nav-group="(\w+)"/g)]
    .filter(([, isOpen]) => isOpen !== undefined).map(([, , heading]) => heading);
  assertEquals(open, ["Structure", "System"]);
});

Deno.test("GET /admin/login leads to signing in, and keeps the requested page", async () => {
  await using test = await testApp();
  await setUp(test);

  const { status, headers } = await callApp(test.app, "GET", "/admin/login?next=/admin/media");

  assertEquals(status, 302);
  assertEquals(headers.get("location"), "/admin/sign-in?next=/admin/media");
});

Deno.test("GET /admin/icon.svg is the mark of the studio, which can run nothing", async () => {
  await using test = await testApp();

  const { status, headers, text } = await callApp(test.app, "GET", "/admin/icon.svg");

  assertEquals([status, headers.get("content-type")], [200, "image/svg+xml"]);
  assertMatch(headers.get("content-security-policy")!, /default-src 'none'.*sandbox/);
  assertMatch(text, /^<svg /);
});

Deno.test("every icon is drawn", () => {
  assertEquals(Object.keys(DRAWN).sort(), Object.keys(ICON_NAMES).sort());
  assert(Object.values(DRAWN).every((inside) => inside.startsWith("<")));
});

Deno.test("GET /admin/components is for development only", async () => {
  await using test = await testApp();
  const headers = { cookie: await setUp(test) };
  await using other = await testApp({ development: true });
  const otherHeaders = { cookie: await setUp(other) };

  const served = await callApp(test.app, "GET", "/admin/components", { headers });
  const worked = await callApp(other.app, "GET", "/admin/components", { headers: otherHeaders });

  assertEquals([served.status, worked.status], [404, 200]);
});

Deno.test("a back-up made by hand brings the images along unless one says otherwise", async () => {
  await using test = await testApp();
  const cookie = await setUp(test);

  const { text } = await callApp(test.app, "GET", "/admin/back-ups", { headers: { cookie } });

  const form = text.slice(text.indexOf('id="export"'), text.indexOf('data-name="redacted"'));
  const box = /<input[^>]*>/.exec(form.slice(form.indexOf('data-name="media"')))?.[0] ?? "";
  assertMatch(box, /type="checkbox"/);
  assertMatch(box, / checked/);
});

Deno.test("no screen names a Mac's key, a program's words or another collection's address", async () => {
  await using test = await testApp();
  const cookie = await setUp(test);
  const fields = [{ name: "teaser", type: "text" }];
  const body = { slug: "recipes", name: "Recipes", fields };
  const made = { headers: { cookie }, body };
  assertEquals((await test.call("POST", "/api/admin/collections", made)).status, 201);
  const paths = screenList().map(([, { path }]) => path).filter((path) => !path.includes(":"));
  const ofOne = ["/content/recipes", "/content/recipes/new", "/collections/recipes"];
  const inside = ["/collections/recipes/api", "/collections/recipes/fields/teaser"];
  let seen = 0;

  for (const path of [...paths, ...ofOne, ...inside]) {
    const { status, text } = await callApp(test.app, "GET", `/admin${path}`, {
      headers: { cookie },
    });
    if (status !== 200) continue;
    seen += 1;
    for (const words of [/⌘/, /\/api\/v1\/posts/, /send mails/i, /user role/i, /Most rows/]) {
      assert(!words.test(text), `${path} says ${words}`);
    }
  }

  assert(seen > 20, `${seen} screens were seen`);
  const { text } = await callApp(test.app, "GET", "/admin/collections/recipes", {
    headers: { cookie },
  });
  assertMatch(text, /In the API: \/api\/v1\/recipes\. On the site: \/recipes\./);
});

Deno.test("an invited user has exactly the selected roles", async () => {
  await using test = await testApp();
  const cookie = await setUp(test);

  const { text } = await callApp(test.app, "GET", "/admin/users", { headers: { cookie } });

  const [dialog] = /<dialog id="invite"[\s\S]*?<\/dialog>/.exec(text)!;
  const roles = dialog.match(/<input[^>]*name="roles"[^>]*>/g) ?? [];
  assert(roles.length >= 3, dialog);
  assertEquals(roles.filter((one) => one.includes("checked")), []);
});
