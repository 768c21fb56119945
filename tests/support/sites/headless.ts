/**
 * The headless API in a test: a collection with a field of every type, and assertions on whole answers.
 *
 * @module
 */
import { type Key, versionPrefix } from "../../../kv/keys.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type RefusalCode, REFUSALS } from "../../../kv/refusals.ts";
import { type Answer, type Call, type TestApp, testApp } from "./app.ts";
import { assert, assertEquals } from "../harness/assert.ts";
import { NOON, type TestContext } from "../harness/context.ts";

/** Noon in epoch seconds: the time of every test until it moves its clock. */
export const NOON_SECONDS = NOON / 1000;

/** A well-formed id of nothing. */
export const NO_ID = "01JD0000000000000000000000";

/** One field of every type; `rating`, `topic`, … are named for what tests do with them. */
export const FIELDS: Record<string, Json>[] = [
  { name: "summary", type: "text", indexed: true, sortable: true },
  { name: "code", type: "text", unique: true, options: { maxLength: 20 } },
  {
    name: "rating",
    type: "number",
    indexed: true,
    sortable: true,
    options: { min: 0, max: 10, integer: true },
  },
  { name: "price", type: "number", indexed: true, sortable: true },
  { name: "featured", type: "boolean", indexed: true, sortable: true },
  { name: "eventAt", type: "datetime", indexed: true, sortable: true },
  {
    name: "topic",
    type: "select",
    indexed: true,
    sortable: true,
    options: { choices: ["news", "howto"] },
  },
  { name: "tags", type: "multi_select", indexed: true, options: { choices: ["a", "b", "c"] } },
  { name: "homepage", type: "url", indexed: true, sortable: true },
  { name: "contact", type: "email", indexed: true, sortable: true },
  { name: "cover", type: "media", indexed: true, sortable: true },
  { name: "related", type: "reference", indexed: true, sortable: true },
  { name: "body", type: "rich_text" },
  { name: "extra", type: "json" },
  {
    name: "gallery",
    type: "repeater",
    options: { fields: [{ name: "caption", type: "text" }, { name: "size", type: "number" }] },
  },
  {
    name: "seo",
    type: "group",
    options: { fields: [{ name: "heading", type: "text" }] },
  },
  { name: "sections", type: "block" },
  { name: "hidden", type: "text" },
];

/** A value for every field that points to nothing outside the document. */
export const VALUES: Record<string, Json> = {
  summary: "Short",
  code: "A-1",
  rating: 7,
  price: 9.5,
  featured: true,
  eventAt: 1_700_000_000,
  topic: "news",
  tags: ["a", "c"],
  homepage: "https://example.org/",
  contact: "ada@example.org",
  body: [{
    _type: "block",
    _key: "k1",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s1", text: "Hello", marks: [] }],
  }],
  extra: { nested: [1, null, "x", { deep: false }] },
  gallery: [{ caption: "One", size: 1 }, { caption: "Two" }],
  seo: { heading: "H" },
  hidden: "h",
};

/** Every field without a value, as it is shown. */
export const NOTHING: Record<string, Json> = Object.fromEntries(
  FIELDS.map((field) => [field.name as string, null]),
);

/** An application with the collection `posts` and a token that may do everything. */
export interface Headless extends TestApp {
  posts: Collection;
  full: string;
  /** A request with the token that may do everything, unless the call brings its own. */
  v1(method: string, path: string, call?: Call): Promise<Answer>;
  /** Creates a post that must succeed, and answers its body. */
  // deno-lint-ignore no-explicit-any
  post(body: Record<string, Json>): Promise<any>;
}

/** A fresh application; `await using` closes it. */
export async function headless(
  fields: Record<string, Json>[] = FIELDS,
  context?: TestContext,
  options: Parameters<typeof testApp>[0] = {},
): Promise<Headless> {
  const test = await testApp(options, context);
  const full = await test.token();
  const labelled = fields.map((field) => ({ label: field.name as string, ...field }));
  const posts = await test.collection({ slug: "posts", name: "Posts", fields: labelled });
  const v1 = (method: string, path: string, call: Call = {}) =>
    test.call(method, `/api/v1${path}`, { token: full, ...call });
  return {
    ...test,
    [Symbol.asyncDispose]: test[Symbol.asyncDispose],
    posts,
    full,
    v1,
    post: async (body) => {
      const answer = await v1("POST", "/posts", { body });
      assertEquals(answer.status, 201, answer.text);
      return answer.json;
    },
  };
}

/** The ids of a list answer's documents. */
export function ids(answer: Answer): string[] {
  assertEquals(answer.status, 200, answer.text);
  return answer.json.data.map(({ id }: { id: string }) => id);
}

/** The titles of a list answer's documents, joined. */
export function titles(answer: Answer): string {
  assertEquals(answer.status, 200, answer.text);
  return answer.json.data.map(({ title }: { title: string }) => title).join(" ");
}

/** What every answer of `/api/v1` has. */
export function assertFramed(answer: Answer): void {
  assert(/^[0-9A-Z]{18}-[0-9a-z]+$/.test(answer.headers.get("x-request-id") ?? ""));
  const vary = (answer.headers.get("vary") ?? "").split(",").map((name) => name.trim());
  assert(vary.includes("Origin"), `Vary: ${vary}`);
  assertEquals(answer.headers.get("set-cookie"), null);
}

/** A refusal, whole: status, envelope, headers; `details` as `field CODE`, sorted. */
export function assertRefused(
  answer: Answer,
  status: number,
  code: RefusalCode,
  details?: string[],
): void {
  assertEquals([answer.status, answer.json?.error?.code], [status, code], answer.text);
  assertFramed(answer);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "no-store");
  for (const name of ["etag", "location"]) assertEquals(answer.headers.get(name), null);
  const { error, ...rest } = answer.json;
  const { message, details: found, ...others } = error;
  assertEquals([rest, others], [{}, { code }]);
  assert(message.startsWith(REFUSALS[code]), message);
  assertEquals(found === undefined, details === undefined, answer.text);
  if (details === undefined) return;
  for (const detail of found) {
    assertEquals(Object.keys(detail).sort(), ["code", "field", "message"]);
    assert(typeof detail.message === "string" && detail.message !== "");
  }
  assertEquals(
    found.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort(),
    [...details].sort(),
  );
}

/** How many versions a document has. */
export async function versionCount({ context }: TestApp, id: string): Promise<number> {
  const entries = await context.store.listAll({ prefix: versionPrefix("document", id) });
  return entries.length;
}

/** Families of keys that a refused request may change: what it counted, and that its token was used. */
const COUNTED = ["window", "last_used", "token_use"];

/** Everything in the store that only a write changes, as versionstamps by key. */
export async function storePicture({ context }: TestApp): Promise<Map<string, string>> {
  const stamps = new Map<string, string>();
  for await (const { key, versionstamp } of context.store.list({ prefix: [] as Key })) {
    if (!COUNTED.includes(key[0] as string)) stamps.set(JSON.stringify(key), versionstamp!);
  }
  return stamps;
}

/** A body that arrives in pieces and tells no length. */
export function inPieces(...pieces: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return ReadableStream.from(
    pieces.map((piece) => typeof piece === "string" ? encoder.encode(piece) : piece),
  );
}
