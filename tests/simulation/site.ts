/**
 * Publishing, unpublishing, renaming, trashing, restoring and restyling in any order, by processes that die
 * and stores that fail: in the end pages, listings, feeds, sitemap and search are what a rendering of
 * everything makes of the documents.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { createDocument, patchDocument, trashDocument } from "../../kv/documents/documents.ts";
import { publishDocument, unpublishDocument, untrashDocument } from "../../kv/documents/status.ts";
import { addJob } from "../../kv/jobs/jobs.ts";
import { duePrefix } from "../../kv/keys.ts";
import type { Schema } from "../../kv/model/collection.ts";
import { parseCollection } from "../../kv/model/collection_input.ts";
import { UNATTENDED } from "../../kv/model/entity.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { pageKey, pagePrefix, siteEntryPrefix } from "../../kv/pages/page_keys.ts";
import type { PageRow } from "../../kv/pages/pages.ts";
import { SITE_JOB } from "../../kv/pages/rendering_requests.ts";
import { Refusal } from "../../kv/refusals.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { createField, patchField, removeField } from "../../kv/schema/fields.ts";
import { SearchIndex } from "../../kv/search/search_index.ts";
import { Settings } from "../../kv/site/settings.ts";
import { patchMedia } from "../../kv/media/media.ts";
import { Operation } from "../../kv/store/operation.ts";
import { createCover } from "../support/covers.ts";
import { FaultyObjects } from "../support/faulty_objects.ts";
import { Harness, seededRandom } from "../support/harness.ts";
import { type KvPlan, SimulatedKv } from "../support/simulated_kv.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../support/simulated_site.ts";

/** Actions while processes die and stores fail, and actions after that, each of them alone. */
const ACTIONS = 30;
const ACTIONS_ALONE = 4;
/** Pictures that get another name while lists show them and the pages of their documents are still to come. */
const RENAMED = 3;
/** Longer than a job of an idle site takes, shorter than the lease of a process that has died. */
const JOB_MS = 4_000;
/** More than three listing pages. */
const DOCUMENTS = 110;

const LEAD = { name: "lead", type: "text", label: "Lead" };
/** What documents are tagged with: a choice of most, another of few, and a document. */
const CHOICES = ["Light", "Fog", "C", "C++", "Tides"];
const TOPICS = {
  name: "topics",
  type: "multi_select",
  label: "Topics",
  indexed: true,
  options: { choices: CHOICES },
};
const SUBJECT = {
  name: "subject",
  type: "reference",
  label: "Subject",
  indexed: true,
  options: { collection: "subjects", role: "tags" },
};
const COVER = { name: "cover", type: "media", label: "Cover" };
/** Comes and goes. */
const EXTRA = { name: "extra", type: "text", label: "Extra" };
const [EXTRA_INPUT] = parseCollection({ slug: "any", name: "Any", fields: [EXTRA] }).fields;

/** A site in a simulation, with a process that never fails and runs no jobs. */
interface Fixture {
  harness: Harness;
  kv: SimulatedKv;
  outside: Outside;
  objects: MemoryObjects;
  client: SimulatedSite;
  ids: string[];
  subjects: string[];
  media: string[];
}

async function openFixture(seed: number): Promise<Fixture> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const objects = new MemoryObjects({ now: () => harness.now });
  const client = simulatedSite(harness, kv, outside, { objects });
  const ids: string[] = [];
  const subjects: string[] = [];
  const media: string[] = [];
  await harness.run((async () => {
    for (let n = 0; n < 3; n++) media.push(await createCover(client.context, n));
    const input = parseCollection({ slug: "subjects", name: "Subjects", fields: [LEAD] } as never);
    await createCollection(client.content, UNATTENDED, input);
    for (const slug of ["lamps", "ropes", "bells"]) {
      const body = { title: slug, slug, status: "published" } as never;
      const { state } = await createDocument(client.content, UNATTENDED, "subjects", body);
      subjects.push(state.id);
    }
    for (const slug of ["posts", "notes"]) {
      const related = { name: "related", type: "reference", label: "Related" };
      const options = { collection: "posts" };
      const tags = slug === "posts" ? [TOPICS, SUBJECT] : [];
      const fields = [LEAD, EXTRA, COVER, { ...related, options }, ...tags];
      const collection = { slug, name: slug, fields };
      await createCollection(client.content, UNATTENDED, parseCollection(collection as never));
    }
  })());
  for (let n = 0; n < DOCUMENTS; n++) {
    const body = {
      title: `Story ${n}`,
      lead: `lead ${n}`,
      extra: `hidden ${n}`,
      status: n % 9 === 0 ? "draft" : "published",
    };
    const related = n > 3 && n % 4 === 0 ? { related: ids[n - 3]! } : {};
    const slug = n % 7 === 0 ? "notes" : "posts";
    const tags = slug === "posts" ? tagsOf(n, subjects) : {};
    const write = createDocument(
      client.content,
      UNATTENDED,
      slug,
      { ...body, ...related, ...tags, cover: n % 3 === 0 ? media[n % 2]! : null } as never,
    );
    ids.push(
      (await harness.run(write.catch(() =>
        createDocument(
          client.content,
          UNATTENDED,
          slug,
          body as never,
        )
      ))).state.id,
    );
    if (n % 20 === 0) await harness.pass(1_500);
  }
  return { harness, kv, outside, objects, client, ids, subjects, media };
}

/** What a document is tagged with: often the first choice, and others with it or alone. */
function tagsOf(n: number, subjects: string[]): { topics: string[]; subject: string | null } {
  const few = CHOICES[1 + n % (CHOICES.length - 1)]!;
  return {
    topics: [...n % 8 < 4 ? [CHOICES[0]!] : [], ...n % 3 === 0 ? [few] : []],
    subject: n % 4 === 0 ? subjects[(n >> 2) % subjects.length]! : null,
  };
}

/** Does something to the site; what its state does not allow is left. */
async function act(fixture: Fixture, random: () => number, n: number): Promise<void> {
  const { client: { content, context }, ids, subjects, media, harness } = fixture;
  const medium = media[Math.floor(random() * media.length)]!;
  const id = ids[Math.floor(random() * ids.length)]!;
  const actions: (() => Promise<unknown>)[] = [
    () => publishDocument(content, UNATTENDED, id),
    () => unpublishDocument(content, UNATTENDED, id),
    () => patchDocument(content, UNATTENDED, id, { title: `Title ${n}` }),
    () => patchDocument(content, UNATTENDED, id, { slug: `slug-${n}` }),
    () => trashDocument(content, UNATTENDED, id),
    () => untrashDocument(content, UNATTENDED, id),
    () => patchDocument(content, UNATTENDED, id, { lead: `changed ${n}` }),
    () => patchDocument(content, UNATTENDED, id, { extra: `hidden again ${n}` }),
    () => changeField(content, random),
    ...Array(5).fill(() => {
      const tags = tagsOf(Math.floor(random() * 1_000), subjects);
      return patchDocument(content, UNATTENDED, id, tags as never);
    }),
    () => patchDocument(content, UNATTENDED, id, { cover: medium }),
    () => patchMedia(context, UNATTENDED, medium, { filename: `renamed-${n}.png` }),
    ...Array(2).fill(() => {
      const subject = subjects[Math.floor(random() * subjects.length)]!;
      return changeSubject(content, subject, n, random);
    }),
    ...Array(3).fill(() => withdrawWhileShown(fixture, id)),
  ];
  const isSetting = n === 7;
  const work = isSetting
    ? () => new Settings(context).patch(UNATTENDED, { "site.title": `Site ${n}` })
    : actions[Math.floor(random() * actions.length)]!;
  await harness.run(
    work().catch(ignoreRefusal),
  );
}

/** A document that others are tagged with gets another name, another place, or leaves and comes back. */
function changeSubject(
  content: SimulatedSite["content"],
  id: string,
  n: number,
  random: () => number,
): Promise<unknown> {
  const luck = random();
  if (luck < 0.3) return patchDocument(content, UNATTENDED, id, { title: `Subject ${n}` });
  if (luck < 0.6) return patchDocument(content, UNATTENDED, id, { slug: `subject-${n % 3}` });
  if (luck < 0.8) return unpublishDocument(content, UNATTENDED, id);
  return publishDocument(content, UNATTENDED, id);
}

/** A field goes, comes back without its values, or gets another name. */
function changeField(content: SimulatedSite["content"], random: () => number): Promise<unknown> {
  const slug = random() < 0.7 ? "posts" : "notes";
  const luck = random();
  if (luck < 0.5) return removeField(content, UNATTENDED, slug, "extra");
  if (luck < 0.7) return createField(content, UNATTENDED, slug, EXTRA_INPUT!);
  if (luck < 0.85) {
    const choices = luck < 0.78 ? CHOICES : CHOICES.filter((one) => one !== "C");
    return patchField(content, UNATTENDED, "posts", "topics", { options: { choices } } as never);
  }
  return patchField(content, UNATTENDED, slug, "lead", { label: `Lead ${luck}` });
}

/** A document leaves the public while another one that shows it, since just now, is published. */
async function withdrawWhileShown(
  { client: { content }, ids, harness }: Fixture,
  id: string,
): Promise<void> {
  const shown = ids[Math.floor(harness.random() * ids.length)]!;
  const work = [
    () => publishDocument(content, UNATTENDED, shown),
    () => unpublishDocument(content, UNATTENDED, id),
    () => patchDocument(content, UNATTENDED, id, { related: shown }),
    () => publishDocument(content, UNATTENDED, id),
    () => unpublishDocument(content, UNATTENDED, shown),
  ];
  for (const one of work) {
    await one().catch(ignoreRefusal);
    await harness.sleep(harness.random() * 300);
  }
}

/**
 * A picture gets another name after a process has died that would have made the page of the document that has
 * it, and after lists have shown it. Nothing else is under way.
 */
async function renameWhileListed(fixture: Fixture, random: () => number, n: number): Promise<void> {
  const { harness, kv, outside, objects, ids, client: { content, context } } = fixture;
  const at = Math.floor(random() * (ids.length - 1));
  const [id, beside] = [ids[at]!, ids[at + 1]!];
  const write = (work: Promise<unknown>) => harness.run(work.catch(ignoreRefusal));
  const runs = async (plan: KvPlan) => {
    const one = simulatedSite(harness, kv, outside, { objects, plan });
    one.siteRunner().start();
    await harness.pass(JOB_MS);
    one.process.kill();
  };
  const medium = await harness.run(createCover(context, n));
  await write(unpublishDocument(content, UNATTENDED, id));
  await write(publishDocument(content, UNATTENDED, beside));
  await settle(fixture);
  await write(patchDocument(content, UNATTENDED, id, { cover: medium }));
  await write(publishDocument(content, UNATTENDED, id));
  const isOfPage = ({ touches }: Operation) =>
    touches.some(([kind, of]) => kind === "page_guard" && of === id);
  await runs(({ operation }) => operation && isOfPage(operation) ? "die_before" : "none");
  await write(patchDocument(content, UNATTENDED, beside, { title: `Beside ${n}` }));
  await runs(() => "none");
  await write(patchMedia(context, UNATTENDED, medium, { filename: `meanwhile-${n}.png` }));
  await runs(() => "none");
  await settle(fixture);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

/** Whatever a search finds at any moment has the word in a text that is shown. */
async function assertFoundIsShown({ client, harness }: Fixture): Promise<number> {
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
async function publicOf({ kv, client, harness }: Fixture): Promise<Record<string, unknown>> {
  const pages = kv.dump(pagePrefix).map(({ key, value }) => {
    const { hash, contentType, tags, documentId } = value as PageRow;
    return [key[1], { hash, contentType, tags, documentId }];
  });
  const schema = await harness.run(client.content.schema.current());
  const found: Record<string, string[]> = {};
  for (const text of ["story", "title", "lead", "changed", "hidden"]) {
    const { hits } = await harness.run(searchOf(client, schema, text));
    found[text] = hits.map(({ documentId }) => documentId).sort();
  }
  return {
    pages: Object.fromEntries(pages),
    entries: kv.dump(siteEntryPrefix).map(({ key, value }) => [key, value]),
    found,
  };
}

/** What is public is what a rendering of everything gives, made aside. */
async function assertTrue(fixture: Fixture, about: string): Promise<void> {
  const harness = fixture.harness.fork(1);
  const kv = fixture.kv.fork();
  const objects = new MemoryObjects({ now: () => harness.now });
  const outside = new Outside();
  const client = simulatedSite(harness, kv, outside, { objects });
  const aside = { ...fixture, harness, kv, objects, outside, client };
  const left = await publicOf(fixture);
  assert((left.found as Record<string, string[]>).lead!.length > 10);
  assert(kv.read(pageKey("/posts/page/1")).value !== null);
  assert(kv.read(pageKey("/posts/topics/light")).value !== null);
  await renderAnew(aside);
  assertEquals(left, await publicOf(aside), about);
}

/** Renders everything anew, from the documents alone. */
async function renderAnew({ kv, harness, client, outside, objects }: Fixture): Promise<void> {
  const kept = [
    "page",
    "page_place",
    "page_referrer",
    "page_guard",
    "page_series",
    "page_object",
    "site_entry",
    "site_change",
    "sitemap_part",
    "feed_change",
    "feed_mark",
    "listing_marks",
    "listing_change",
    "site_fingerprints",
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
async function settle(
  { kv, harness, outside, objects }: Pick<Fixture, "kv" | "harness" | "outside" | "objects">,
): Promise<void> {
  const last = simulatedSite(harness, kv, outside, { objects });
  last.siteRunner().start();
  for (let minute = 0; minute < 60 && kv.dump(duePrefix).length > 0; minute++) {
    await harness.pass(60_000);
  }
  last.process.kill();
  assertEquals(kv.dump(duePrefix).map(({ key }) => key), []);
}

/** Runs one seed; throws when something that must hold does not. Answers how many hits searches had meanwhile. */
export async function simulateSite(seed: number): Promise<number> {
  const fixture = await openFixture(seed);
  const { harness, kv, outside, objects } = fixture;
  const random = seededRandom(seed);
  const plan: KvPlan = ({ method }) => {
    const luck = random();
    if (luck > 0.83) return "slow";
    if (luck > 0.03) return "none";
    if (luck < 0.004) return random() < 0.5 ? "die_before" : "die_after";
    if (method !== "commit") return "before";
    return (["before", "after", "late", "locked"] as const)[Math.floor(random() * 4)]!;
  };
  const born = () => {
    const faulty = new FaultyObjects(objects, () => random() < 0.05 ? "before" : "none");
    const one = simulatedSite(harness, kv, outside, { objects: faulty, plan });
    one.siteRunner().start();
    return one;
  };
  const processes = [born(), born()];
  let hits = 0;
  for (let n = 0; n < ACTIONS; n++) {
    await act(fixture, random, n);
    hits += await assertFoundIsShown(fixture);
    await harness.pass(random() < 0.3 ? 3_000 * random() : 0);
    processes.forEach((one, index) => {
      if (!one.process.alive) processes[index] = born();
    });
  }
  for (const { process } of processes) process.kill();
  await settle(fixture);
  await assertTrue(fixture, `seed ${seed}`);
  for (let n = 0; n < RENAMED; n++) await renameWhileListed(fixture, random, n);
  await assertTrue(fixture, `seed ${seed}, renamed`);
  for (let n = 0; n < ACTIONS_ALONE; n++) {
    await act(fixture, random, ACTIONS + n);
    await settle(fixture);
    await assertTrue(fixture, `seed ${seed}, action ${n} alone`);
  }
  return hits;
}
