/**
 * The site of the simulation: two collections, documents with tags and covers, and a process that never fails.
 *
 * @module
 */
import { createDocument } from "../../../kv/documents/documents.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { createCover } from "../../support/harness/covers.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
} from "../../support/harness/simulated_site.ts";

/** More than three listing pages. */
const DOCUMENTS = 110;

const LEAD = { name: "lead", type: "text", label: "Lead" };
/** What documents are tagged with: a choice of most, another of few, and a document. */
export const CHOICES = ["Light", "Fog", "C", "C++", "Tides"];
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
/** Who made a document, which its card and its feeds say; what they made stands on their pages. */
const AUTHOR = {
  name: "author",
  type: "reference",
  label: "Author",
  indexed: true,
  options: { collection: "subjects", role: "byline" },
};
const COVER = { name: "cover", type: "media", label: "Cover" };
/** Comes and goes. */
const EXTRA = { name: "extra", type: "text", label: "Extra" };
export const [EXTRA_INPUT] = parseCollection({ slug: "any", name: "Any", fields: [EXTRA] }).fields;

/** A site in a simulation, with a process that never fails and runs no jobs. */
export interface SiteFixture {
  harness: Harness;
  kv: SimulatedKv;
  outside: Outside;
  objects: MemoryObjects;
  client: SimulatedSite;
  ids: string[];
  subjects: string[];
  media: string[];
}

export async function openSiteFixture(seed: number): Promise<SiteFixture> {
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
    const input = parseCollection(
      { slug: "subjects", name: "Subjects", fields: [LEAD, COVER] } as never,
    );
    await createCollection(client.content, UNATTENDED, input);
    for (const [at, slug] of ["lamps", "ropes", "bells"].entries()) {
      const body = { title: slug, slug, cover: media[at] ?? null, status: "published" } as never;
      const { state } = await createDocument(client.content, UNATTENDED, "subjects", body);
      subjects.push(state.id);
    }
    for (const slug of ["posts", "notes"]) {
      const related = { name: "related", type: "reference", label: "Related" };
      const options = { collection: "posts" };
      const tags = slug === "posts" ? [TOPICS, SUBJECT] : [];
      const fields = [LEAD, EXTRA, COVER, AUTHOR, { ...related, options }, ...tags];
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
    const author = n % 5 < 3 ? { author: subjects[n % 5]! } : {};
    const write = createDocument(
      client.content,
      UNATTENDED,
      slug,
      {
        ...body,
        ...related,
        ...tags,
        ...author,
        cover: n % 3 === 0 ? media[n % 2]! : null,
      } as never,
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
export function tagsOf(
  n: number,
  subjects: string[],
): { topics: string[]; subject: string | null } {
  const few = CHOICES[1 + n % (CHOICES.length - 1)]!;
  return {
    topics: [...n % 8 < 4 ? [CHOICES[0]!] : [], ...n % 3 === 0 ? [few] : []],
    subject: n % 4 === 0 ? subjects[(n >> 2) % subjects.length]! : null,
  };
}
