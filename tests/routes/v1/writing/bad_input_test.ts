/** Hostile bodies and paths: refused in the envelope, with nothing written. */
import { BODY_BYTES_MAX } from "../../../../kv/limits/requests.ts";
import type { RefusalCode } from "../../../../kv/refusals.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  headless,
  inPieces,
  NO_ID,
  storePicture,
} from "../../../support/sites/headless.ts";

const JSON_TYPE = { "content-type": "application/json" };
const bytes = (...values: number[]) => Uint8Array.from(values);
const quoted = (inner: Uint8Array) =>
  new Uint8Array([...new TextEncoder().encode('{"title":"'), ...inner, 0x22, 0x7d]);

/** Bodies that are refused before any field is looked at. */
const BODIES: Record<string, [BodyInit | undefined, number, RefusalCode, Record<string, string>?]> =
  {
    "no body": [undefined, 400, "BODY_INVALID"],
    "no body and no type": [undefined, 400, "BODY_INVALID", {}],
    "an empty body": ["", 400, "BODY_INVALID"],
    "white space": [" \n ", 400, "BODY_INVALID"],
    "half an object": ['{"title":"T"', 400, "BODY_INVALID"],
    "two objects": ['{"title":"T"}{"title":"U"}', 400, "BODY_INVALID"],
    "a trailing comma": ['{"title":"T",}', 400, "BODY_INVALID"],
    "single quotes": ["{'title':'T'}", 400, "BODY_INVALID"],
    "a comment": ['{"title":"T"/**/}', 400, "BODY_INVALID"],
    "NaN": ['{"title":"T","price":NaN}', 400, "BODY_INVALID"],
    "a number out of range": ['{"title":"T","price":1e999}', 400, "BODY_INVALID"],
    "null": ["null", 400, "BODY_INVALID"],
    "an array": ['[{"title":"T"}]', 400, "BODY_INVALID"],
    "a text": ['"title"', 400, "BODY_INVALID"],
    "a number": ["1", 400, "BODY_INVALID"],
    "a raw line break in a text": ['{"title":"a\nb"}', 400, "BODY_INVALID"],
    "invalid UTF-8": [quoted(bytes(0xff, 0xfe)), 400, "BODY_INVALID"],
    "overlong UTF-8": [quoted(bytes(0xc0, 0xaf)), 400, "BODY_INVALID"],
    "a surrogate in UTF-8": [quoted(bytes(0xed, 0xa0, 0x80)), 400, "BODY_INVALID"],
    "UTF-8 cut short": [quoted(bytes(0xe2, 0x82)), 400, "BODY_INVALID"],
    "UTF-16": [bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0), 400, "BODY_INVALID"],
    "65 levels": [`{"title":"T","extra":${"[".repeat(64)}${"]".repeat(64)}}`, 400, "BODY_INVALID"],
    "a million levels": ["[".repeat(1_000_000), 400, "BODY_INVALID"],
    "a form": ["title=T", 415, "UNSUPPORTED_MEDIA_TYPE", {
      "content-type": "application/x-www-form-urlencoded",
    }],
    "text": ['{"title":"T"}', 415, "UNSUPPORTED_MEDIA_TYPE", { "content-type": "text/plain" }],
    "bytes without a type": [quoted(bytes(0x54)), 415, "UNSUPPORTED_MEDIA_TYPE", {}],
    "gzip": [quoted(bytes(0x54)), 415, "UNSUPPORTED_MEDIA_TYPE", {
      ...JSON_TYPE,
      "content-encoding": "gzip",
    }],
    "latin-1": [quoted(bytes(0x54)), 415, "UNSUPPORTED_MEDIA_TYPE", {
      "content-type": "application/json; charset=iso-8859-1",
    }],
  };
for (const [name, [raw, status, code, headers = JSON_TYPE]] of Object.entries(BODIES)) {
  Deno.test(`a body that is ${name} is ${code}`, async () => {
    await using test = await headless();
    const { id } = await test.post({ title: "T" });
    const before = await storePicture(test);
    for (const [method, path] of [["POST", "/posts"], ["PATCH", `/posts/${id}`]]) {
      const call = { headers, ...(raw !== undefined && { raw }) };
      const answer = await test.v1(method!, path!, call);
      assertRefused(answer, status, code);
      assert(!/position|token|unexpected/i.test(answer.json.error.message), "no parser's message");
    }
    assertEquals(await storePicture(test), before);
  });
}

Deno.test("64 levels are taken, and so are brackets inside of texts", async () => {
  await using test = await headless();
  let extra: unknown = '[[[{{{\\"'.repeat(100);
  for (let level = 0; level < 63; level++) extra = [extra];
  const raw = JSON.stringify({ title: "T", extra });
  const answer = await test.v1("POST", "/posts", { raw, headers: JSON_TYPE });
  assertEquals([answer.status, answer.json.extra], [201, extra]);
});

/** A body of exactly this many bytes. */
function bodyOf(size: number): string {
  const start = '{"title":"T","extra":"';
  return `${start}${"x".repeat(size - start.length - 2)}"}`;
}

Deno.test("a body is refused by its length, announced or not", async () => {
  await using test = await headless();
  const largest = bodyOf(BODY_BYTES_MAX);
  const tooLarge = bodyOf(BODY_BYTES_MAX + 1);
  const before = await storePicture(test);
  const half = tooLarge.slice(0, 2_000_000);
  const refused = [
    { raw: tooLarge },
    { raw: "{}", headers: { ...JSON_TYPE, "content-length": "5000001" } },
    { raw: "{}", headers: { ...JSON_TYPE, "content-length": "9".repeat(400) } },
    { raw: inPieces(half, tooLarge.slice(2_000_000)) },
    { raw: inPieces(...Array<string>(6).fill("x".repeat(1_000_000))) },
    { raw: new Uint8Array(20_000_000) },
  ];
  for (const call of refused) {
    const answer = await test.v1("POST", "/posts", { headers: JSON_TYPE, ...call });
    assertRefused(answer, 413, "PAYLOAD_TOO_LARGE");
  }
  assertEquals(await storePicture(test), before);
  for (const raw of [largest, inPieces(largest.slice(0, 9), largest.slice(9))]) {
    const answer = await test.v1("POST", "/posts", { raw, headers: JSON_TYPE });
    assertEquals(answer.status, 201);
    assertEquals((await test.v1("GET", `/posts/${answer.json.id}`)).text, answer.text);
  }
});

Deno.test("a body whose length is a lie or nonsense is bounded by what arrives", async () => {
  await using test = await headless([]);
  for (const length of ["1", "abc", "-1", "", "1e3"]) {
    const headers = { ...JSON_TYPE, "content-length": length };
    const answer = await test.v1("POST", "/posts", { raw: inPieces('{"title":"T"}'), headers });
    assertEquals(answer.status, 201, length);
  }
});

Deno.test("a body that breaks off is refused", async () => {
  await using test = await headless([]);
  const raw = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"title"')),
    pull: (controller) => controller.error(new Error("connection lost")),
  });
  const answer = await test.v1("POST", "/posts", { raw, headers: JSON_TYPE });
  assertRefused(answer, 400, "BODY_INVALID");
  assert(!answer.text.includes("connection lost"));
});

/** Keys that mean something to the language; never to a body. */
const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "__defineGetter__",
];
for (const name of NAMES) {
  Deno.test(`${name} is a key like any other`, async () => {
    await using test = await headless();
    const before = await storePicture(test);
    const top = `{"title":"T","${name}":{"title":"U"}}`;
    const within = `{"title":"T","seo":{"${name}":1},"gallery":[{"${name}":1}]}`;
    const extra = `{"title":"T","extra":{"${name}":{"polluted":true}}}`;
    assertRefused(
      await test.v1("POST", "/posts", { raw: top, headers: JSON_TYPE }),
      422,
      "VALIDATION_FAILED",
      [`${name} UNKNOWN_KEY`],
    );
    assertRefused(
      await test.v1("POST", "/posts", { raw: within, headers: JSON_TYPE }),
      422,
      "VALIDATION_FAILED",
      [`gallery.0.${name} UNKNOWN_KEY`, `seo.${name} UNKNOWN_KEY`],
    );
    assertEquals(await storePicture(test), before);
    const kept = await test.v1("POST", "/posts", { raw: extra, headers: JSON_TYPE });
    assertEquals(kept.status, 201);
    assert(kept.text.includes(`"extra":{"${name}":{"polluted":true}}`), "free JSON keeps it");
    const again = await test.v1("GET", `/posts/${kept.json.id}`);
    assertEquals(again.text, kept.text);
    const back = { raw: again.text, headers: JSON_TYPE };
    const patched = await test.v1("PATCH", `/posts/${kept.json.id}`, back);
    assertEquals([patched.status, patched.text], [200, again.text]);
    assertEquals(patched.headers.get("etag"), again.headers.get("etag"), "no new version");
    // deno-lint-ignore no-explicit-any
    assertEquals(({} as any).polluted, undefined);
  });
}

Deno.test("a key that comes twice counts with its last value", async () => {
  await using test = await headless([]);
  const raw = '{"title":"T","title":"U"}';
  const answer = await test.v1("POST", "/posts", { raw, headers: JSON_TYPE });
  assertEquals([answer.status, answer.json.title], [201, "U"]);
});

Deno.test("a hostile key is reported shortened, and a hostile body not in full", async () => {
  await using test = await headless([]);
  const long = { title: "T", ["x".repeat(100_000)]: 1, "\ud800": 1 };
  const answer = await test.v1("POST", "/posts", { body: long });
  assertRefused(answer, 422, "VALIDATION_FAILED", [
    `${"x".repeat(100)} UNKNOWN_KEY`,
    "\ufffd UNKNOWN_KEY",
  ]);
  const manyKeys = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, n) => [`k${n}`, n]));
  const flood = await test.v1("POST", "/posts", { body: { title: "T", ...manyKeys(9_000) } });
  assertEquals([flood.status, flood.json.error.details.length], [422, 1_000]);
  const more = await test.v1("POST", "/posts", { body: { title: "T", ...manyKeys(50_000) } });
  assertRefused(more, 400, "BODY_INVALID");
});

const SEGMENTS = [
  "%",
  "%zz",
  "%ff",
  "%E0%A4%A",
  "%00",
  "%2F",
  "..%2f",
  "%0d%0aX: y",
  "ü",
];
SEGMENTS.push("💥", "constructor", "__proto__", "toString", "*", "'\"<b>", "x".repeat(8_000));
for (const segment of SEGMENTS) {
  Deno.test(`the path segment ${JSON.stringify(segment.slice(0, 20))} leads nowhere`, async () => {
    await using test = await headless([]);
    const body = { title: "T" };
    for (
      const [method, path] of [["GET", ""], ["POST", ""], ["GET", `/${NO_ID}`], ["PATCH", `/x`]]
    ) {
      const call = method === "GET" ? {} : { body };
      const answer = await test.v1(method!, `/${segment}${path}`, call);
      assertRefused(answer, 404, "COLLECTION_NOT_FOUND");
    }
    for (const path of [`/posts/${segment}`, `/posts/by-slug/${segment}`]) {
      assertRefused(await test.v1("GET", path), 404, "NOT_FOUND");
    }
    assertRefused(await test.v1("PATCH", `/posts/${segment}`, { body }), 404, "NOT_FOUND");
    assertRefused(await test.v1("DELETE", `/posts/${segment}`), 404, "NOT_FOUND");
  });
}
