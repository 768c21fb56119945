/** Transfers of values in several languages. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("columns of languages become translations, and a second run writes nothing", async () => {
  await using site = await transferSite();
  const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
  answered(await site.admin("PATCH", "/settings", { languages }), 200);
  const csv =
    "id,title,title:fr,note,note__fr,price,status\n1,Lamp,Lampe,Hello,Bonjour,3,published\n2,Chair,,Hi,,4,draft\n";
  const planned = await site.analysed([["things.csv", csv]]);
  assertEquals(planned.plan.languages, { fr: "fr" });
  const [things] = planned.plan.collections;
  assertEquals(
    things.fields.map((
      { to, localized }: { to: string; localized?: boolean },
    ) => [to, localized ?? false]),
    [["note", true], ["price", false]],
  );

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed, done.report.warnings], [2, 0, 0]);
  const [lamp] = (await site.documents("things")).filter(({ title }) => title === "Lamp");
  const french = answered(await site.admin("GET", `/documents/${lamp.id}/translations/fr`), 200);
  assertEquals([french.title, french.note], ["Lampe", "Bonjour"]);
  const token = await site.token();
  const shown = await site.call("GET", `/api/v1/things/${lamp.id}?language=fr`, { token });
  assertEquals([shown.json.title, shown.json.note, shown.json.price], ["Lampe", "Bonjour", 3]);
  const again = await site.run(planned.id);
  assertEquals([again.report.unchanged, again.report.updated], [2, 0]);
  const { jobId } = answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
  await site.runner.drain();
  const { result } = answered(await site.admin("GET", `/jobs/${jobId}`), 200);
  assertEquals(result.undo.left, []);
  assertEquals((await site.admin("GET", "/collections/things")).status, 404);
});
