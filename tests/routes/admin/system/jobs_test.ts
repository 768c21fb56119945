import { assertEquals } from "@std/assert";
import { Hono } from "@hono/hono";
import { finish, JobFailure, next } from "../../../../jobs/runner/job_kind.ts";
import { Runner } from "../../../../jobs/runner/runner.ts";
import type { AdminEnv } from "../../../../routes/deps/admin_session.ts";
import { addAnyJob, anyKind } from "../../../support/harness/any_job.ts";
import type { JobType } from "../../../../kv/jobs/job_contracts.ts";
import type { Permission } from "../../../../kv/model/entities/permission.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { AccessSource } from "../../../../kv/people/access.ts";
import { jobRoutes } from "../../../../routes/admin/system/jobs.ts";
import { asRefusal, refusalResponse } from "../../../../routes/answers/refusal_response.ts";
import { DocumentRights } from "../../../../kv/model/entities/document_rights.ts";
import { NOON, type TestContext, testContext } from "../../../support/harness/context.ts";
import { contentOf } from "../../../support/harness/simulated_site.ts";

function appOf(context: TestContext, permissions: Permission[] = ["jobs.read", "jobs.manage"]) {
  const app = new Hono<AdminEnv>();
  app.use(async (c, next) => {
    const session = { userId: "u", hash: "h", permissions: new Set(permissions) };
    c.set("session", {
      ...session,
      isProven: true,
      documents: new DocumentRights("u", [{ permissions }]),
      administrator: false,
    });
    await next();
  });
  const people = { access: new AccessSource(context) };
  app.route("/jobs", jobRoutes({ content: contentOf(context), people }));
  app.onError((error) => refusalResponse(asRefusal(error), {}));
  return async (method: string, path: string) => {
    const response = await app.request(path, { method });
    return { status: response.status, json: await response.json() };
  };
}

async function add(context: TestContext, type: JobType): Promise<string> {
  const operation = new Operation();
  const id = addAnyJob(operation, context, { type, payload: { secret: "stays inside" } });
  await context.store.commit(operation);
  context.advance(1_000);
  return id;
}

Deno.test("GET /api/admin/jobs lists jobs, newest first, by type and state", async () => {
  await using context = await testContext();
  const call = appOf(context);
  const first = await add(context, "SEED");
  const second = await add(context, "EXPORT");
  const at = NOON / 1000;

  const all = await call("GET", "/jobs");
  const some = await call("GET", "/jobs?type=SEED&state=queued&page=1&perPage=5");

  assertEquals(all.json.data.map(({ id }: { id: string }) => id), [second, first]);
  assertEquals(all.json.meta, { page: 1, perPage: 20, total: 2 });
  assertEquals(some.json, {
    data: [{
      id: first,
      type: "SEED",
      state: "queued",
      step: null,
      attempts: 0,
      error: null,
      progress: { done: 0, total: 0 },
      result: {},
      dueAt: at,
      createdAt: at,
      updatedAt: at,
    }],
    meta: { page: 1, perPage: 5, total: 1 },
  });
  assertEquals((await call("GET", "/jobs?state=done")).json.data, []);
  assertEquals((await call("GET", "/jobs?state=lost")).status, 422);
  assertEquals((await call("GET", "/jobs?type=publish")).status, 422);
  assertEquals((await call("GET", "/jobs?page=0")).status, 400);
});

Deno.test("GET /api/admin/jobs/{id} answers one job", async () => {
  await using context = await testContext();
  const call = appOf(context);
  const id = await add(context, "SEED");

  assertEquals((await call("GET", `/jobs/${id}`)).json.id, id);
  assertEquals((await call("GET", "/jobs/01J00000000000000000000000")).status, 404);
  assertEquals((await appOf(context, [])("GET", `/jobs/${id}`)).status, 403);
});

Deno.test("POST /api/admin/jobs/{id}/retry lets a failed job begin again", async () => {
  await using context = await testContext();
  const call = appOf(context);
  const id = await add(context, "SEED");
  assertEquals((await call("POST", `/jobs/${id}/retry`)).status, 409);
  const kind = anyKind({
    only: () => {
      throw new JobFailure("The disk is full");
    },
  });
  await new Runner(context, { kinds: [kind] }).drain();
  assertEquals((await call("GET", `/jobs/${id}`)).json.error, "only: The disk is full");

  assertEquals((await appOf(context, ["jobs.read"])("POST", `/jobs/${id}/retry`)).status, 403);
  const retried = await call("POST", `/jobs/${id}/retry`);

  assertEquals([retried.status, retried.json.state, retried.json.error], [200, "queued", null]);
});

Deno.test("POST /api/admin/jobs/{id}/cancel cancels a job in the user's name, once", async () => {
  await using context = await testContext();
  const call = appOf(context);
  const id = await add(context, "EXPORT");
  const publish = await add(context, "PUBLISH");

  assertEquals((await appOf(context, ["jobs.read"])("POST", `/jobs/${id}/cancel`)).status, 403);
  const { status, json } = await call("POST", `/jobs/${id}/cancel`);

  assertEquals([status, json.state, json.error], [
    200,
    "failed",
    "Canceled by an administrator",
  ]);
  const again = await call("POST", `/jobs/${id}/cancel`);
  assertEquals([again.status, again.json.error.code], [409, "CONFLICT"]);
  assertEquals((await call("POST", `/jobs/${publish}/cancel`)).status, 409);
  assertEquals((await call("POST", "/jobs/01J00000000000000000000000/cancel")).status, 404);
});

Deno.test("GET /api/admin/jobs/{id} counts the tries: one that worked is 1, six that did not are 6", async () => {
  await using context = await testContext();
  const call = appOf(context);
  let failing = 0;
  const tries: number[] = [];
  const kind = anyKind({
    first: () => Promise.resolve(next()),
    last: async ({ jobId }) => {
      tries.push((await call("GET", `/jobs/${jobId}`)).json.attempts);
      if (failing-- > 0) throw new Error("The disk is full");
      return finish();
    },
  });
  const runner = new Runner(context, { kinds: [kind] });
  const run = async (failures: number) => {
    failing = failures;
    const id = await add(context, "SEED");
    for (let round = 0; round < 8; round++) {
      await runner.drain();
      context.advance(3_600_000);
    }
    const { json } = await call("GET", `/jobs/${id}`);
    return [json.state, json.attempts, json.error];
  };

  assertEquals(await run(0), ["done", 1, null]);
  assertEquals(await run(2), ["done", 3, null]);
  assertEquals(tries, [1, 1, 2, 3]);
  assertEquals(await run(6), ["failed", 6, "last: The disk is full"]);
});

Deno.test("/api/admin/jobs answers 404 for ids that are not jobs", async () => {
  await using context = await testContext();
  const call = appOf(context);
  assertEquals((await call("POST", "/jobs/01J00000000000000000000000/retry")).status, 404);
});

Deno.test("GET /api/admin/jobs shows requests for a named job before it starts, and again", async () => {
  await using context = await testContext();
  const call = appOf(context);
  const steps = { only: () => Promise.resolve(finish()) };
  const kind = anyKind(steps);
  const runner = new Runner(context, { kinds: [kind] });
  for (let round = 1; round <= 2; round++) {
    const operation = new Operation();
    const id = addAnyJob(operation, context, { type: "SEED", name: "example site", payload: {} });
    await context.store.commit(operation);

    const asked = await call("GET", `/jobs/${id}`);
    assertEquals([asked.status, asked.json.type, asked.json.state], [200, "SEED", "queued"]);
    assertEquals((await call("GET", "/jobs")).json.data, [asked.json]);
    assertEquals((await call("GET", "/jobs?state=done")).json.meta.total, 0);
    await runner.drain();
    assertEquals((await call("GET", `/jobs/${id}`)).json.state, "done");
    assertEquals((await call("GET", "/jobs?state=done")).json.meta.total, 1);
  }
});
