import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("POST /api/admin/search/rebuild starts a job that fills the index again", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts" });
  const token = await test.token();
  const body = { title: "Lanterns", status: "published" };
  await test.call("POST", "/api/v1/posts", { token, body });
  await test.runner.drain();

  const answer = await test.admin("POST", "/search/rebuild", { force: true });

  assertEquals(Object.keys(answered(answer, 202)), ["jobId"]);
  await test.runner.drain();
  const job = answered(await test.admin("GET", `/jobs/${answer.json.jobId}`), 200);
  assertEquals([job.type, job.state, job.attempts], ["REBUILD_SEARCH", "done", 1]);
  const found = await test.call("GET", "/api/v1/search?q=lanterns");
  assertEquals(found.json.meta.total, 1);
});

Deno.test("POST /api/admin/search/rebuild refuses other bodies", async () => {
  await using test = await testApp();
  await test.setUp();
  const refused: [Json, string][] = [
    [{ force: "yes" }, "force INVALID_TYPE"],
    [{ force: true, fast: true }, "fast UNKNOWN_KEY"],
  ];
  for (const [body, detail] of refused) {
    const answer = await test.admin("POST", "/search/rebuild", body);
    assertRefusal(answer, 422, "VALIDATION_FAILED", [detail]);
  }
  assertRefusal(await test.admin("POST", "/search/rebuild"), 400, "BODY_INVALID");
});
