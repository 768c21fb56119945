import { ADA, testApp } from "../../support/sites/app.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

Deno.test("GET /admin/time-travel/{at}/site/… is every page of the site as it was at that second", async () => {
  await using test = await testApp();
  await test.setUp();
  const fields = [
    { name: "lead", label: "Lead", type: "text" },
    { name: "next", label: "Next", type: "reference", options: { collection: "posts" } },
  ];
  await test.admin("POST", "/collections", { slug: "posts", name: "Posts", fields });
  const hidden = { slug: "parts", name: "Parts", pageless: true, fields: [] };
  assertEquals((await test.admin("POST", "/collections", hidden)).status, 201);
  const post = async (title: string, rest: Record<string, string> = {}) =>
    (await test.admin("POST", "/documents", {
      collection: "posts",
      status: "published",
      title,
      ...rest,
    })).json.id as string;
  const now = () => Math.floor(test.context.now() / 1000);
  const before = now();
  test.context.advance(60_000);
  const other = await post("Old lamps");
  const id = await post("Light", { lead: "It was dark.", next: other });
  const passing = await post("Passing");
  const then = now();
  test.context.advance(60_000);
  await test.admin("PATCH", `/documents/${id}`, { title: "Dusk", slug: "dusk", lead: "It dawns." });
  await test.admin("PATCH", `/documents/${other}`, { title: "New lamps" });
  await test.admin("POST", `/documents/${id}/publish`);
  await test.admin("DELETE", `/documents/${passing}`);
  test.context.advance(60_000);
  const cookie = (await test.call("POST", "/api/admin/session", {
    body: { email: ADA.email, password: ADA.password },
  })).headers.get("set-cookie")!.split(";")[0]!;
  const at = (second: number, path: string, headers: Record<string, string> = { cookie }) =>
    test.call("GET", `/admin/time-travel/${second}/site${path}`, { headers });

  const page = await at(then, "/posts/light");
  assertEquals(page.status, 200);
  assert(page.text.includes("It was dark.") && !page.text.includes("It dawns."));
  assert(page.text.includes("Old lamps") && !page.text.includes("New lamps"));
  assert(page.text.includes(`href="/admin/time-travel/${then}/site/posts"`));
  assert(page.headers.get("content-security-policy")!.startsWith("sandbox allow-same-origin;"));
  const [home, list] = [await at(then, "/"), await at(then, "/posts")];
  for (const { status, text } of [home, list]) {
    assertEquals(status, 200);
    assert(text.includes("Light") && text.includes("Passing") && !text.includes("Dusk"));
  }
  assertEquals((await at(then, "/posts/dusk")).status, 404);
  assertEquals((await at(before, "/posts/light")).status, 404);
  assert(!(await at(before, "/")).text.includes("Light"));
  assertEquals((await at(now(), "/posts/dusk")).status, 200);
  assertEquals((await at(now(), "/posts/light")).status, 404);

  assertEquals((await at(now() + 60, "/")).status, 404);
  assertEquals(
    (await at(then, "/", {})).headers.get("location")?.startsWith("/admin/sign-in"),
    true,
  );
  const screen = await test.call("GET", `/admin/time-travel?at=${then}`, { headers: { cookie } });
  assert(!screen.text.includes(`/site/parts"`));
  assert(screen.text.includes(`src="/admin/time-travel/${then}/site/"`));
  assert(screen.text.includes(`href="/admin/time-travel/${then}/site/posts/light"`));
});
