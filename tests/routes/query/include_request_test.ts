import { assertEquals, assertThrows } from "@std/assert";
import { INCLUDES_MAX } from "../../../kv/limits/requests.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Include } from "../../../routes/query/include.ts";
import { type IncludeRequestScope, parseIncludes } from "../../../routes/query/include_request.ts";
import { collectionOf, field } from "../../support/sites/fields.ts";

const LONG = "x".repeat(500);
const PEOPLE = { ...collectionOf(field("employer", "reference", { collection: "people" })) };
PEOPLE.slug = "people";
const POSTS = collectionOf(
  field("cover", "media"),
  field("author", "reference", { collection: "people" }),
  field("related", "references", { collection: "posts" }),
  field("anything", "reference"),
  field("empty", "repeater"),
  field(LONG, "reference", { collection: "people" }),
);

const SCOPE: IncludeRequestScope = {
  find: (slug) => [POSTS, PEOPLE].find((one) => one.slug === slug),
  blocks: new Map(),
  filters: { framing: [], filtered: [], visibility: {}, blocks: new Map() } as never,
  names: {
    keys: ["id", "title"],
    mediumKeys: ["id", "alt"],
    blocks: new Map(),
    find: (slug) => [POSTS, PEOPLE].find((one) => one.slug === slug),
  },
};

function includesOf(value: unknown): Include[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return parseIncludes([text], POSTS, SCOPE);
}

/** What a refused value is refused for. */
const refusalOf = (value: unknown) => assertThrows(() => includesOf(value), Refusal).message;

function assertAbout(value: unknown, ...parts: string[]): void {
  const about = refusalOf(value);
  for (const part of parts) assertEquals([about, about.includes(part)], [about, true]);
}

Deno.test("a medium takes fields and nothing else", () => {
  const [cover] = includesOf({ cover: { fields: "alt" } });
  assertEquals(cover!.selection, null);
  assertEquals([...cover!.fields!.keys.keys()], ["alt"]);
  for (const option of [{ filter: {} }, { sort: "title" }, { limit: 1 }]) {
    assertAbout({ cover: option }, "cover takes fields only");
  }
});

Deno.test("a limit is a whole number of at least 1, on a list alone", () => {
  assertEquals(includesOf({ related: { limit: 1 } })[0]!.selection!.limit, 1);
  for (const limit of [0, 1.5, "1", null, 1e9]) {
    assertAbout({ related: { limit } }, "limit of related must be an integer from 1 to ");
  }
  assertAbout({ author: { limit: 1 } }, "author is one document and takes no limit");
});

Deno.test("a request has as many includes as the limit says, of both forms together", () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? true : { include: { related: nested(levels - 1) } };
  const counted = (count: number) =>
    Object.fromEntries(
      Array.from(
        { length: count },
        (_, n) => [`related${".related".repeat(n % 3)}${"x".repeat(n)}`, true],
      ),
    );
  assertAbout(counted(INCLUDES_MAX + 1), `at most ${INCLUDES_MAX} includes are allowed`);
  assertEquals(refusalOf(counted(INCLUDES_MAX)).includes("at most"), false);
  assertEquals(includesOf({ related: nested(2) }).length, 1);
});

Deno.test("refusals name the path, and no more of it than a message may have", () => {
  assertAbout({ author: 1 }, "author must be true or options");
  assertAbout({ author: { x: 1 } }, "author has the unknown option x;");
  assertAbout("author.salary", "author.salary: salary is not a reference field here", "employer");
  assertAbout("empty.salary", "empty.salary: salary is not a reference field here");
  assertAbout("anything.salary", "anything.salary: salary is not a reference field here");
  const chain = `author${".employer".repeat(50)}`;
  const single = refusalOf({ [LONG]: { limit: 1 } });
  for (const about of [refusalOf(chain), refusalOf({ [LONG]: { x: 1 } }), single]) {
    assertEquals([about, about.length < 300], [about, true]);
  }
});

Deno.test("a list of references is a list, and one reference is not", () => {
  const [author, related] = includesOf("author,related");
  assertEquals([author!.isList, related!.isList], [false, true]);
});
