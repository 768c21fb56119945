import { assertEquals } from "@std/assert";
import { HistorySite } from "../../../support/harness/history_site.ts";

Deno.test("GET /api/admin/versions/{id}/diff compares with the version before, or with any other", async () => {
  await using site = await HistorySite.open();
  await site.want(201, "POST", "/collections", { slug: "posts", name: "Posts" });
  const post = { collection: "posts", title: "One" };
  const { id } = await site.want(201, "POST", "/documents", post);
  const at = site.now;
  site.pass();
  await site.want(200, "PATCH", `/documents/${id}`, { title: "Two" });
  await site.want(200, "PATCH", `/documents/${id}`, { title: "Three" });
  const [three, two, one] = await site.versions("document", id);

  const previous = await site.want(200, "GET", `/versions/${three.id}/diff`);
  const far = await site.want(200, "GET", `/versions/${three.id}/diff?against=${one.id}`);
  const first = await site.want(200, "GET", `/versions/${one.id}/diff?against=previous`);

  const title = { path: "title", kind: "changed" };
  assertEquals(previous, {
    from: { id: two.id, version_number: 2, changed_at: site.now },
    to: { id: three.id, version_number: 3, changed_at: site.now },
    changes: [{ ...title, before: "Two", after: "Three" }],
    truncated: false,
  });
  assertEquals(far.from, { id: one.id, version_number: 1, changed_at: at });
  assertEquals(far.changes[0], { ...title, before: "One", after: "Three" });
  assertEquals(far.changes[1].path, "updatedAt");
  assertEquals(first.from, null);
  assertEquals(first.changes.every(({ kind }: { kind: string }) => kind === "added"), true);
});

Deno.test("GET /api/admin/versions/{id}/diff never shows a secret", async () => {
  await using site = await HistorySite.open();
  await site.want(200, "PATCH", "/settings", { "secret.key": "hush" });
  await site.want(200, "PATCH", "/settings", { "secret.key": "quiet" });
  await site.want(200, "PATCH", `/users/${site.userId}`, { password: "an entirely new one" });
  const setting = (await site.versions("setting", (await site.ids("setting")).at(-1)!))[0];
  const user = (await site.versions("user", site.userId))[0];

  for (const { id } of [setting, user]) {
    const { text } = await site.ask("GET", `/versions/${id}/diff`);
    for (const secret of ["hush", "quiet", "passwordHash", "scrypt"]) {
      assertEquals(text.includes(secret), false, secret);
    }
  }
});

Deno.test("GET /api/admin/versions/{id}/diff refuses versions of something else", async () => {
  await using site = await HistorySite.open();
  const [permission, other] = await site.ids("permission");
  const [one] = await site.versions("permission", permission!);
  const [two] = await site.versions("permission", other!);

  const { status, json } = await site.ask("GET", `/versions/${one.id}/diff?against=${two.id}`);

  assertEquals([status, json.error.code], [422, "VALIDATION_FAILED"]);
  assertEquals(json.error.details[0].field, "against");
  assertEquals(await site.refusal("GET", `/versions/${one.id}/diff?against=none`), [
    404,
    "NOT_FOUND",
  ]);
  assertEquals(await site.refusal("GET", "/versions/none/diff"), [404, "NOT_FOUND"]);
});
