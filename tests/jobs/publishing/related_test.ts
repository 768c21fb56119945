import { assertEquals } from "@std/assert";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { unpublishDocument } from "../../../kv/documents/status.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { pageLocationKey } from "../../../kv/pages/page_keys.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { createField, patchField } from "../../../kv/schema/fields.ts";
import { openSite, type Site } from "../../support/sites/published_site.ts";

function fieldOf(field: Record<string, unknown>) {
  const collection = { slug: "any", name: "Any", fields: [field] };
  return parseCollection(collection as never).fields[0]!;
}

const CHOICES = ["Light", "Fog"];
const TOPICS = fieldOf({
  name: "topics",
  type: "multi_select",
  label: "Topics",
  indexed: true,
  options: { choices: CHOICES },
});
const SUBJECT = fieldOf({
  name: "subject",
  type: "reference",
  label: "Subject",
  indexed: true,
  options: { collection: "subjects", role: "tags" },
});

async function relatedTo(site: Site, path: string): Promise<string[]> {
  const page = (await site.page(path))!;
  const start = page.indexOf('<aside class="related"');
  if (start === -1) return [];
  const related = page.slice(start, page.indexOf("</aside>"));
  return [...related.matchAll(/<li><a [^>]*>([^<]*)</g)].map(([, title]) => title!);
}

Deno.test("documents that share a tag lead on to one another, even when the document for the tag is not public", async () => {
  const site = await openSite();
  const { content, harness } = site;
  await harness.run(createCollection(
    content,
    UNATTENDED,
    parseCollection({ slug: "subjects", name: "Subjects", fields: [] }),
  ));
  await harness.run(createField(content, UNATTENDED, "posts", SUBJECT));
  const ropes = await harness.run(
    createDocument(content, UNATTENDED, "subjects", { title: "Ropes", status: "published" }),
  );
  const subject = ropes.state.id;
  await site.create({ title: "Ash", slug: "ash", subject, status: "published" });
  const fir = await site.create({ title: "Fir", slug: "fir", status: "published" });
  await harness.pass(10_000);
  await harness.run(unpublishDocument(content, UNATTENDED, subject));
  await harness.pass(10_000);
  assertEquals(await relatedTo(site, "/posts/ash"), []);

  await harness.run(patchDocument(content, UNATTENDED, fir.id, { subject }));
  await harness.pass(10_000);
  assertEquals(await relatedTo(site, "/posts/fir"), ["Ash"]);
  assertEquals(await relatedTo(site, "/posts/ash"), ["Fir"]);
});

Deno.test("a choice that was taken away relates nothing, until it is back", async () => {
  const site = await openSite();
  const { content, harness } = site;
  await harness.run(createField(content, UNATTENDED, "posts", TOPICS));
  await site.create({ title: "Ash", slug: "ash", topics: ["Fog"], status: "published" });
  await site.create({ title: "Fir", slug: "fir", topics: ["Fog"], status: "published" });
  await harness.pass(10_000);
  assertEquals(await relatedTo(site, "/posts/ash"), ["Fir"]);

  const choose = async (choices: string[]) => {
    await harness.run(
      patchField(content, UNATTENDED, "posts", "topics", { options: { choices } } as never),
    );
    await harness.pass(60_000);
  };
  await choose(["Light"]);
  assertEquals(await relatedTo(site, "/posts/ash"), []);
  await choose(CHOICES);
  assertEquals(await relatedTo(site, "/posts/ash"), ["Fir"]);
});

Deno.test("a document that is not shown leaves, and another one is shown that now shares more tags", async () => {
  const site = await openSite();
  const { content, harness } = site;
  await harness.run(createField(content, UNATTENDED, "posts", TOPICS));
  const create = async (title: string, topics: string[]) => {
    const slug = title.toLowerCase();
    const { id } = await site.create({ title, slug, topics, status: "published" });
    await harness.pass(5_000);
    return id;
  };
  // The nearest of Fog are Birch, Cedar and Elm; those of Light are Ash, Fir and Larch.
  await create("Ash", ["Fog", "Light"]);
  await create("Fir", ["Light"]);
  const birch = await create("Birch", ["Fog"]);
  await create("Larch", ["Light"]);
  await create("Cedar", ["Fog"]);
  await create("Elm", ["Fog"]);
  const front = await create("Front", ["Fog", "Light"]);
  await harness.pass(10_000);
  const location = await harness.run(content.context.store.get(pageLocationKey(front)));
  assertEquals((location.value as { references: string[] }).references.length, 3);
  assertEquals(await relatedTo(site, "/posts/front"), ["Elm", "Cedar", "Larch"]);

  await harness.run(unpublishDocument(content, UNATTENDED, birch));
  await harness.pass(20_000);
  assertEquals(await relatedTo(site, "/posts/front"), ["Ash", "Elm", "Cedar"]);
});
