/** Jobs that earlier releases have left in a store end, and can be looked at. */
import { addJob, findJob } from "../../../kv/jobs/jobs.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { testApp } from "../../support/sites/app.ts";

Deno.test("a job of a type that is no longer added ends, and is listed", async () => {
  await using test = await testApp();
  await test.setUp();
  const { store } = test.context;
  const operation = new Operation();
  const id = addJob(operation, test.context, { type: "RENDER_LISTINGS", payload: {} });
  await store.commit(operation);
  await test.runner.drain();

  assertEquals((await findJob(store, id))?.state, "done");
  const { status, json } = await test.admin("GET", "/jobs?type=RENDER_LISTINGS");
  assertEquals([status, json.data.map((job: { id: string }) => job.id)], [200, [id]]);
});
