/** The screens of releases, and releases and ends of publications in the calendar. */
import { versionKey } from "../../../kv/keys.ts";
import { getRelease } from "../../../kv/releases/releases.ts";
import { Operation } from "../../../kv/store/operation.ts";
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

Deno.test("a published release shows what it changed in each document", async () => {
  await using site = await releaseSite();
  const { test } = site;
  const { headers } = await test.call("POST", "/api/admin/session", {
    body: { email: ADA.email, password: ADA.password },
  });
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  const text = async (path: string) => {
    const answer = await test.call("GET", path, { headers: { cookie } });
    assertEquals([path, answer.status], [path, 200], answer.text);
    return answer.text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  };
  const edited = await site.changed("Edited", { body: "pending words" });
  const draft = await site.post("First time", { body: "born" });
  const leaving = await site.post("Leaving", { status: "published", body: "x" });
  const other = await site.post("Not in it", { body: "x" });
  const id = await site.release("Spring", {
    [edited]: "publish",
    [draft]: "publish",
    [leaving]: "unpublish",
  });
  const of = (document: string) => `/admin/releases/${id}/documents/${document}`;
  assert((await text(of(edited))).includes("has not been published yet"));
  await site.run(id, "publish");
  // What happens later to a document does not change what the release has done.
  await site.want(200, "PATCH", `/documents/${edited}`, { body: "later words" });

  const shown = await text(of(edited));
  assert(/1 change\. Published/.test(shown), shown);
  assert(shown.includes("pending words") && !shown.includes("later words"), shown);
  const first = await text(of(draft));
  assert(first.includes("for the first time") && first.includes("born"), first);
  assert((await text(of(leaving))).includes("The release unpublished this document"));
  assertEquals((await test.call("GET", of(other), { headers: { cookie } })).status, 404);
  const links = (await test.call("GET", `/admin/releases/${id}`, { headers: { cookie } })).text;
  assert(links.includes(`href="${of(edited)}"`) && !links.includes(`href="${of(leaving)}"`));

  // As a release leaves it whose versions were pruned before releases kept theirs.
  const { state: { documents } } = await getRelease(test.deps.content, id);
  const before = documents.find(({ documentId }) => documentId === edited)?.before;
  assert(before !== undefined);
  await test.context.store.commit(new Operation().delete(versionKey("document", edited, before)));
  const pruned = await text(of(edited));
  assert(pruned.includes("The versions of this release are no longer stored"), pruned);
  assert(!pruned.includes("pending words"), pruned);
});
