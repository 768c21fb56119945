/**
 * The headless API of a site in four languages: English documents, French with Canadian French, German.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../harness/assert.ts";
import type { Answer, Call } from "./app.ts";
import { type Headless, headless } from "./headless.ts";

/** The languages of the site; the last one is for editors alone. */
export const LANGUAGES: Json[] = [
  { code: "en", name: "English" },
  { code: "fr", fallback: ["en"] },
  { code: "fr-CA", fallback: ["fr", "en"], path: "qc", gaps: true },
  { code: "de" },
  { code: "ar", fallback: ["en"], public: false },
];

const FIELDS: Record<string, Json>[] = [
  { name: "summary", type: "text", indexed: true, sortable: true, localized: true },
  { name: "body", type: "rich_text", required: true, localized: true },
  {
    name: "tags",
    type: "multi_select",
    indexed: true,
    localized: true,
    options: { choices: ["a", "b"] },
  },
  { name: "rating", type: "number", indexed: true, sortable: true },
  { name: "related", type: "reference", indexed: true, options: { collection: "posts" } },
];

/** A text in one paragraph. */
export function paragraph(text: string): Json {
  return [{
    _type: "block",
    _key: "k",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s", text, marks: [] }],
  }];
}

/** The site. */
export interface Multilingual extends Headless {
  /** A token that reads what is published. */
  reader: string;
  translate(id: string, code: string, body: Record<string, Json>): Promise<Answer>;
  /** A request of the reader. */
  read(path: string): Promise<Answer>;
}

/** A fresh site; `await using` closes it. */
export async function multilingual(
  options?: Parameters<typeof headless>[2],
): Promise<Multilingual> {
  const test = await headless([], undefined, options);
  await test.setUp();
  const { admin } = test;
  const set = await admin("PATCH", "/settings", { languages: LANGUAGES });
  assertEquals(set.status, 200, set.text);
  const localized = await admin("PATCH", "/collections/posts", { localized: true });
  assertEquals([localized.status, localized.json.localized], [200, true], localized.text);
  for (const field of FIELDS) {
    const body = { label: field.name!, ...field };
    const made = await admin("POST", "/collections/posts/fields", body);
    assertEquals(made.status, 201, made.text);
  }
  const reader = await test.token({ scopes: ["posts:read"] });
  return {
    ...test,
    [Symbol.asyncDispose]: test[Symbol.asyncDispose],
    reader,
    translate: (id, code, body) => test.v1("PUT", `/posts/${id}/translations/${code}`, { body }),
    read: (path) => test.v1("GET", path, { token: reader }),
  };
}

/** A request to the admin API. */
export type Ask = (method: string, path: string, body?: Json, call?: Call) => Promise<Answer>;

/** Signs in a new user with these roles. */
export async function signedIn(test: Multilingual, name: string, roles: string[]): Promise<Ask> {
  const email = `${name}@example.org`;
  const password = "a password of some length";
  const user = { email, displayName: name, password, roles };
  const made = await test.admin("POST", "/users", user);
  assertEquals(made.status, 201, made.text);
  const session = await test.call("POST", "/api/admin/session", { body: { email, password } });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  return (method, path, body, call = {}) => {
    const given = body === undefined ? call : { ...call, body };
    const headers = { ...call.headers, cookie };
    return test.call(method, `/api/admin${path}`, { ...given, headers });
  };
}
