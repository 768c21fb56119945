import { assertEquals } from "@std/assert";
import { bylineViews } from "../../../../jobs/render/views/byline_view.ts";
import { renderHome } from "../../../../jobs/render/pages/home_page.ts";
import {
  bodyText,
  collection,
  field,
  NOTHING,
  published,
  rendering,
} from "../../../support/sites/site.ts";

const people = { ...collection("people", []), id: "people" };
const posts = collection(
  "posts",
  ["author", "photographer", "coauthor"].map((name) =>
    field(name, "reference", name === "coauthor" ? { role: "byline" } : {})
  ),
);
const lookup = {
  ...NOTHING,
  document: (id: string) =>
    id === "GONE"
      ? null
      : published(id.toLowerCase(), {}, { id, collectionId: "people", title: id }),
};
const { site, schema } = rendering([posts, people]);

const named = (data: Record<string, string>, except?: string) =>
  bylineViews({ site, schema }, published("fog", data), posts, lookup, except)
    .map(({ value, writer }) => `${value.title}${writer ? " wrote" : ""}`);

Deno.test("bylineViews() tell writers from others who had a hand in a document", () => {
  const all = { author: "ADA", photographer: "BO", coauthor: "CY" };

  assertEquals(named(all), ["ADA wrote", "BO", "CY"]);
  assertEquals(named(all, "ADA"), ["BO", "CY"]);
  assertEquals(named({ author: "GONE", photographer: "BO" }), ["BO wrote"]);
  assertEquals(named({}), []);
});

Deno.test("a card names only the author of its document", () => {
  const document = published("fog", { author: "ADA", photographer: "BO" });
  const home = bodyText(renderHome(
    rendering([posts, people]),
    [{ collection: posts, documents: [document], total: 1 }],
    lookup,
  ));

  assertEquals([...home.matchAll(/<span class="by">([^<]*)/g)].map(([, name]) => name), ["ADA"]);
});
