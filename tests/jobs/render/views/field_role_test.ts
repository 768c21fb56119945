import { renderDocument } from "../../../../jobs/render/pages/document_page.ts";
import { renderHome } from "../../../../jobs/render/pages/home_page.ts";
import { coverOf } from "../../../../jobs/render/views/cover.ts";
import { excerptOf } from "../../../../jobs/render/views/excerpt.ts";
import { FIELD_TYPES } from "../../../../kv/model/fields/types/registry.ts";
import { parseField } from "../../../../kv/model/fields/field_input.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  bodyText,
  collection,
  field,
  NOTHING,
  published,
  rendering,
} from "../../../support/sites/site.ts";

const COVER = {
  id: "C",
  mime: "image/png" as const,
  filename: "c.png",
  alt: "Fog",
  width: 900,
  height: 600,
};

Deno.test("renderDocument() puts fields where their definitions say, whatever they are called", () => {
  const posts = collection("posts", [
    field("summary", "text", { role: "facts" }),
    field("inside", "media", { role: "body" }),
    field("opening", "text", { role: "standfirst" }),
    field("face", "media", { role: "cover" }),
    field("who", "reference", { role: "byline" }),
    field("next", "reference", { role: "related" }),
    field("author", "reference", { role: "hidden" }),
    field("kind", "select", { role: "tags", choices: ["Essay"] }),
    field("price", "number", { role: "hidden" }),
    field("open", "boolean", { role: "facts" }),
  ]);
  const document = published("fog", {
    summary: "In the table",
    inside: "I",
    opening: "How it sounds",
    face: "C",
    who: "WHO",
    next: "NEXT",
    author: "GHOST",
    kind: "Essay",
    price: 417,
    open: true,
  });

  const text = bodyText(renderDocument(rendering([posts]), document, posts, {
    medium: (id) => id === "C" ? COVER : { ...COVER, id: "I", filename: "i.png" },
    document: (id) => published(id.toLowerCase(), {}, { title: `Title of ${id}` }),
  }));

  const order = [
    '<p class="lead">How it sounds</p>',
    '<a rel="author" href="/posts/who">Title of WHO</a>',
    '<figure class="hero"><img src="/media/C/c.png"',
    '<figure><img src="/media/I/i.png"',
    "<dt>Summary</dt><dd>In the table</dd>",
    "<dt>Open</dt><dd>Yes</dd>",
    "<li>Essay</li>",
    '<a href="/posts/next">Title of NEXT</a>',
  ].map((part) => text.indexOf(part));
  assert(order.every((at) => at > 0), order.join());
  assertEquals(order, order.toSorted((a, b) => a - b));
  assert(!text.includes("GHOST") && !text.includes("417"));
});

Deno.test("a cover and a standfirst by role stand in lists, before what names suggest", () => {
  const posts = collection("posts", [
    field("summary", "text"),
    field("secret", "text", { role: "hidden", multiline: true }),
    field("picture", "media"),
    field("opening", "text", { role: "standfirst" }),
    field("face", "media", { role: "cover" }),
  ]);
  const document = published("fog", { summary: "Old", opening: "New", picture: "P", face: "C" });
  const [bare, plain] = [published("a", { picture: "P" }), published("b", { secret: "Hush" })];

  const home = bodyText(renderHome(
    rendering([posts]),
    [{ collection: posts, documents: [document], total: 1 }],
    { ...NOTHING, medium: (id) => id === "C" ? COVER : null },
  ));

  assertEquals([coverOf(document, posts), coverOf(bare, posts), coverOf(plain, posts)], [
    "C",
    "P",
    null,
  ]);
  assertEquals([excerptOf(document, posts), excerptOf(plain, posts)], ["New", ""]);
  assert(home.includes('<img src="/media/C/c.png"'));
});

Deno.test("references to documents without pages are named, not linked", () => {
  const people = { ...collection("people", []), pageless: true as const };
  const posts = collection("posts", [field("author", "reference"), field("other", "reference")]);
  const document = published("fog", { author: "A", other: "B" });

  const text = bodyText(renderDocument(rendering([people, posts]), document, posts, {
    ...NOTHING,
    document: () => published("ada", {}, { collectionId: "people", title: "Ada" }),
  }));

  assert(text.includes("<span>By <b>Ada</b></span>") && text.includes("<dd>Ada</dd>"));
  assert(!text.includes("/people"));
});

Deno.test("parseField() takes the roles that a type has, and drops those a new type lacks", () => {
  for (const { name, roles } of Object.values(FIELD_TYPES)) {
    const choices = name.endsWith("select") ? { choices: ["a"] } : {};
    for (const role of roles) {
      const parsed = parseField({ name: "x", type: name, options: { ...choices, role } });
      assertEquals(parsed.options.role, role);
    }
    try {
      parseField({ name: "x", type: name, options: { ...choices, role: "foot" } });
      throw new Error("accepted");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      assertEquals(error.facts.details!.map(({ field, code }) => [field, code]), [
        ["options.role", "INVALID_CHOICE"],
      ]);
    }
  }
});
