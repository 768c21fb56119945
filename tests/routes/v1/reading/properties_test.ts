/** Random bodies, queries and paths: never a fault, always the envelope, and a refusal writes nothing. */
import fc from "fast-check";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { Answer } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  assertFramed,
  FIELDS,
  type Headless,
  headless,
  NO_ID,
  storePicture,
  VALUES,
  versionCount,
} from "../../../support/sites/headless.ts";

const NAMES = [
  ...FIELDS.map(({ name }) => name as string),
  "title",
  "slug",
  "status",
  "blocks",
  "id",
];
const ODD = ["__proto__", "constructor", "", "\0", "\ud800", "publishAt", "field", "💥"];

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  fc.constantFrom(...ODD),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const scalar = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("", "a\0b", "\ud800", "published", "draft", "news", "a-slug", NO_ID),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1e308, 5e-324, 9_007_199_254_740_993),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.oneof(
  { weight: 3, arbitrary: scalar },
  { weight: 2, arbitrary: fc.constantFrom(...Object.values(VALUES)) },
  fc.array(fc.oneof(scalar, fc.dictionary(key, scalar, { maxKeys: 4 })), { maxLength: 4 }),
  fc.dictionary(key, scalar, { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 4 }),
);
/** Bodies between whole and hopeless. */
const body = fc.tuple(
  fc.dictionary(key, value, { maxKeys: 6, noNullPrototype: true }),
  fc.boolean(),
).map(([drawn, isWhole]) => ({ ...drawn, ...(isWhole && { title: "T", status: "draft" }) }));

const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom("page", "perPage", "sort", "status", "field.", "q", "collection", ""),
    key.map((name) => `field.${name}`),
  ),
  fc.oneof(
    scalar.map(String),
    fc.array(key, { maxLength: 4 }).map((names) => names.map((name) => `-${name}`).join(",")),
    fc.constantFrom("1", "2", "100", "1e9", "title", "-rating,title", "published", "7", "true"),
  ),
);
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
const query = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: parameter.map(([name, text]) => `${encoded(name)}=${encoded(text)}`) },
    fc.string({ unit: "binary-ascii", maxLength: 12 }),
    fc.constantFrom("%", "%zz", "%ff=%ff", "&&", "=", "field.summary=%E0%A4%A"),
  ),
  { maxLength: 5 },
).map((parts) => parts.join("&").replaceAll("#", ""));

/** Fails when an answer is a fault, or no proper answer at all. */
function assertAnswered(answer: Answer): void {
  assert(answer.status < 500, answer.text);
  assertFramed(answer);
  if (answer.status < 400) return;
  const { code, message } = answer.json.error;
  assert(/^[A-Z_]+$/.test(code) && typeof message === "string", answer.text);
}

const RUNS = { numRuns: 80 };

async function assertWriteHolds(test: Headless, id: string, method: string, drawn: Json) {
  const path = method === "POST" ? "/posts" : `/posts/${id}`;
  const before = await storePicture(test);
  const versions = await versionCount(test, id);
  const answer = await test.v1(method, path, { body: drawn });
  assertAnswered(answer);
  if (answer.status >= 400) return assertEquals(await storePicture(test), before);

  const address = `/posts/${answer.json.id}`;
  const read = await test.v1("GET", address);
  assertEquals(read.text, answer.text, "a write answers what is read");
  const grown = await versionCount(test, id) - versions;
  assert(grown === 0 || (grown === 1 && method === "PATCH"), "one change is one version");
  const again = await test.v1("PATCH", address, { raw: read.text, headers: JSON_TYPE });
  assertEquals([again.status, again.text], [200, read.text], "what was read can be sent back");
  assertEquals(again.headers.get("etag"), read.headers.get("etag"), "and is no new version");
}
const JSON_TYPE = { "content-type": "application/json" };

for (const method of ["POST", "PATCH"]) {
  Deno.test(`${method} of any body is answered properly, and a refusal writes nothing`, async () => {
    await using test = await headless();
    const { id } = await test.post({ title: "T" });
    await fc.assert(
      fc.asyncProperty(body, (drawn) => assertWriteHolds(test, id, method, drawn as Json)),
      RUNS,
    );
  });
}

Deno.test("POST and PATCH of any bytes are answered properly, and a refusal writes nothing", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "T" });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.json().map((text) => new TextEncoder().encode(text)),
    fc.tuple(body, fc.nat(80)).map(([drawn, end]) =>
      new TextEncoder().encode(JSON.stringify(drawn)).slice(0, end)
    ),
  );
  const type = fc.oneof(
    { weight: 5, arbitrary: fc.constant("application/json") },
    fc.constantFrom("text/plain", "application/json; charset=utf-16", "", "json", "a/b+json"),
  );
  await fc.assert(
    fc.asyncProperty(bytes, type, async (raw, contentType) => {
      const before = await storePicture(test);
      for (const [method, path] of [["POST", "/posts"], ["PATCH", `/posts/${id}`]]) {
        const call = {
          raw: raw as Uint8Array<ArrayBuffer>,
          headers: { "content-type": contentType },
        };
        const answer = await test.v1(method!, path!, call);
        assertAnswered(answer);
        if (answer.status < 400) return;
        assertEquals(await storePicture(test), before);
      }
    }),
    RUNS,
  );
});

Deno.test("GET with any query is answered properly, for any token", async () => {
  await using test = await headless();
  await test.post({ title: "One", status: "published", ...VALUES });
  await test.post({ title: "Two", rating: 7 });
  const reader = await test.token({ scopes: ["posts:read"] });
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      for (const token of [test.full, reader]) {
        const answer = await test.v1("GET", `/posts?${text}`, { token });
        assertAnswered(answer);
        if (answer.status !== 200) continue;
        const { data: documents, meta } = answer.json;
        assert(documents.length <= meta.perPage && documents.length <= meta.total);
        if (token === reader) {
          for (const { status } of documents) assertEquals(status, "published");
        }
      }
    }),
    { numRuns: 150 },
  );
});

Deno.test("any path and any headers are answered properly", async () => {
  await using test = await headless([]);
  const segment = fc.oneof(
    fc.constantFrom(
      "posts",
      "by-slug",
      "nowhere",
      NO_ID,
      "_meta",
      "_explorer",
      "",
      "%ff",
      "%",
      "..;",
    ),
    fc.string({ unit: "binary", maxLength: 20 }).map(encoded),
  );
  const method = fc.constantFrom("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS");
  const header = fc.string({ unit: "grapheme-ascii", maxLength: 40 }).map((text) => text.trim());
  await fc.assert(
    fc.asyncProperty(
      method,
      fc.array(segment, { maxLength: 5 }),
      header,
      async (name, path, text) => {
        const headers: Record<string, string> = {};
        const all = [
          "origin",
          "if-match",
          "if-none-match",
          "content-type",
          "x-forwarded-for",
          "cookie",
        ];
        for (const header of [...all, "access-control-request-headers"]) headers[header] = text;
        const answer = await test.v1(name, `/${path.join("/")}`, { headers });
        assert(answer.status < 500, answer.text);
        assert(answer.headers.has("x-request-id"));
      },
    ),
    RUNS,
  );
});
