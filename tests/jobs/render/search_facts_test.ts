/** What a document gives search engines and social networks instead of its own title, text and cover. */
import { renderDocument } from "../../../jobs/render/pages/document_page.ts";
import { fieldRole } from "../../../jobs/render/views/field_role.ts";
import { searchFields } from "../../../jobs/render/views/search_facts.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import {
  bodyText,
  collection,
  field,
  nested,
  NOTHING,
  published,
  rendering,
} from "../../support/sites/site.ts";

const SEO = field("seo", "group", {
  fields: [
    nested("title", "text"),
    nested("description", "text", { multiline: true }),
    nested("canonical", "url"),
    nested("noindex", "boolean"),
    nested("image", "media"),
  ],
});
const SUMMARY = field("summary", "text");
const PICTURE = { mime: "image/jpeg" as const, filename: "a.jpg", width: 900, height: 600 };

function headOf(fields: FieldDefinition[], data: Record<string, Json>): string {
  const posts = collection("posts", fields);
  const lookup = { ...NOTHING, medium: (id: string) => ({ ...PICTURE, id, alt: "A lamp" }) };
  const document = published("fog", data, { title: "Fog" });
  const page = bodyText(renderDocument(rendering([posts]), document, posts, lookup));
  return page.slice(0, page.indexOf("</head>"));
}

function contentOf(head: string, name: string): string | undefined {
  return head.match(new RegExp(`="${name}" content="([^"]*)"`))?.[1];
}

function canonicalOf(head: string): string | undefined {
  return head.match(/rel="canonical" href="([^"]*)"/)?.[1];
}

Deno.test("a group called seo fills the head of a page, and is not printed on it", () => {
  const seo = {
    title: "Fog & where it comes from",
    description: "Why\n lamps burn",
    canonical: "https://elsewhere.example/fog",
    noindex: false,
    image: "M",
  };
  const head = headOf([SUMMARY, SEO], { summary: "Grey", seo });

  assert(head.includes("<title>Fog &amp; where it comes from</title>"), head);
  assertEquals(contentOf(head, "og:title"), "Fog &amp; where it comes from");
  assertEquals(contentOf(head, "description"), "Why lamps burn");
  assertEquals(contentOf(head, "og:description"), "Why lamps burn");
  assertEquals(canonicalOf(head), "https://elsewhere.example/fog");
  assertEquals(contentOf(head, "og:url"), "https://elsewhere.example/fog");
  assertEquals(contentOf(head, "robots"), "max-image-preview:large");
  assert(contentOf(head, "og:image")?.includes("/media/M/"), head);
  assertEquals(fieldRole(SEO), "hidden");
});

Deno.test("without values a page describes itself", () => {
  const empty = { title: "", description: " ", canonical: "", noindex: null, image: null };
  const [own, given] = [
    headOf([SUMMARY, SEO], { summary: "Grey" }),
    headOf([SUMMARY, SEO], {
      summary: "Grey",
      seo: empty,
    }),
  ];

  assertEquals(given, own);
  assertEquals(contentOf(own, "description"), "Grey");
  assertEquals(contentOf(own, "og:title"), "Fog");
  assertEquals(canonicalOf(own), "https://lantern.example/posts/fog");
});

Deno.test("noindex is said to search engines, and an address that is no page's is not", () => {
  const head = headOf([SEO], { seo: { noindex: true, canonical: "mailto:ada@example.org" } });

  assertEquals(contentOf(head, "robots"), "noindex");
  assertEquals(canonicalOf(head), "https://lantern.example/posts/fog");
  const path = headOf([field("canonical", "text")], { canonical: "/posts/mist" });
  assertEquals(canonicalOf(path), "https://lantern.example/posts/mist");
});

Deno.test("a role that is set counts before the name, and a name only with a type that fits", () => {
  const roles = (fields: FieldDefinition[]) =>
    searchFields(collection("posts", fields)).map(({ path, role }) => `${path} ${role}`);

  assertEquals(
    roles([
      field("metaTitle", "text"),
      field("metaDescription", "text"),
      field("ogImage", "media"),
      field("noIndex", "boolean"),
      field("canonicalUrl", "url"),
    ]),
    [
      "metaTitle searchTitle",
      "metaDescription searchDescription",
      "ogImage shareImage",
      "noIndex noindex",
      "canonicalUrl canonical",
    ],
  );
  assertEquals(
    roles([
      field("title", "text"),
      field("image", "media"),
      field("metadata", "text"),
      field("noindex", "text"),
      field("seoTitle", "text", { role: "facts" }),
      field("author", "group", { fields: [nested("title", "text")] }),
    ]),
    [],
  );
  assertEquals(
    roles([field("headline", "text", { role: "searchTitle" }), SEO])[0],
    [
      "headline searchTitle",
    ][0],
  );
  const both = headOf([SEO, field("headline", "text", { role: "searchTitle" })], {
    headline: "Second",
    seo: { title: "" },
  });
  assert(both.includes("<title>Second</title>"), "the first field with a value counts");
});
