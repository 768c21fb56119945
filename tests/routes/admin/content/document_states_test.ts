import type { Status } from "../../../../kv/model/entities/document.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type Answer, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { NO_ID, NOON_SECONDS } from "../../../support/sites/headless.ts";

const LATER = NOON_SECONDS + 3_600;

async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [{ name: "body", type: "text", required: true }, {
      name: "code",
      type: "text",
      unique: true,
    }],
  });
  return test;
}

const act = (test: TestApp, id: string, move: string, body?: Json) =>
  test.admin("POST", `/documents/${id}/${move}`, body);

/** A document in a state, by the way that leads there. */
async function documentIn(test: TestApp, status: Status, more: Record<string, Json> = {}) {
  const body = { collection: "posts", title: status, body: "b", ...more };
  const { id } = answered(await test.admin("POST", "/documents", body), 201);
  const ways: Record<Status, () => Promise<Answer | null>> = {
    draft: () => Promise.resolve(null),
    published: () => act(test, id, "publish"),
    scheduled: () => act(test, id, "schedule", { publishAt: LATER }),
    archived: () => act(test, id, "archive"),
    trashed: () => test.admin("DELETE", `/documents/${id}`),
  };
  const answer = await ways[status]();
  assert(answer === null || answer.status < 300, answer?.text);
  return id as string;
}

async function read(test: TestApp, id: string) {
  return answered(await test.admin("GET", `/documents/${id}`), 200);
}

async function versionsOf(test: TestApp, id: string) {
  return answered(await test.admin("GET", `/versions/document/${id}?perPage=100`), 200);
}

/** Status of the answer and what the document is then, for every move from every state. */
const MOVES: Record<string, Record<Status, [number, Status]>> = {
  publish: {
    draft: [202, "published"],
    published: [202, "published"],
    scheduled: [202, "published"],
    archived: [202, "published"],
    trashed: [409, "trashed"],
  },
  unpublish: {
    draft: [409, "draft"],
    published: [202, "draft"],
    scheduled: [409, "scheduled"],
    archived: [409, "archived"],
    trashed: [409, "trashed"],
  },
  archive: {
    draft: [200, "archived"],
    published: [200, "archived"],
    scheduled: [200, "archived"],
    archived: [409, "archived"],
    trashed: [409, "trashed"],
  },
  untrash: {
    draft: [409, "draft"],
    published: [409, "published"],
    scheduled: [409, "scheduled"],
    archived: [200, "draft"],
    trashed: [200, "draft"],
  },
  schedule: {
    draft: [200, "scheduled"],
    published: [409, "published"],
    scheduled: [200, "scheduled"],
    archived: [200, "scheduled"],
    trashed: [409, "trashed"],
  },
  "schedule null": {
    draft: [200, "draft"],
    published: [409, "published"],
    scheduled: [200, "draft"],
    archived: [409, "archived"],
    trashed: [409, "trashed"],
  },
  delete: {
    draft: [204, "trashed"],
    published: [204, "trashed"],
    scheduled: [204, "trashed"],
    archived: [204, "trashed"],
    trashed: [204, "trashed"],
  },
  "patch same": {
    draft: [200, "draft"],
    published: [200, "published"],
    scheduled: [200, "scheduled"],
    archived: [200, "archived"],
    trashed: [200, "trashed"],
  },
  "patch other": {
    draft: [422, "draft"],
    published: [422, "published"],
    scheduled: [422, "scheduled"],
    archived: [422, "archived"],
    trashed: [422, "trashed"],
  },
};

function move(test: TestApp, id: string, how: string, from: Status): Promise<Answer> {
  switch (how) {
    case "schedule":
      return act(test, id, "schedule", { publishAt: LATER + 60 });
    case "schedule null":
      return act(test, id, "schedule", { publishAt: null });
    case "delete":
      return test.admin("DELETE", `/documents/${id}`);
    case "patch same":
      return test.admin("PATCH", `/documents/${id}`, { status: from });
    case "patch other": {
      const status = from === "draft" ? "published" : "draft";
      return test.admin("PATCH", `/documents/${id}`, { status });
    }
    default:
      return act(test, id, how);
  }
}

Deno.test("every move of the admin API from every state ends where the table says", async () => {
  await using test = await site();
  for (const [how, rows] of Object.entries(MOVES)) {
    for (const [from, [status, to]] of Object.entries(rows) as [Status, [number, Status]][]) {
      const id = await documentIn(test, from);
      const before = await read(test, id);
      const where = `${how} from ${from}`;
      const answer = await move(test, id, how, from);
      assertEquals(answer.status, status, `${where}: ${answer.text}`);
      const after = await read(test, id);
      assertEquals(after.status, to, where);
      if (status === 409) assertRefusal(answer, 409, "CONFLICT");
      if (status === 422) assertRefusal(answer, 422, "STATUS_TRANSITION_NOT_SUPPORTED");
      if (status === 200) assertEquals(answer.json, after, where);
      if (status === 202) {
        assertEquals(Object.keys(answer.json), ["status", "jobId"]);
        assertEquals(answer.json.status, "queued");
        const job = answered(await test.admin("GET", `/jobs/${answer.json.jobId}`), 200);
        assertEquals(job.type, how === "publish" ? "PUBLISH" : "UNPUBLISH", where);
      }
      if (to !== "scheduled") assertEquals(after.publishAt, null, where);
      if (status >= 400 || how === "patch same") assertEquals(after, before, where);
      if (from === to && how !== "schedule") {
        const { meta } = await versionsOf(test, id);
        assertEquals(meta.total, from === "draft" ? 1 : 2, `${where} records no version`);
      }
    }
  }
});

/** The same for the headless API. */
const V1_MOVES: Record<string, Record<Status, number>> = {
  delete: { draft: 204, published: 204, scheduled: 204, archived: 204, trashed: 204 },
  "patch same": { draft: 200, published: 200, scheduled: 200, archived: 200, trashed: 404 },
  "patch other": { draft: 422, published: 422, scheduled: 422, archived: 422, trashed: 404 },
};

Deno.test("every move of the headless API from every state ends where the table says", async () => {
  await using test = await site();
  const token = await test.token();
  for (const [how, rows] of Object.entries(V1_MOVES)) {
    for (const [from, status] of Object.entries(rows) as [Status, number][]) {
      const id = await documentIn(test, from);
      const other = from === "archived" ? "trashed" : "archived";
      const body = { status: how === "patch same" ? from : other };
      const path = `/api/v1/posts/${id}`;
      const answer = how === "delete"
        ? await test.call("DELETE", path, { token })
        : await test.call("PATCH", path, { token, body });
      assertEquals(answer.status, status, `${how} from ${from}: ${answer.text}`);
      if (status === 422) {
        assertEquals(answer.json.error.code, "STATUS_TRANSITION_NOT_SUPPORTED");
      }
      const to = how === "delete" ? "trashed" : from;
      assertEquals((await read(test, id)).status, to, `${how} from ${from}`);
    }
  }
});

Deno.test("POST /api/admin/documents takes draft, published and scheduled, and no other status", async () => {
  await using test = await site();
  const make = (status: Json) =>
    test.admin("POST", "/documents", { collection: "posts", title: "T", body: "b", status });
  for (const status of ["draft", "published", "scheduled"]) {
    const made = answered(await make(status), 201);
    assertEquals([made.status, made.publishAt], [status, null]);
    assertEquals(made.publishedAt, status === "published" ? NOON_SECONDS : null);
  }
  for (const status of ["archived", "trashed", "live", ""]) {
    assertRefusal(await make(status), 422, "VALIDATION_FAILED", ["status INVALID_STATUS"]);
  }
  assertRefusal(await make(1), 422, "VALIDATION_FAILED", ["status INVALID_TYPE"]);
});

Deno.test("POST /api/admin/documents by one who may not publish makes drafts only", async () => {
  await using test = await site();
  const author = { email: "au@example.org", displayName: "Au", password: "long enough, surely" };
  answered(await test.admin("POST", "/users", { ...author, roles: ["author"] }), 201);
  const { email, password } = author;
  const session = await test.call("POST", "/api/admin/session", { body: { email, password } });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  const make = (status?: string) =>
    test.call("POST", "/api/admin/documents", {
      body: { collection: "posts", title: "T", body: "b", ...(status && { status }) },
      headers: { cookie },
    });
  assertEquals(answered(await make(), 201).status, "draft");
  answered(await make("draft"), 201);
  assertRefusal(await make("published"), 403, "FORBIDDEN");
  assertRefusal(await make("scheduled"), 403, "FORBIDDEN");
});

Deno.test("POST /api/admin/documents/{id}/publish checks required fields and references", async () => {
  await using test = await site();
  const body = { collection: "posts", title: "T" };
  const { id } = answered(await test.admin("POST", "/documents", body), 201);

  assertRefusal(await act(test, id, "publish"), 422, "VALIDATION_FAILED", ["body REQUIRED"]);
  assertEquals((await read(test, id)).status, "draft");
  answered(await test.admin("PATCH", `/documents/${id}`, { body: "here" }), 200);
  answered(await act(test, id, "publish"), 202);

  const published = await read(test, id);
  assertEquals([published.status, published.publishedAt], ["published", NOON_SECONDS]);
  const emptied = await test.admin("PATCH", `/documents/${id}`, { body: null });
  assertRefusal(emptied, 422, "VALIDATION_FAILED", ["body REQUIRED"]);
});

Deno.test("a document published again keeps when it was first published", async () => {
  await using test = await site();
  const id = await documentIn(test, "published");
  test.context.advance(60_000);
  answered(await act(test, id, "unpublish"), 202);
  assertEquals((await read(test, id)).status, "draft");
  test.context.advance(60_000);
  answered(await act(test, id, "publish"), 202);

  const again = await read(test, id);

  assertEquals([again.publishedAt, again.updatedAt], [NOON_SECONDS, NOON_SECONDS + 120]);
  const { data } = await versionsOf(test, id);
  assertEquals(
    data.map(({ change_summary }: { change_summary: string }) => change_summary),
    ["Published", "Unpublished", "Published", null],
  );
});

Deno.test("POST /api/admin/documents/{id}/schedule checks the time", async () => {
  await using test = await site();
  const id = await documentIn(test, "draft");
  const schedule = (body: Json) => act(test, id, "schedule", body);
  const refused: [Json, string][] = [
    [{ publishAt: NOON_SECONDS }, "publishAt TOO_SMALL"],
    [{ publishAt: NOON_SECONDS - 1 }, "publishAt TOO_SMALL"],
    [{ publishAt: -5 }, "publishAt TOO_SMALL"],
    [{ publishAt: LATER * 1_000 }, "publishAt TOO_LARGE"],
    [{ publishAt: Number.MAX_SAFE_INTEGER }, "publishAt TOO_LARGE"],
    [{ publishAt: LATER + 0.5 }, "publishAt INVALID_TYPE"],
    [{ publishAt: "2030-01-01" }, "publishAt INVALID_TYPE"],
    [{}, "publishAt REQUIRED"],
    [{ publishAt: LATER, at: 1 }, "at UNKNOWN_KEY"],
  ];
  for (const [body, detail] of refused) {
    assertRefusal(await schedule(body), 422, "VALIDATION_FAILED", [detail]);
  }
  assertEquals((await read(test, id)).status, "draft");
  assertEquals(
    answered(await schedule({ publishAt: NOON_SECONDS + 1 }), 200).publishAt,
    NOON_SECONDS + 1,
  );
  assertRefusal(await act(test, NO_ID, "schedule", { publishAt: LATER }), 404, "NOT_FOUND");
});

Deno.test("POST /api/admin/documents/{id}/schedule again moves the time, null takes it away", async () => {
  await using test = await site();
  const id = await documentIn(test, "scheduled");
  const jobs = async () => {
    const answer = answered(await test.admin("GET", "/jobs?type=SCHEDULE"), 200);
    return answer.data.map(({ state, dueAt }: { state: string; dueAt: number }) => [state, dueAt]);
  };
  assertEquals(await jobs(), [["waiting", LATER]]);
  answered(await act(test, id, "schedule", { publishAt: LATER + 60 }), 200);
  assertEquals(await jobs(), [["waiting", LATER + 60]]);
  answered(await act(test, id, "schedule", { publishAt: LATER + 60 }), 200);
  assertEquals((await versionsOf(test, id)).meta.total, 3, "the same time again is no change");
  answered(await act(test, id, "schedule", { publishAt: null }), 200);
  assertEquals(await jobs(), []);

  test.context.advance(7_200_000);
  await test.runner.drain();

  assertEquals((await read(test, id)).status, "draft");
});

Deno.test("a scheduled document is published at its time, by no user", async () => {
  await using test = await site();
  const id = await documentIn(test, "scheduled");
  test.context.advance(3_600_000);
  await test.runner.drain();

  const published = await read(test, id);
  const { data } = await versionsOf(test, id);

  assertEquals([published.status, published.publishAt], ["published", null]);
  assertEquals([data[0].changed_by, data[0].editor], [null, null]);
  assertMatch(data[0].change_summary, /schedule/);
});

Deno.test("a scheduled document that is incomplete at its time returns to draft and says why", async () => {
  await using test = await site();
  const id = await documentIn(test, "draft", { body: null });
  answered(await act(test, id, "schedule", { publishAt: LATER }), 200);
  test.context.advance(3_600_000);
  await test.runner.drain();

  const draft = await read(test, id);
  const { data } = await versionsOf(test, id);
  const [job] = answered(await test.admin("GET", "/jobs?type=SCHEDULE"), 200).data;

  assertEquals([draft.status, draft.publishAt], ["draft", null]);
  assertMatch(data[0].change_summary, /body/);
  assertEquals([job.state, job.attempts], ["failed", 1]);
  assertMatch(job.error, /body/);
});

Deno.test("untrashing needs the slug and the unique values back", async () => {
  await using test = await site();
  const first = await documentIn(test, "trashed", { slug: "same", code: "C" });
  const second = await documentIn(test, "draft", { slug: "same" });
  assertRefusal(await act(test, first, "untrash"), 409, "SLUG_CONFLICT");

  // The way out of the conflict: a trashed document can be given another slug.
  answered(await test.admin("PATCH", `/documents/${first}`, { slug: "other" }), 200);
  answered(await test.admin("PATCH", `/documents/${second}`, { code: "C" }), 200);
  assertRefusal(await act(test, first, "untrash"), 409, "CONFLICT", ["code NOT_UNIQUE"]);
  answered(await test.admin("PATCH", `/documents/${second}`, { code: null }), 200);
  const back = answered(await act(test, first, "untrash"), 200);

  assertEquals([back.status, back.slug, back.code], ["draft", "other", "C"]);
});

Deno.test("only trashed documents can be deleted, and their history can restore them", async () => {
  await using test = await site();
  const path = (id: string) => `/documents/${id}/remove`;
  for (const status of ["draft", "published", "scheduled", "archived"] as const) {
    const id = await documentIn(test, status);
    assertRefusal(await test.admin("POST", path(id)), 409, "CONFLICT");
    assertEquals((await read(test, id)).status, status);
  }
  const id = await documentIn(test, "draft", { slug: "gone", code: "C" });
  answered(await test.admin("POST", `/documents/${id}/comments`, { text: "A word" }), 201);
  assertEquals((await test.admin("DELETE", `/documents/${id}`)).status, 204);

  assertEquals((await test.admin("POST", path(id))).status, 204);

  assertRefusal(await test.admin("POST", path(id)), 404, "NOT_FOUND");
  assertRefusal(await test.admin("GET", `/documents/${id}`), 404, "NOT_FOUND");
  const { data, meta } = answered(await test.admin("GET", "/documents?status=trashed"), 200);
  assertEquals([data, meta.total], [[], 0]);
  const [tombstone, _trashed, draft] = (await versionsOf(test, id)).data;
  assertMatch(tombstone.change_summary, /Removed from the trash/);

  answered(await test.admin("POST", `/versions/${draft.id}/restore`), 200);
  const back = await read(test, id);
  assertEquals([back.status, back.slug, back.code], ["draft", "gone", "C"]);
});

Deno.test("every move of a document that is not there is 404", async () => {
  await using test = await site();
  for (const how of Object.keys(MOVES)) {
    for (const id of [NO_ID, "not-an-id"]) {
      assertRefusal(await move(test, id, how, "draft"), 404, "NOT_FOUND");
    }
  }
});
