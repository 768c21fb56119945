/**
 * States that outgrow a commit: working copies of published documents, written, restored and typed into, and
 * discussions. Few of them, as each costs about a megabyte.
 *
 * @module
 */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { typeTitle } from "../../support/harness/live_typing.ts";
import type { HistoryFixture } from "./history_fixture.ts";

/** More than a commit holds (800 KB). */
const HUGE = "long ".repeat(200_000);
/** The longest comment, three bytes a character: thirty of them outgrow the row of their discussion. */
const LONG_COMMENT = "語".repeat(2_000);
const COMMENTS = 12;

/** Something grows. */
export async function growSome(fixture: HistoryFixture): Promise<void> {
  const grow = fixture.one([growByWriting, growByRestoring, growByTyping, growDiscussion]);
  const id = await publishedDocument(fixture, grow === growByRestoring);
  if (id === null) return;
  await grow(fixture, id);
  await fixture.model.follow();
  fixture.count("grown");
}

type Grow = (fixture: HistoryFixture, id: string) => Promise<void>;

/** A new published document; with a version of its content before that is huge, if wanted. */
async function publishedDocument(
  fixture: HistoryFixture,
  wasHuge: boolean,
): Promise<string | null> {
  const { json } = await fixture.ask("GET", "/collections?perPage=100");
  const slugs = json.data.filter((one: { fields: { name: string; type: string }[] }) =>
    one.fields.some(({ name, type }) => name === "cat" && type === "json")
  ).map(({ slug }: { slug: string }) => slug);
  if (slugs.length === 0) return null;
  const made = await fixture.ask("POST", "/documents", {
    collection: fixture.one(slugs as string[]),
    title: "Grows",
    cat: wasHuge ? HUGE : 1,
    status: "published",
  });
  if (made.status >= 400) return null;
  await fixture.model.follow();
  return made.json.id;
}

/** A large working copy is written, perhaps again, and published or discarded. */
const growByWriting: Grow = async (fixture, id) => {
  const path = `/documents/${id}/working-copy`;
  for (let round = 1 + fixture.number(2); round > 0; round--) {
    const { status, text } = await fixture.ask("PATCH", path, { cat: HUGE + fixture.number(9) });
    assertEquals(status, 200, text.slice(0, 500));
    await expectCopy(fixture, id);
  }
  await end(fixture, id);
};

/** A large version comes back as a working copy. */
const growByRestoring: Grow = async (fixture, id) => {
  const past = fixture.model.all.get(`document ${id}`)!;
  const { vid } = fixture.model.newest(past);
  fixture.pass(1);
  await fixture.ask("PATCH", `/documents/${id}`, { cat: 2 });
  await fixture.model.follow();
  const restored = await fixture.ask("POST", `/versions/${vid}/restore`, { workingCopy: true });
  assertEquals(restored.status, 200, restored.text.slice(0, 500));
  await expectCopy(fixture, id);
  await end(fixture, id);
};

/** An editor types into a large working copy. */
const growByTyping: Grow = async (fixture, id) => {
  const answer = await fixture.ask("PATCH", `/documents/${id}/working-copy`, { cat: HUGE });
  assertEquals(answer.status, 200, answer.text.slice(0, 500));
  await typeTitle(fixture, id, fixture.userId, `typed ${fixture.number(1_000)}`);
  await expectCopy(fixture, id);
};

/** Comments until the discussion is stored outside its row, and some go again. */
const growDiscussion: Grow = async (fixture, id) => {
  const documents = fixture.pasts("discussion");
  const about = documents.length > 0 && fixture.chance(0.7) ? fixture.one(documents).id : id;
  for (let count = COMMENTS; count > 0; count--) {
    const path = `/documents/${about}/comments`;
    const { status } = await fixture.ask("POST", path, { text: LONG_COMMENT });
    // The document may be gone, or have all the comments that it may have.
    if (status >= 400) return assert([404, 409].includes(status), `${status}`);
  }
};

async function expectCopy(fixture: HistoryFixture, id: string): Promise<void> {
  await fixture.model.follow();
  const copy = await fixture.ask("GET", `/documents/${id}/working-copy`);
  assertEquals(copy.status, 200);
  assert(String(copy.json.cat).startsWith(HUGE), "the working copy lacks its large value");
}

/** The working copy is published, discarded or left. */
async function end(fixture: HistoryFixture, id: string): Promise<void> {
  fixture.pass(1);
  if (fixture.chance(0.3)) await fixture.ask("POST", `/documents/${id}/publish`);
  else if (fixture.chance(0.5)) await fixture.ask("DELETE", `/documents/${id}/working-copy`);
}
