/**
 * What it costs that cards name who made a document: counted in calls of the store, beside documents by nobody.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { createField } from "../../../kv/schema/fields.ts";
import { openTurnSite, type TurnSite } from "../../support/sites/turn_site.ts";
import { bodyOf } from "../../support/short_documents.ts";
import { createCover } from "../../support/harness/covers.ts";

const DOCUMENTS = 90;

const [AUTHOR, COVER] = parseCollection({
  slug: "any",
  name: "Any",
  fields: [
    {
      name: "author",
      type: "reference",
      label: "Author",
      indexed: true,
      options: { collection: "people" },
    },
    { name: "cover", type: "media", label: "Cover" },
  ],
} as never).fields;

/** A site with documents by one author who has a picture; nothing is left to do. */
async function openWritten(): Promise<
  TurnSite & { author: string }
> {
  const site = await openTurnSite();
  const people = { slug: "people", name: "People", fields: [COVER] };
  await createCollection(site.content, UNATTENDED, parseCollection(people as never));
  await createField(site.content, UNATTENDED, "posts", AUTHOR!);
  await site.settle();
  const cover = await createCover(site.context, 0);
  const person = { title: "Ada", cover, status: "published" } as never;
  const { state } = await createDocument(site.content, UNATTENDED, "people", person);
  for (let n = 0; n < DOCUMENTS; n++) await write(site, n, state.id);
  await site.settle();
  return { ...site, author: state.id };
}

async function write(site: TurnSite, n: number, author: string | null): Promise<string> {
  const body = { ...bodyOf(n), author, status: "published" } as never;
  return (await createDocument(site.content, UNATTENDED, "posts", body)).state.id;
}

/** Calls one after the other of a publish, without and with its author's own pages, and of what follows. */
const IN_SEQUENCE_MAX = { plain: 12, made: 30 };
/** What follows it. */
const FOLLOWING_CALLS_MAX = 28;
/** Calls of a change of the author, for each document: its page takes seven commits and readings by itself. */
const CALLS_PER_DOCUMENT_MAX = 8;

Deno.test("lists that name who made documents keep a publish to its calls", async () => {
  await using site = await openWritten();
  const cost = async (n: number, author: string | null) => {
    // Takes the second in which the aggregates would begin at once.
    await write(site, n + 100, null);
    await site.drain();
    await write(site, n, author);
    const inSequence = await site.drainInTurns();
    site.driver.take();
    await site.pass(1_100);
    await site.settle();
    const { calls } = site.driver.take();
    assert(calls <= FOLLOWING_CALLS_MAX, `${calls} calls follow`);
    return inSequence;
  };
  const plain = await cost(201, null);
  const made = await cost(202, site.author);

  assert(plain <= IN_SEQUENCE_MAX.plain, `${plain} one after the other`);
  assert(made <= IN_SEQUENCE_MAX.made, `${made} one after the other with an author`);
});

Deno.test("a change of who made many documents renders each of their pages once", async () => {
  await using site = await openWritten();
  const written: string[] = [];
  const { commit } = site.driver;
  site.driver.commit = (operation) => {
    written.push(
      ...operation.sets.filter(({ key }) => key[0] === "page").map(({ key }) => String(key[1])),
    );
    return commit.call(site.driver, operation);
  };
  site.driver.take();

  await patchDocument(site.content, UNATTENDED, site.author, { title: "Ada Byron" });
  for (let n = 0; n < 4; n++) {
    await site.settle();
    await site.pass(3_000);
  }

  const { calls } = site.driver.take();
  const pages = written.filter((path) => path.startsWith("/posts/"));
  assertEquals([pages.length, new Set(pages).size], [DOCUMENTS, DOCUMENTS]);
  assert(calls <= DOCUMENTS * CALLS_PER_DOCUMENT_MAX, `${calls} calls`);
});
