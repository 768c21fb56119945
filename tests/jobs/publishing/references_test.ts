import { assert, assertEquals } from "@std/assert";
import type { Content } from "../../../kv/documents/content.ts";
import { patchDocument, trashDocument } from "../../../kv/documents/documents.ts";
import { publishDocument, unpublishDocument } from "../../../kv/documents/status.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { createField } from "../../../kv/schema/fields.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import { publicText } from "../../support/sites/pages.ts";
import { openSite, type Site } from "../../support/sites/published_site.ts";
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

/**
 * Publishes a document in a process of which one call takes long, changes something in another process at that time,
 * and lets both end; returns the other process.
 */
async function whilePublishing(
  { site: { harness, kv, outside, process }, documentId, call }: {
    site: Site;
    documentId: string;
    call: number;
  },
  change: (content: Content) => Promise<unknown>,
): Promise<SimulatedSite> {
  process.kill();
  const slow = simulatedSite(harness, kv, outside);
  slow.siteRunner().start();
  await harness.pass(100);
  await harness.run(publishDocument(slow.content, UNATTENDED, documentId));
  delayCall(slow, call);
  await harness.pass(500);
  const other = simulatedSite(harness, kv, outside);
  await harness.run(change(other.content));
  other.siteRunner().start();
  await harness.pass(60_000);
  return other;
}

/** The titles of the related documents of a page. */
function relatedTitles(page: string): (string | undefined)[] {
  const related = page.slice(page.indexOf('<aside class="related"'), page.indexOf("</aside>"));
  return [...related.matchAll(/<li><a [^>]*>([^<]*)</g)].map(([, title]) => title);
}

for (const takeAway of [unpublishDocument, trashDocument]) {
  Deno.test(`PUBLISH shows nothing of what ${takeAway.name}() takes out of public while it renders`, async () => {
    for (let call = 1; call <= 14; call++) {
      const site = await openSite();
      const { harness } = site;
      const target = await site.create({ title: "Secret merger", slug: "secret" });
      const referrer = await site.create({ title: "Front", slug: "front", related: target.id });
      await harness.run(publishDocument(site.content, UNATTENDED, target.id));
      await harness.pass(5_000);

      const other = await whilePublishing(
        { site, documentId: referrer.id, call },
        (content) => takeAway(content, UNATTENDED, target.id),
      );

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
    const { harness } = site;
    await harness.run(createField(site.content, UNATTENDED, "posts", TOPICS!));
    const ids: string[] = [];
    for (const title of ["Ash", "Birch", "Cedar", "Elm", "Fir"]) {
      const { id } = await site.create({ title, topics: ["Trees"], status: "published" });
      ids.push(id);
      await harness.pass(2_000);
    }
    const front = await site.create({ title: "Front", slug: "front", topics: ["Trees"] });
    await harness.pass(5_000);

    const other = await whilePublishing(
      { site, documentId: front.id, call },
      (content) => unpublishDocument(content, UNATTENDED, ids[4]!),
    );

    const page = (await harness.run(publicText(other, "/posts/front")))!;
    assertEquals(relatedTitles(page), ["Elm", "Cedar", "Birch"], `call ${call}`);
  }
});

Deno.test("PUBLISH links to the related documents of the end, even if one enters while it renders", async () => {
  for (let call = 1; call <= 14; call++) {
    const site = await openSite();
    const { harness } = site;
    await harness.run(createField(site.content, UNATTENDED, "posts", TOPICS!));
    for (const title of ["Ash", "Birch", "Cedar", "Elm"]) {
      await site.create({ title, topics: ["Trees"], status: "published" });
      await harness.pass(2_000);
    }
    const fir = await site.create({ title: "Fir", status: "published" });
    await harness.pass(2_000);
    const front = await site.create({ title: "Front", slug: "front", topics: ["Trees"] });
    await harness.pass(5_000);

    const other = await whilePublishing(
      { site, documentId: front.id, call },
      (content) => patchDocument(content, UNATTENDED, fir.id, { topics: ["Trees"] }),
    );

    const page = (await harness.run(publicText(other, "/posts/front")))!;
    assertEquals(relatedTitles(page), ["Fir", "Elm", "Cedar"], `call ${call}`);
  }
});
