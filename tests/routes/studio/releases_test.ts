/** The screens of releases, and releases and ends of publications in the calendar. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { ADA } from "../../support/sites/app.ts";
import { releaseSite } from "../../support/sites/release_site.ts";

Deno.test("the screens of releases show their documents, the problems that block them, and documents to add", async () => {
  await using site = await releaseSite();
  const { test } = site;
  const session = await test.call("POST", "/api/admin/session", {
    body: { email: ADA.email, password: ADA.password },
  });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  const get = async (path: string) => {
    const answer = await test.call("GET", path, { headers: { cookie } });
    assertEquals([path, answer.status], [path, 200], answer.text);
    return answer.text;
  };
  assert((await get("/admin/releases")).includes("No releases yet"));
  const good = await site.post("Good one", { body: "x" });
  const bad = await site.post("Bad one");
  await site.post("Not in it", { body: "x" });
  const id = await site.release("Spring", { [good]: "publish", [bad]: "publish" });
  assert((await get("/admin/releases")).includes("Spring"));
  const shown = await get(`/admin/releases/${id}`);
  for (const text of ["Good one", "Bad one", "body is missing", "Not in it", "Publish now"]) {
    assert(shown.includes(text), text);
  }
  assert((await get(`/admin/documents/${good}`)).includes(`/admin/releases/${id}`));
  const found = await get(`/admin/releases/${id}?q=nothing`);
  assert(found.includes("No document with that title"));
  await site.want(200, "DELETE", `/releases/${id}/documents/${bad}`);
  const at = Math.floor(test.context.now() / 1000) + 3_600;
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: at });
  const leaving = await site.post("Leaving", { status: "published", body: "x" });
  await site.want(200, "POST", `/documents/${leaving}/schedule`, { unpublishAt: at + 60 });
  const document = await get(`/admin/documents/${leaving}`);
  assert(document.includes("<dt>Unpublish on</dt>") && document.includes('id="publish-until"'));
  const calendar = await get("/admin/schedule");
  for (const text of [`/admin/releases/${id}`, "Spring", "Leaving", "Unpublish"]) {
    assert(calendar.includes(text), text);
  }
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: null });
  await site.run(id, "publish");
  const done = await get(`/admin/releases/${id}`);
  assert(done.includes("Revert") && !done.includes("Publish now"));
});
