import fc from "fast-check";
import { isSlug, slugify } from "../../../../kv/model/values/slug.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

Deno.test("slugify() makes a slug of titles in any script", () => {
  const slugs = {
    "Hello, World!": "hello-world",
    "Crème Brûlée": "creme-brulee",
    "  --a__b--  ": "a-b",
    "Straße Æther Øre Đ": "strasse-aether-ore-d",
    "İstanbul ılık": "istanbul-ilik",
    "ﬁne ①": "fine-1",
    "Привет, мир": "privet-mir",
    "Чайковский": "chaykovskiy",
    "Ελληνικά": "ellinika",
    "北京": "beijing",
    "한국어": "hangugeo",
    "العربية": "alarbyh",
    "علم": "alm",
    "العراق": "alaraq",
    "أحمد إسلام": "ahmd-islam",
    "עברית": "avryt",
    "объект": "obekt",
    "Ḥaʿil": "hail",
    "हिन्दी": "hindi",
    "a—b": "a-b",
    "don't": "don-t",
    "😀": "untitled",
    "": "untitled",
  };
  for (const [title, slug] of Object.entries(slugs)) assertEquals(slugify(title), slug);
});

Deno.test("slugify() cuts at 96 characters and leaves no hyphen behind", () => {
  assertEquals(slugify("a".repeat(200)), "a".repeat(96));
  assertEquals(slugify("a".repeat(95) + " b"), "a".repeat(95));
});

Deno.test("slugify() gives a slug for every string", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
      const slug = slugify(title);
      assert(isSlug(slug) && slug.length <= 96, `${JSON.stringify(title)} gave ${slug}`);
      assertEquals(slugify(slug), slug);
    }),
    { numRuns: 500 },
  );
});

Deno.test("isSlug() accepts lower-case words joined by single hyphens", () => {
  for (const slug of ["a", "0", "a-b-2", "a".repeat(128)]) assert(isSlug(slug), slug);
  for (const text of ["", "-a", "a-", "a--b", "A", "a b", "é", "a\n", "a".repeat(129)]) {
    assert(!isSlug(text), text);
  }
});

Deno.test("slugify() keeps letters of other scripts where slugs may have them", () => {
  const slugs = {
    "Hello, World!": "hello-world",
    "Crème Brûlée": "creme-brulee",
    "Привет, МИР": "привет-мир",
    "й": "й",
    "北京 2024": "北京-2024",
    "हिन्दी": "हिन्दी",
    "العربية!": "العربية",
    "😀": "untitled",
    "": "untitled",
  };
  for (const [title, slug] of Object.entries(slugs)) {
    assertEquals(slugify(title, "unicode"), slug.normalize("NFC"));
  }
});

Deno.test("slugify() gives a slug of the form that is asked for, for every string", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
      const slug = slugify(title, "unicode");
      assert(isSlug(slug, "unicode") && slug.length <= 96, `${JSON.stringify(title)} gave ${slug}`);
      assert(encodeURIComponent(slug).length <= 96 * 9);
    }),
    { numRuns: 2_000 },
  );
});
