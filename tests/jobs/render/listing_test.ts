import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { renderHome } from "../../../jobs/render/pages/home_page.ts";
import { renderListing } from "../../../jobs/render/pages/listing_page.ts";
import {
  LISTING_SIZE,
  type ListingSlice,
  newestSlice,
  olderPages,
  olderSlice,
} from "../../../jobs/render/pages/listing_plan.ts";
import type { Page } from "../../../kv/model/entities/page.ts";
import { renderNotFound } from "../../../jobs/render/pages/not_found_page.ts";
import { bodyText, collection, field, published, rendering } from "../../support/sites/site.ts";

const posts = collection("posts", [field("summary", "text")]);
const documents = Array.from({ length: 130 }, (_, n) => published(`p${n}`));

/** Every slice of so many documents, newest first. */
function allSlices(total: number): ListingSlice[] {
  const older = Array.from({ length: olderPages(total) }, (_, n) => olderSlice(n + 1));
  return [newestSlice(total), ...older.reverse()];
}

/** A listing page of the first `total` documents. */
function listing(slice: ListingSlice, total: number): Page {
  const facts = {
    collection: posts,
    slice,
    total,
    documents: documents.slice(slice.start, slice.end),
  };
  return renderListing(rendering([posts]), facts);
}

/** Every listing page by path. */
function listings(total: number): Map<string, string> {
  const pages = allSlices(total).map((slice) => listing(slice, total));
  return new Map(pages.map((page) => [page.path, bodyText(page)]));
}

Deno.test("renderListing() shows the newest first and links to older documents", () => {
  const page = renderListing(rendering([posts]), {
    collection: posts,
    slice: { number: null, start: 20, end: 40 },
    total: 40,
    documents: documents.slice(20, 40),
  });

  const text = bodyText(page);
  assertEquals(page.path, "/posts");
  assertEquals(page.tags, ["listing-posts", "collection-posts", "site"]);
  assert(text.indexOf("/posts/p39") < text.indexOf("/posts/p20"));
  assert(!text.includes("/posts/p19"));
  assertStringIncludes(text, '<a rel="next" href="/posts/page/1">');
  assert(!text.includes('rel="prev"'));
});

Deno.test("newestSlice() and olderSlice() cover every document once, newest page first", () => {
  for (const total of [0, 1, 19, 20, 39, 40, 59, 60, 125]) {
    const slices = allSlices(total);
    const ranks = slices.toReversed().flatMap(({ start, end }) =>
      Array.from({ length: end - start }, (_, n) => start + n)
    );

    assertEquals(ranks, Array.from({ length: total }, (_, n) => n), `${total} documents`);
    assertEquals(slices[0]!.number, null);
    assert(slices[0]!.end - slices[0]!.start < 2 * LISTING_SIZE);
  }
});

Deno.test("renderListing() keeps older pages as they are when documents are added", () => {
  const before = listings(85);
  const after = listings(99);

  const same = [...before].filter(([path, text]) => after.get(path) === text);
  assertEquals(same.map(([path]) => path), ["/posts/page/3", "/posts/page/2", "/posts/page/1"]);
  assertEquals(before.size, 4);
});

Deno.test("renderHome() has a section for each collection that has documents", () => {
  const empty = collection("empty", []);
  const page = renderHome(rendering([posts, empty]), [
    { collection: posts, documents: documents.slice(0, 8), total: 8 },
    { collection: empty, documents: [], total: 0 },
  ]);

  const text = bodyText(page);
  assertEquals([page.path, page.tags.join()], ["/", "aggregates,site"]);
  assertEquals(text.match(/<article/g)?.length, 5);
  assertStringIncludes(text, '<p class="more"><a href="/posts">');
  assert(!text.includes("section-empty"));
  assertStringIncludes(bodyText(renderHome(rendering([]), [])), "Nothing has been published yet.");
});

Deno.test("renderNotFound() has no address and is not to be indexed", () => {
  const text = bodyText(renderNotFound(rendering([posts])));

  assertStringIncludes(text, '<meta name="robots" content="noindex">');
  assert(!text.includes("canonical"));
});

Deno.test("renderHome() shows collections in the order of the menu, those that it names first", () => {
  const plain = rendering([posts]);
  const sections = ["a", "b", "c", "d"].map((slug) => ({
    collection: collection(slug, []),
    documents: [published(`in-${slug}`)],
    total: 1,
  }));
  const orderOf = (menu?: { label: string; url: string }[]) => {
    const site = { ...plain.site, ...(menu && { menu }) };
    const text = bodyText(renderHome({ ...plain, site }, sections));
    return [...text.matchAll(/id="section-(\w)"/g)].map(([, slug]) => slug).join("");
  };

  assertEquals(orderOf(), "abcd");
  assertEquals(
    orderOf([
      { label: "Third", url: "/c" },
      { label: "Elsewhere", url: "https://example.org" },
      { label: "First", url: "/a" },
      { label: "Third again", url: "/c" },
    ]),
    "cabd",
  );
});
