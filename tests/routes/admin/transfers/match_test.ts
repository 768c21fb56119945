/** Rows that match documents which no transfer has written. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("rows match documents by a field without an index, and a plan that only creates skips them", async () => {
  await using site = await transferSite();
  const fields = [{ name: "sku", label: "SKU", type: "text" }];
  answered(await site.admin("POST", "/collections", { slug: "shop", name: "Shop", fields }), 201);
  const lamp = { collection: "shop", title: "Lamp", sku: "L1" };
  const { id: document } = answered(await site.admin("POST", "/documents", lamp), 201);
  const csv = "id,title,sku\n1,New lamp,L1\n2,Chair,C1\n";
  const { id, plan } = await site.analysed([["things.csv", csv]]);
  Object.assign(plan.collections[0], { target: "shop", match: "field:sku", mode: "create" });
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan }), 200);
  const dry = await site.run(id, { dryRun: true });
  assertEquals([dry.report.created, dry.report.skipped, dry.report.warnings], [1, 1, 1]);
  plan.collections[0].mode = "upsert";
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan }), 200);
  const done = await site.run(id);
  assertEquals([done.report.created, done.report.updated], [1, 1]);
  const shown = answered(await site.admin("GET", `/documents/${document}`), 200);
  assertEquals(shown.title, "New lamp");
  assertEquals((await site.documents("shop")).length, 2);
});
