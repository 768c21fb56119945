import { assertEquals } from "@std/assert";
import {
  changedVerb,
  type RecentChange,
} from "../../../../routes/studio/wording/recent_changes.ts";
import { mergeEditSessions } from "../../../../routes/studio/wording/edit_sessions.ts";

/** An edit of a document, so many seconds ago. */
function typed(n: number, ago: number, given: Partial<RecentChange> = {}): RecentChange {
  const labels = given.labels ?? ["Body"];
  return {
    event: { type: "document", id: "A", n, at: 100_000 - ago, gone: false },
    name: `Name ${n}`,
    verb: n === 1 ? "created" : changedVerb(labels),
    labels: n === 1 ? [] : labels,
    isTyped: n > 1,
    kind: "Articles",
    note: null,
    byId: "ada",
    by: "Ada",
    ...given,
  };
}

const told = (changes: RecentChange[]) =>
  mergeEditSessions(changes).map(({ verb, name, by }) => `${by} ${verb} ${name}`);

Deno.test("mergeEditSessions() lists an edit session once, by its newest version", () => {
  assertEquals(
    told([typed(4, 10), typed(3, 300, { labels: ["Title"] }), typed(2, 800, { labels: ["Body"] })]),
    ["Ada changed Body and Title of Name 4"],
  );
  assertEquals(told([typed(2, 10), typed(1, 30)]), ["Ada created Name 2"]);
});

Deno.test("mergeEditSessions() keeps apart changes by others, older changes, and changes other than typing", () => {
  const bea = { byId: "bea", by: "Bea" };
  const published = { verb: "published", labels: [], isTyped: false };
  assertEquals(told([typed(4, 10), typed(3, 20, bea), typed(2, 30)]).length, 3);
  assertEquals(told([typed(4, 10), typed(3, 700)]).length, 2);
  assertEquals(told([typed(4, 10), typed(3, 20, published), typed(2, 30)]), [
    "Ada changed Body of Name 4",
    "Ada published Name 3",
    "Ada changed Body of Name 2",
  ]);
  // Another event in between does not split an edit session.
  const other = typed(7, 20, {
    event: { type: "media_metadata", id: "M", n: 7, at: 1, gone: false },
  });
  assertEquals(told([typed(4, 10), other, typed(3, 30)]).length, 2);
});

Deno.test("mergeEditSessions() shows the same change once, however often it was made in an edit session", () => {
  const put = (n: number, ago: number): RecentChange =>
    typed(n, ago, {
      event: { type: "release", id: "R", n, at: 100_000 - ago, gone: false },
      labels: ["Documents"],
      isTyped: false,
    });
  assertEquals(told([put(6, 10), put(5, 20), put(4, 30), put(3, 40), put(2, 50)]), [
    "Ada changed Documents of Name 6",
  ]);
  const renamed = { ...put(3, 30), labels: ["Name"], verb: changedVerb(["Name"]) };
  assertEquals(told([put(4, 10), renamed, put(2, 50)]).length, 3);
  assertEquals(told([put(4, 10), put(3, 4_000)]).length, 2);
  assertEquals(told([put(4, 10), { ...put(3, 20), note: "Front end" }]).length, 2);
});
