import { assert, assertEquals } from "@std/assert";
import { patchDocument, trashDocument } from "../../../kv/documents/documents.ts";
import { publishDocument, unpublishDocument } from "../../../kv/documents/status.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { createField } from "../../../kv/schema/fields.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import { publicText } from "../../support/sites/pages.ts";
import { openSite } from "../../support/sites/published_site.ts";
import { type SimulatedSite, simulatedSite } from "../../support/harness/simulated_site.ts";

const [TOPICS] = parseCollection({
  slug: "any",
  name: "Any",
  fields: [{
    name: "topics",
    type: "multi_select",
    label: "Topics",
    indexed: true,
    options: { choices: ["Trees"] },
  }],
} as never).fields;

/** Longer than it takes to take a document out of public, shorter than a lease. */
const DELAY_MS = 9_000;

/** Lets one call of a process's store, counted from its start, take long; signs of life go on. */
function delayCall({ driver, process }: SimulatedSite, call: number): void {
  const { getMany, commit } = driver;
  let calls = 0;
  const delayed = async () => {
    calls += 1;
    if (calls === call) await process.sleep(DELAY_MS);
  };
  driver.getMany = async (keys) => {
    await delayed();
    return await getMany.call(driver, keys);
  };
  driver.commit = async (operation: Operation) => {
    if (!operation.sets.some(({ key }) => key[0] === "job_beat")) await delayed();
    return await commit.call(driver, operation);
  };
}

for (const takeAway of [unpublishDocument, trashDocument]) {
  Deno.test(`PUBLISH shows nothing of what ${takeAway.name}() takes out of public while it renders`, async () => {
    for (let call = 1; call <= 14; call++) {
      const site = await openSite();
      const { harness, kv, outside } = site;
      const target = await site.create({ title: "Secret merger", slug: "secret" });
      const referrer = await site.create({ title: "Front", slug: "front", related: target.id });
      await harness.run(publishDocument(site.content, UNATTENDED, target.id));
      await harness.pass(5_000);
      site.process.kill();

      const slow = simulatedSite(harness, kv, outside);
      slow.siteRunner().start();
      await harness.pass(100);
      await harness.run(publishDocument(slow.content, UNATTENDED, referrer.id));
      delayCall(slow, call);
      await harness.pass(500);
      const other = simulatedSite(harness, kv, outside);
      await harness.run(takeAway(other.content, UNATTENDED, target.id));
      other.siteRunner().start();
      await harness.pass(60_000);

      const page = await harness.run(publicText(other, "/posts/front"));
      assert(page !== null);
      assertEquals([page.includes("Secret merger"), page.includes("/posts/secret")], [
        false,
        false,
      ]);
      assertEquals(await harness.run(publicText(other, "/posts/secret")), null);
    }
  });
}

Deno.test("PUBLISH links to the related documents of the end, even if one leaves while it renders", async () => {
  for (let call = 1; call <= 14; call++) {
    const site = await openSite();
    const { harness, kv, outside } = site;
    await harness.run(createField(site.content, UNATTENDED, "posts", TOPICS!));
    const ids: string[] = [];
    for (const title of ["Ash", "Birch", "Cedar", "Elm", "Fir"]) {
      const { id } = await site.create({ title, topics: ["Trees"], status: "published" });
      ids.push(id);
      await harness.pass(2_000);
    }
    const front = await site.create({ title: "Front", slug: "front", topics: ["Trees"] });
    await harness.pass(5_000);
    site.process.kill();

    const slow = simulatedSite(harness, kv, outside);
    slow.siteRunner().start();
    await harness.pass(100);
    await harness.run(publishDocument(slow.content, UNATTENDED, front.id));
    delayCall(slow, call);
    await harness.pass(500);
    const other = simulatedSite(harness, kv, outside);
    await harness.run(unpublishDocument(other.content, UNATTENDED, ids[4]!));
    other.siteRunner().start();
    await harness.pass(60_000);

    const page = (await harness.run(publicText(other, "/posts/front")))!;
    const related = page.slice(page.indexOf('<aside class="related"'), page.indexOf("</aside>"));
    const titles = [...related.matchAll(/<li><a [^>]*>([^<]*)</g)].map(([, title]) => title);
    assertEquals(titles, ["Elm", "Cedar", "Birch"], `call ${call}`);
  }
});

Deno.test("PUBLISH links to the related documents of the end, even if one enters while it renders", async () => {
  for (let call = 1; call <= 14; call++) {
    const site = await openSite();
    const { harness, kv, outside } = site;
    await harness.run(createField(site.content, UNATTENDED, "posts", TOPICS!));
    for (const title of ["Ash", "Birch", "Cedar", "Elm"]) {
      await site.create({ title, topics: ["Trees"], status: "published" });
      await harness.pass(2_000);
    }
    const fir = await site.create({ title: "Fir", status: "published" });
    await harness.pass(2_000);
    const front = await site.create({ title: "Front", slug: "front", topics: ["Trees"] });
    await harness.pass(5_000);
    site.process.kill();

    const slow = simulatedSite(harness, kv, outside);
    slow.siteRunner().start();
    await harness.pass(100);
    await harness.run(publishDocument(slow.content, UNATTENDED, front.id));
    delayCall(slow, call);
    await harness.pass(500);
    const other = simulatedSite(harness, kv, outside);
    const topics = ["Trees"];
    await harness.run(patchDocument(other.content, UNATTENDED, fir.id, { topics }));
    other.siteRunner().start();
    await harness.pass(60_000);

    const page = (await harness.run(publicText(other, "/posts/front")))!;
    const related = page.slice(page.indexOf('<aside class="related"'), page.indexOf("</aside>"));
    const titles = [...related.matchAll(/<li><a [^>]*>([^<]*)</g)].map(([, title]) => title);
    assertEquals(titles, ["Fir", "Elm", "Cedar"], `call ${call}`);
  }
});
