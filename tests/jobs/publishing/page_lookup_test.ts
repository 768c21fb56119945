import { followedReferences } from "../../../jobs/publishing/page_lookup.ts";
import type { Rendering } from "../../../jobs/render/views/view.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { collection, field, paragraph, published, rendering } from "../../support/sites/site.ts";

const [MEDIUM = "", PICTURE = "", AUTHOR = ""] = ["M", "P", "A"].map((end) =>
  end.padStart(26, "0")
);

/** A rendering, and how often one of its rich texts was rendered. */
function watched(facts: Rendering): { facts: Rendering; texts: () => number } {
  let texts = 0;
  const site = new Proxy(facts.site, {
    get(target, name) {
      if (name === "embedHosts") texts += 1;
      return Reflect.get(target, name);
    },
  });
  return { facts: { ...facts, site }, texts: () => texts };
}

Deno.test("the references of a page are found without rendering texts that hold none", () => {
  const posts = collection("posts", [
    field("intro", "rich_text"),
    field("body", "rich_text"),
    field("cover", "media"),
    field("author", "reference"),
  ]);
  const image = { _type: "image", _key: "k", media: PICTURE };
  const document = published("hello", {
    intro: [paragraph("Long")],
    body: [paragraph("Text"), image],
    cover: MEDIUM,
    author: AUTHOR,
  } as never);
  const { facts, texts } = watched(rendering([posts]));

  const found = followedReferences(document, posts, facts);

  assertEquals(found, {
    media: [PICTURE, MEDIUM],
    documents: [AUTHOR],
    all: [AUTHOR, MEDIUM, PICTURE].sort(),
  });
  assertEquals(texts(), 1);
});
