import { assert, assertStringIncludes } from "@std/assert";
import { noRates, putRates } from "../../../kv/jobs/job_rates.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { addAnyJob } from "../../support/harness/any_job.ts";
import { callApp, testApp } from "../../support/sites/app.ts";
import { setUpAdmin } from "../../support/sites/backups.ts";

Deno.test("GET /admin/jobs shows a row for each queue, with its rate and the time that is left", async () => {
  await using test = await testApp();
  const headers = { cookie: (await setUpAdmin(test)).cookie };
  const { context } = test;
  const operation = new Operation();
  await test.runner.drain();
  for (let n = 0; n < 90; n++) {
    addAnyJob(operation, context, { type: "PUBLISH", payload: {} });
  }
  await context.store.commit(operation);
  await putRates(context, "one", { ...noRates(), bulk: 20 });
  await putRates(context, "two", { ...noRates(), bulk: 10 });
  context.advance(5_000);

  const { text } = await callApp(test.app, "GET", "/admin/jobs", { headers });

  const row = text.slice(text.indexOf("Publishing and other bulk work")).split("</tr>")[0]!;
  for (const cell of [">90<", ">30<", ">about 3 minutes<"]) assertStringIncludes(row, cell);
  assert(!text.includes("Retries"), "an empty queue has no row");
});
