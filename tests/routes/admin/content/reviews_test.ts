/**
 * Reviews: an author asks, somebody who may publish returns or publishes, and both are told by mail.
 */
import { assertEquals } from "@std/assert";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { setUpAdmin, signIn } from "../../../support/sites/backups.ts";
import type { JobRecord } from "../../../../kv/jobs/job.ts";
import { jobPrefix } from "../../../../kv/jobs/job_keys.ts";
import { NO_ID } from "../../../support/sites/headless.ts";

/** The heading of the review queue on the overview. */
const WAITING = "Waiting for your review";

const NOTES = {
  slug: "notes",
  name: "Notes",
  fields: [{ name: "lead", type: "text", required: true }],
};
const AUTHOR = {
  email: "bea@example.org",
  password: "a password of some length",
  displayName: "Bea",
};

async function reviewSite() {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("POST", "/collections", NOTES);
  const { json: user } = await admin.ask("POST", "/users", { ...AUTHOR, roles: ["author"] });
  const author = await signIn(app, AUTHOR);
  const { json } = await author.ask("POST", "/documents", { collection: "notes", title: "One" });
  return {
    app,
    admin,
    author,
    authorId: user.id as string,
    id: json.id as string,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** The mails about documents, oldest first. */
async function mails({ context: { store } }: TestApp): Promise<Json[]> {
  const jobs = await store.listAll<JobRecord>({ prefix: jobPrefix });
  const sent = jobs.map(({ value }) => value!).filter(({ type }) => type === "SEND_MAIL");
  return sent.map(({ payload }) => payload)
    .filter((payload) => (payload as { kind: string }).kind === "editorial");
}

Deno.test("POST /documents/{id}/review queues a draft, and DELETE takes it out", async () => {
  await using site = await reviewSite();
  const { author, admin, authorId, id } = site;
  assertEquals((await admin.ask("GET", "/documents?review=asked")).json.meta.total, 0);

  const asked = await author.ask("POST", `/documents/${id}/review`, { note: " Please look. " });

  assertEquals([asked.status, asked.json._review], [200, {
    state: "asked",
    note: "Please look.",
    askedBy: authorId,
    askedAt: asked.json._review.askedAt,
    answer: null,
    returnedBy: null,
    returnedAt: null,
  }]);
  const { json: queue } = await admin.ask("GET", "/documents?review=asked");
  assertEquals(queue.data.map((one: { id: string }) => one.id), [id]);
  const before = (await admin.ask("GET", `/documents/${id}`)).json;
  const patched = await author.ask("PATCH", `/documents/${id}`, { ...before, lead: "Hello" });
  assertEquals([patched.status, patched.json._review.state], [200, "asked"]);

  assertEquals((await author.ask("DELETE", `/documents/${id}/review`)).status, 204);
  assertEquals((await admin.ask("GET", "/documents?review=asked")).json.data, []);
  assertEquals((await admin.ask("GET", `/documents/${id}`)).json._review, undefined);
  assertEquals((await author.ask("DELETE", `/documents/${id}/review`)).status, 404);
});

Deno.test("a review is returned with an answer; only who may publish does that, and only once", async () => {
  await using site = await reviewSite();
  const { author, admin, id } = site;
  const path = `/documents/${id}/review`;
  assertEquals((await admin.ask("POST", `${path}/return`, {})).json.error.code, "CONFLICT");
  await author.ask("POST", path);

  assertEquals((await author.ask("POST", `${path}/return`, { note: "No" })).status, 403);
  const { json } = await admin.ask("POST", `${path}/return`, { note: "Shorter, please" });

  assertEquals([json._review.state, json._review.answer], ["returned", "Shorter, please"]);
  assertEquals((await admin.ask("GET", "/documents?review=asked")).json.data, []);
  assertEquals((await admin.ask("POST", `${path}/return`, {})).status, 409);
  const again = await author.ask("POST", path, { note: "Shorter now" });
  assertEquals([again.json._review.state, again.json._review.answer], ["asked", null]);
});

Deno.test("a review needs something to review, and ends with the publication", async () => {
  await using site = await reviewSite();
  const { author, admin, id } = site;
  await author.ask("PATCH", `/documents/${id}`, { lead: "Hello" });
  await author.ask("POST", `/documents/${id}/review`);

  assertEquals((await admin.ask("POST", `/documents/${id}/publish`)).status, 202);
  assertEquals((await admin.ask("GET", `/documents/${id}`)).json._review, undefined);
  const refused = await author.ask("POST", `/documents/${id}/review`);
  assertEquals([refused.status, refused.json.error.code], [409, "CONFLICT"]);

  const change = await author.ask("PATCH", `/documents/${id}/working-copy`, { lead: "Changed" });
  assertEquals(change.status, 200, "an author proposes a change of what is public");
  assertEquals((await author.ask("POST", `/documents/${id}/review`)).status, 200);
  assertEquals((await admin.ask("GET", "/documents?review=asked")).json.meta.total, 1);
  const both = await admin.ask("GET", "/documents?review=asked&workingCopy=true");
  assertEquals(both.json.meta.total, 1);
  assertEquals((await admin.ask("DELETE", `/documents/${id}/working-copy`)).status, 204);
  assertEquals((await admin.ask("GET", "/documents?review=asked")).json.data, []);
});

Deno.test("a note is bounded, unknown members are named, and the queue takes no other value", async () => {
  await using site = await reviewSite();
  const { author, admin, id } = site;
  for (const body of [{ note: "x".repeat(2_001) }, { note: 1 }, { notes: "" }]) {
    const { status } = await author.ask("POST", `/documents/${id}/review`, body);
    assertEquals(status, 422, JSON.stringify(body));
  }
  for (const query of ["review=yes", "review=asked&workingCopy=yes"]) {
    assertEquals((await admin.ask("GET", `/documents?${query}`)).status, 400, query);
  }
  assertEquals((await admin.ask("GET", `/documents/${id}`)).json._review, undefined);
});

Deno.test("a review changes nothing for the headless API and its change feed", async () => {
  await using site = await reviewSite();
  const { app, author, id } = site;
  const token = await app.token({ scopes: ["*:read", "*:read-drafts"] });
  const read = () => app.call("GET", `/api/v1/notes/${id}`, { token });
  const feed = () => app.call("GET", "/api/v1/_changes", { token });
  const before = (await read()).json;
  const { meta: { cursor } } = (await feed()).json;

  await author.ask("POST", `/documents/${id}/review`, { note: "Look" });

  assertEquals((await read()).json, before);
  const { data } = (await app.call("GET", `/api/v1/_changes?since=${cursor}`, { token })).json;
  assertEquals(data, []);
});

Deno.test("review requests, returns and publications are mailed to the users who wait for them", async () => {
  await using site = await reviewSite();
  const { app, author, admin, authorId, id } = site;
  const adminId = (await admin.ask("GET", "/session")).json.user.id;
  await author.ask("PATCH", `/documents/${id}`, { lead: "Hello" });
  await author.ask("POST", `/documents/${id}/review`, { note: "Look" });
  await admin.ask("POST", `/documents/${id}/review/return`, { note: "Shorter" });
  await author.ask("POST", `/documents/${id}/review`, { note: "Done" });
  await admin.ask("POST", `/documents/${id}/publish`);

  const collectionId = (await admin.ask("GET", "/collections/notes")).json.id;
  const about = { kind: "editorial", documentId: id, collectionId, title: "One" };
  assertEquals(await mails(app), [
    { ...about, event: "review_asked", to: null, by: authorId, text: "Look" },
    { ...about, event: "review_returned", to: [authorId], by: adminId, text: "Shorter" },
    { ...about, event: "review_asked", to: null, by: authorId, text: "Done" },
    { ...about, event: "review_published", to: [authorId], by: adminId, text: "" },
  ]);
});

Deno.test("reviewers are chosen among the users who may publish, and only they are asked", async () => {
  await using site = await reviewSite();
  const { app, admin, author, authorId, id } = site;
  const cem = { email: "cem@example.org", password: AUTHOR.password, displayName: "Cem" };
  const { json: editor } = await admin.ask("POST", "/users", { ...cem, roles: ["editor"] });
  const editorPage = await signIn(app, cem);
  const path = `/documents/${id}/review`;
  for (const reviewers of [[authorId], [editor.id, NO_ID]]) {
    const { status, json } = await author.ask("POST", path, { reviewers });
    assertEquals([status, json.error.details[0].field], [422, `reviewers.${reviewers.length - 1}`]);
  }
  assertEquals(
    (await author.ask("POST", path, { reviewers: Array(21).fill(editor.id) })).status,
    422,
  );

  const asked = await author.ask("POST", path, { reviewers: [editor.id, editor.id], note: "Look" });

  assertEquals(asked.json._review.reviewers, [editor.id]);
  const [mail] = await mails(app) as { to: string[] }[];
  assertEquals(mail?.to, [editor.id]);
  const isQueued = async ({ cookie }: typeof admin) =>
    (await app.call("GET", "/admin", { headers: { cookie } })).text.includes(WAITING);
  assertEquals([await isQueued(admin), await isQueued(editorPage)], [false, true]);

  // Once no chosen reviewer may publish any longer, everyone who may is asked.
  await admin.ask("PATCH", `/users/${editor.id}`, { roles: ["author"] });
  assertEquals([await isQueued(admin), await isQueued(editorPage)], [true, false]);
  await admin.ask("POST", `${path}/return`, { note: "Shorter" });
  const again = await author.ask("POST", path);
  assertEquals(again.json._review.reviewers, undefined, "a second request asks everyone again");
});
