/** Entries of Contentful that are public and have changed since, locales that fall back, and answers that are too large. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { apiServer } from "../../../support/transfers/api_server.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";

const link = (linkType: string, id: string) => ({ sys: { type: "Link", linkType, id } });

function entry(id: string, version: number, publishedVersion: number | null, title: string) {
  return {
    sys: {
      id,
      type: "Entry",
      contentType: link("ContentType", "post"),
      space: link("Space", "s1"),
      environment: link("Environment", "master"),
      version,
      ...(publishedVersion !== null && { publishedVersion }),
    },
    fields: { title: { "en-US": title }, text: { "en-US": title } },
  };
}

const MODEL = {
  contentTypes: [{
    sys: { id: "post" },
    name: "Post",
    displayField: "title",
    fields: [{ id: "title", type: "Symbol" }, { id: "text", type: "Symbol" }],
  }],
  locales: [
    { code: "en-US", default: true, fallbackCode: null },
    { code: "fr", fallbackCode: "en-US" },
    { code: "fr-CA", fallbackCode: "fr" },
  ],
  assets: [],
};
/** A draft, one that is public as it is, and one that has changed since. */
const ENTRIES = [
  entry("draft", 1, null, "Draft"),
  entry("same", 5, 4, "Same"),
  entry("changed", 9, 4, "Newest"),
];

Deno.test("the API tells what is public of a changed entry: the newest is its working copy", async () => {
  await using site = await transferSite({ guard: { allowLocal: true } });
  const lists: Record<string, Json[]> = {
    content_types: MODEL.contentTypes,
    locales: MODEL.locales,
    entries: ENTRIES,
    assets: [],
    "public/entries": [entry("changed", 4, 4, "Public")],
  };
  await using server = apiServer(({ pathname, searchParams }) => {
    const items = lists[pathname.replace("/spaces/s1/environments/master/", "")];
    if (items === undefined) return undefined;
    // As Contentful answers when a page is larger than 7 MB.
    const isLarge = pathname.endsWith("/entries") && Number(searchParams.get("limit")) > 2;
    if (isLarge) return Response.json({ message: "Response size too big" }, { status: 400 });
    const skip = Number(searchParams.get("skip"));
    const limit = Number(searchParams.get("limit"));
    return { total: items.length, items: items.slice(skip, skip + limit) };
  });
  const body = { kind: "contentful", url: `${server.origin}/spaces/s1`, token: "CFPAT-1" };
  const { id } = answered(await site.admin("POST", "/transfers", body), 202);
  await site.runner.drain();
  const planned = await site.transfer(id);
  assertEquals([planned.state, planned.counts], ["planned", { post: 3 }], planned.error);

  const done = await site.run(id);

  assertEquals(done.report.failed, 0);
  const posts = await site.documents("post");
  const states = posts.map((one) => [one.title, one.text, one.status, one.hasWorkingCopy]);
  assertEquals(states.toSorted(), [
    ["Draft", "Draft", "draft", false],
    ["Public", "Public", "published", true],
    ["Same", "Same", "published", false],
  ]);
  const changed = posts.find(({ title }) => title === "Public");
  const { json: copy } = await site.admin("GET", `/documents/${changed.id}/working-copy`);
  assertEquals([copy.title, copy.text], ["Newest", "Newest"]);
  assertEquals(
    server.asked.filter((path) => path.includes("sys.id[in]") || path.includes("sys.id%5Bin%5D"))
      .every((path) => path.endsWith("=changed")),
    true,
  );
});

Deno.test("a file has only what is newest of a changed entry: the plan says what becomes of it", async () => {
  await using site = await transferSite();
  const text = JSON.stringify({ ...MODEL, entries: ENTRIES });
  const planned = await site.analysed([["export.json", text]]);
  const { status } = planned.plan.collections[0];
  assertEquals(status.map.changed, "published");
  status.map.changed = "draft";
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan: planned.plan }), 200);

  const done = await site.run(planned.id);

  const states = (await site.documents("post")).map((one) => [one.title, one.status]);
  assertEquals(states.toSorted(), [
    ["Draft", "draft"],
    ["Newest", "draft"],
    ["Same", "published"],
  ]);
  const messages = (await site.report(done.id, "?level=warning"))
    .flatMap(({ problems }) => problems.map(({ message }: { message: string }) => message));
  assertEquals(messages, [
    "Values that a locale takes from another are not copied (fr to en-US, fr-CA to fr): " +
    "set the fallback of the site's languages",
    "1 entries were changed since they were published: the file has only what is newest, " +
    'which becomes public unless the plan makes "changed" a draft',
    "Values in fr, fr-CA are left out",
  ]);
});
