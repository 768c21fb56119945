/**
 * What must hold on the site of the simulation: what is public is what a rendering of everything gives.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { pagePrefix, siteEntryPrefix } from "../../../kv/pages/page_keys.ts";
import { type PageRow, readPageBody } from "../../../kv/pages/pages.ts";
import { SITE_JOB } from "../../../kv/pages/rendering_requests.ts";
import { SearchIndex } from "../../../kv/search/search_index.ts";
import { Operation } from "../../../kv/store/operation.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
} from "../../support/harness/simulated_site.ts";
import type { SiteFixture } from "./site_fixture.ts";

/** Pages that are rendered when they are asked for. */
const LISTS = [
  "/",
  "/feed.xml",
  "/llms.txt",
  "/sitemap.xml",
  "/posts",
  "/posts/page/1",
  "/posts/page/2",
  "/posts/page/3",
  "/posts/feed.json",
  "/posts/topics/light",
  "/posts/topics/light/page/1",
  "/posts/topics/light/feed.xml",
  "/posts/subject/lamps",
  "/posts/author/ropes",
  "/notes",
  "/notes/feed.atom",
  "/subjects",
];

/** Lines of pages that a failure reports. */
const LINES_TOLD = 40;

/** Whatever a search finds at any moment has the word in a text that is shown. */
export async function assertFoundIsShown({ client, harness }: SiteFixture): Promise<number> {
  const { content, publishing: { reader } } = client;
  const schema = await harness.run(content.schema.current());
  const { hits } = await harness.run(searchOf(client, schema, "hidden"));
  for (const { documentId } of hits) {
    const { state } = (await harness.run(reader.find(documentId)))!;
    const { fields } = schema.byId.get(state.collectionId)!;
    const texts = [state.title, ...fields.map(({ key }) => `${state.data[key]}`)].join(" ");
    assert(texts.includes("hidden"), `${documentId} is found by what it shows no more: ${texts}`);
  }
  return hits.length;
}

function searchOf(
  { context: { store }, publishing: { reader } }: SimulatedSite,
  schema: Schema,
  text: string,
) {
  const search = new SearchIndex({
    store,
    async *loadDocuments(ids) {
      for (const id of ids) {
        const stored = await reader.find(id);
        if (stored === null) continue;
        const { collectionId } = stored.state;
        yield {
          state: stored.state,
          collection: schema.byId.get(collectionId)!,
          blocks: schema.blocks,
        };
      }
    },
  });
  const collectionIds = schema.collections.map(({ id }) => id);
  return search.search({ text, collectionIds, schema, page: 1, perPage: 500, exact: true });
}

/** Everything public: pages by what they say, the sitemap's lines, and what a search finds. */
async function publicOf({ kv, client, harness }: SiteFixture): Promise<Record<string, unknown>> {
  const factsOf = ({ hash, contentType, tags, documentId }: PageRow) => {
    return { hash, contentType, tags, documentId };
  };
  const pages = kv.dump(pagePrefix)
    .map(({ key, value }) => [key[1], factsOf(value as PageRow)] as const);
  const lists: (readonly [string, object | null])[] = [];
  for (const path of LISTS) {
    const row = await harness.run(client.lists.find(path));
    lists.push([path, row && factsOf(row)]);
  }
  const schema = await harness.run(client.content.schema.current());
  const found: Record<string, string[]> = {};
  for (const text of ["story", "title", "lead", "changed", "hidden"]) {
    const { hits } = await harness.run(searchOf(client, schema, text));
    found[text] = hits.map(({ documentId, rank }) => `${documentId} ${rank}`).sort();
  }
  return {
    pages: Object.fromEntries(pages),
    lists: Object.fromEntries(lists),
    entries: kv.dump(siteEntryPrefix).map(({ key, value }) => [key, value]),
    found,
  };
}

/** What is public is what a rendering of everything gives, made aside. */
export async function assertTrue(fixture: SiteFixture, about: string): Promise<void> {
  const harness = fixture.harness.fork(1);
  const kv = fixture.kv.fork();
  const objects = new MemoryObjects({ now: () => harness.now });
  const outside = new Outside();
  const client = simulatedSite(harness, kv, outside, { objects });
  const aside = { ...fixture, harness, kv, objects, outside, client };
  const left = await publicOf(fixture);
  assert((left.found as Record<string, string[]>).lead!.length > 10);
  const lists = left.lists as Record<string, object | null>;
  for (const path of ["/posts/page/1", "/posts/topics/light", "/posts/topics/light/feed.xml"]) {
    assert(lists[path] !== null, path);
  }
  await renderAnew(aside);
  try {
    assertEquals(left, await publicOf(aside));
  } catch (cause) {
    const told = (await differences(fixture, aside)).slice(0, LINES_TOLD);
    throw new Error([about, ...told].join("\n"), { cause });
  }
}

/** What the pages say that are not those of a rendering of everything, line by line. */
async function differences(fixture: SiteFixture, aside: SiteFixture): Promise<string[]> {
  const told: string[] = [];
  for (const { key, value } of fixture.kv.dump(pagePrefix)) {
    const other = aside.kv.read(key).value as PageRow | null;
    if (other === null || other.hash === (value as PageRow).hash) continue;
    const said = new Set(await linesOf(fixture, value as PageRow));
    const meant = new Set(await linesOf(aside, other));
    told.push(
      `${key[1]}`,
      ...[...said.difference(meant)].map((line) => `+ ${line}`),
      ...[...meant.difference(said)].map((line) => `- ${line}`),
    );
  }
  return told;
}

async function linesOf({ client, harness }: SiteFixture, row: PageRow): Promise<string[]> {
  const body = await harness.run(readPageBody(client.context, row));
  return new TextDecoder().decode(body!).split("\n");
}

/** Renders everything again, from the documents alone. */
async function renderAnew({ kv, harness, client, outside, objects }: SiteFixture): Promise<void> {
  const kept = [
    "page",
    "page_place",
    "page_referrer",
    "page_guard",
    "page_object",
    "site_entry",
    "sitemap_part",
    "site_changed",
    "site_look",
    "tag_change",
    "site_covers",
  ];
  for (const prefix of kept) {
    const keys = kv.dump([prefix]).map(({ key }) => key);
    for (let start = 0; start < keys.length; start += 400) {
      const wipe = new Operation();
      for (const key of keys.slice(start, start + 400)) wipe.delete(key);
      await harness.run(client.context.store.commit(wipe));
    }
  }
  const request = new Operation();
  addJob(request, client.context, { type: "RENDER_SITE", name: SITE_JOB, payload: {} });
  addJob(request, client.context, { type: "REBUILD_SEARCH", payload: { force: true } });
  await harness.run(client.context.store.commit(request));
  await settle({ kv, harness, outside, objects });
}

/** Lets one process that never fails do all that is left. */
export async function settle(
  { kv, harness, outside, objects }: Pick<SiteFixture, "kv" | "harness" | "outside" | "objects">,
): Promise<void> {
  const last = simulatedSite(harness, kv, outside, { objects });
  last.siteRunner().start();
  for (let minute = 0; minute < 60 && kv.dump(duePrefix).length > 0; minute++) {
    await harness.pass(60_000);
  }
  last.process.kill();
  assertEquals(kv.dump(duePrefix).map(({ key }) => key), []);
}
