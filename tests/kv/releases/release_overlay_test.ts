/** The site as a release will make it: documents that it leaves alone, or cannot show, are as they were. */
import { assertEquals } from "@std/assert";
import type { ReleaseState } from "../../../kv/model/entities/release.ts";
import { overlayOf } from "../../../kv/releases/release_overlay.ts";
import { collectionOf, draft, field, ID, schemaOf } from "../../support/sites/fields.ts";

const OTHER = ID.replace(/0$/, "1");

Deno.test("an overlay has the documents of its release whose collections there are, and no others", async () => {
  const schema = schemaOf(collectionOf(field("body", "text")));
  const documents = [
    { state: draft({}), n: 1 },
    { state: { ...draft({}), id: OTHER, collectionId: OTHER }, n: 1 },
  ];
  const plans = documents.map(({ state: { id } }) => ({ documentId: id, action: "publish" }));
  const release = { id: "R", documents: plans, publishAt: null, updatedAt: 9 };
  const overlay = await overlayOf({
    content: { schema: { current: () => Promise.resolve(schema) } as never },
    reader: {
      async *each(ids: string[]) {
        yield* documents.filter(({ state }) => ids.includes(state.id));
      },
    } as never,
    releases: {
      current: () =>
        Promise.resolve({ byId: new Map([["R", release as unknown as ReleaseState]]) }),
    } as never,
  }, "R");
  assertEquals(overlay.rows(ID).map(({ id }) => id), [ID]);
  assertEquals(overlay.wholeRow(ID, [])?.id, ID);
  assertEquals([overlay.wholeRow(OTHER, []), overlay.wholeRow("none", [])], [null, null]);
  const { status, publishedAt } = overlay.seen(documents[0]!)!.state;
  assertEquals([status, publishedAt], ["published", release.updatedAt]);
  assertEquals(overlay.seen(documents[1]!), documents[1]!);
});
