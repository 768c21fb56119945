/** Values of every field type through the API: taken and read back the same, or refused. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  type Headless,
  headless,
  storePicture,
  versionCount,
} from "../../../support/sites/headless.ts";

const span = (text: Json) => [{
  _type: "block",
  _key: "b",
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text, marks: [] }],
}];

/** Values that each field takes; what is read back is what was written. */
const TAKEN: [string, Json[]][] = [
  ["summary", ["", " ", "x".repeat(100_000), "é😀\n\t\u0007", "\ufffd", "null", "__proto__"]],
  ["code", ["x".repeat(20), "😀".repeat(20)]],
  ["rating", [0, 10, 5]],
  ["price", [0, -1.5, 1e-7, 1e308, -1e308, 0.1, 9_007_199_254_740_991]],
  ["featured", [true, false]],
  ["eventAt", [0, -1, 1_700_000_000, 253_402_300_799]],
  ["topic", ["news", "howto"]],
  ["tags", [[], ["a"], ["c", "a", "b"]]],
  ["homepage", ["http://a.test", "https://a.test/ä?b=c#d", "mailto:a@b.test"]],
  ["contact", ["a@b.test", "first.last+tag@sub.example.org"]],
  ["body", [[], span(""), span("é"), [{ _type: "image", _key: "i", any: { thing: [1] } }]]],
  ["extra", [0, "", false, [], {}, [null], { a: { b: [1, "x", null] } }, "\ud800\0", -1.5]],
  ["gallery", [[], [{}], [{ caption: null }], [{ caption: "c", size: 2 }, {}]]],
  ["seo", [{}, { heading: null }, { heading: "h" }]],
  ["sections", [[]]],
];
for (const [name, values] of TAKEN) {
  Deno.test(`the field ${name} gives back what it was given`, async () => {
    await using test = await headless();
    const { id } = await test.post({ title: "T" });
    let versions = 1;
    for (const value of values) {
      const answer = await test.v1("PATCH", `/posts/${id}`, { body: { [name]: value } });
      assertEquals([answer.status, answer.json[name]], [200, value], answer.text.slice(0, 300));
      assertEquals(await versionCount(test, id), ++versions);
      const read = await test.v1("GET", `/posts/${id}`);
      assertEquals(read.json[name], value);
      await test.v1("PATCH", `/posts/${id}`, { body: read.json });
      assertEquals(await versionCount(test, id), versions, "the same again is no version");
    }
  });
}

/** Values of another type: INVALID_TYPE at the field. */
const WRONG_TYPE: Record<string, Json[]> = {
  summary: [1, true, [], {}, ["x"], "a\0b", "\ud800", "x\udfff"],
  rating: ["5", true, [], {}, 1.5],
  price: ["1", "", false, [], {}],
  featured: ["true", "", 0, 1, [], {}],
  eventAt: ["2024-01-01T00:00:00Z", "1700000000", 1.5, true, [], {}],
  topic: [1, true, ["news"], {}],
  tags: ["a", 1, true, {}],
  homepage: [1, [], {}],
  contact: [1, [], {}],
  body: ["text", 1, true, {}],
  gallery: ["x", 1, true, {}],
  seo: ["x", 1, true, []],
  sections: ["x", 1, true, {}],
};

/** Values of the right type that are refused all the same, and how. */
const REFUSED: [string, Json, ...string[]][] = [
  ["code", "x".repeat(21), "code TOO_LONG"],
  ["code", "😀".repeat(21), "code TOO_LONG"],
  ["rating", -1, "rating TOO_SMALL"],
  ["rating", 11, "rating TOO_LARGE"],
  ["rating", 9_007_199_254_740_992, "rating TOO_LARGE"],
  ["rating", -9_007_199_254_740_992, "rating TOO_SMALL"],
  ["eventAt", 8_640_000_000_001, "eventAt TOO_LARGE"],
  ["eventAt", -8_640_000_000_001, "eventAt TOO_SMALL"],
  ["eventAt", 9_007_199_254_740_992, "eventAt TOO_LARGE"],
  ["topic", "sports", "topic INVALID_CHOICE"],
  ["topic", "", "topic INVALID_CHOICE"],
  ["tags", ["z"], "tags.0 INVALID_CHOICE"],
  [
    "tags",
    ["a", 1, "y", null],
    "tags.1 INVALID_TYPE",
    "tags.2 INVALID_CHOICE",
    "tags.3 INVALID_TYPE",
  ],
  ["tags", [["a"]], "tags.0 INVALID_TYPE"],
  ["homepage", "", "homepage PATTERN_MISMATCH"],
  ["homepage", "example.org", "homepage PATTERN_MISMATCH"],
  ["homepage", "javascript:alert(1)", "homepage PATTERN_MISMATCH"],
  ["homepage", "https://", "homepage PATTERN_MISMATCH"],
  ["homepage", "https://a.test/\ud800", "homepage PATTERN_MISMATCH"],
  ["homepage", `https://a.test/${"x".repeat(2_048)}`, "homepage TOO_LONG"],
  ["contact", "", "contact PATTERN_MISMATCH"],
  ["contact", "nobody", "contact PATTERN_MISMATCH"],
  ["contact", "a@b@c.test", "contact PATTERN_MISMATCH"],
  ["contact", "a\0@b.test", "contact PATTERN_MISMATCH"],
  ["contact", `${"x".repeat(250)}@b.test`, "contact TOO_LONG"],
  ["body", [1], "body.0 INVALID_TYPE"],
  ["body", [{}], "body.0._type REQUIRED"],
  ["body", [{ _type: "block" }], "body.0.children REQUIRED"],
  ["body", [{ _type: "block", children: [{ _type: "span" }] }], "body.0.children.0.text REQUIRED"],
  ["body", span(1), "body.0.children.0.text INVALID_TYPE"],
  ["body", span("\ud800"), "body.0.children.0.text INVALID_TYPE"],
  ["gallery", [1, null], "gallery.0 INVALID_TYPE", "gallery.1 INVALID_TYPE"],
  [
    "gallery",
    [{ caption: 1 }, { size: "x" }],
    "gallery.0.caption INVALID_TYPE",
    "gallery.1.size INVALID_TYPE",
  ],
  ["gallery", [{ nope: 1 }], "gallery.0.nope UNKNOWN_KEY"],
  ["seo", { heading: {} }, "seo.heading INVALID_TYPE"],
  ["seo", { x: 1 }, "seo.x UNKNOWN_KEY"],
  ["sections", [1], "sections.0 INVALID_TYPE"],
  ["sections", [{ type: "no" }], "sections.0.type INVALID_CHOICE"],
];

/** Fails unless the field refuses the value, on create and on patch, and nothing is written. */
async function refuses(test: Headless, id: string, name: string, value: Json, details: string[]) {
  const body = { [name]: value };
  const created = await test.v1("POST", "/posts", { body: { title: "T", ...body } });
  assertRefused(created, 422, "VALIDATION_FAILED", details);
  assertRefused(
    await test.v1("PATCH", `/posts/${id}`, { body }),
    422,
    "VALIDATION_FAILED",
    details,
  );
}

for (const [name, values] of Object.entries(WRONG_TYPE)) {
  Deno.test(`the field ${name} refuses values of another type`, async () => {
    await using test = await headless();
    const { id } = await test.post({ title: "T" });
    const before = await storePicture(test);
    for (const value of values) await refuses(test, id, name, value, [`${name} INVALID_TYPE`]);
    assertEquals(await storePicture(test), before);
  });
}

Deno.test("fields refuse values out of their bounds", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "T" });
  const before = await storePicture(test);
  for (const [name, value, ...details] of REFUSED) await refuses(test, id, name, value, details);
  assertEquals(await storePicture(test), before);
});

Deno.test("a document larger than a row and than the spill threshold reads back the same", async () => {
  await using test = await headless();
  for (const size of [60_000, 210_000, 900_000]) {
    const extra = "é".repeat(size / 2);
    const made = await test.v1("POST", "/posts", { body: { title: "T", extra } });
    assertEquals(made.status, 201);
    const path = `/posts/${made.json.id}`;
    const read = await test.v1("GET", path);
    assertEquals(read.text, made.text);
    const same = await test.v1("PATCH", path, { body: read.json });
    assertEquals(same.headers.get("etag"), read.headers.get("etag"));
    const smaller = await test.v1("PATCH", path, { body: { extra: null } });
    assertEquals((await test.v1("GET", path)).text, smaller.text);
    assertEquals(await versionCount(test, made.json.id), 2);
  }
});
