/**
 * A site with an entity of every type that the admin can make and a field of every type, spilled documents
 * and media among them.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { Answer, TestApp } from "./app.ts";
import { type Admin, pictureForm, setUpAdmin } from "./backups.ts";

const nested = [{ name: "note", label: "Note", type: "text" }];

const FIELDS: Json[] = [
  { name: "lead", label: "Lead", type: "text", unique: true, indexed: true },
  { name: "body", label: "Body", type: "rich_text" },
  { name: "rating", label: "Rating", type: "number", indexed: true, sortable: true },
  { name: "featured", label: "Featured", type: "boolean", indexed: true },
  { name: "held", label: "Held", type: "datetime", sortable: true },
  { name: "kind", label: "Kind", type: "select", options: { choices: ["a", "b"] }, indexed: true },
  { name: "tags", label: "Tags", type: "multi_select", options: { choices: ["x", "y"] } },
  { name: "link", label: "Link", type: "url" },
  { name: "contact", label: "Contact", type: "email" },
  { name: "extra", label: "Extra", type: "json" },
  { name: "cover", label: "Cover", type: "media" },
  { name: "related", label: "Related", type: "reference", options: { collection: "posts" } },
  { name: "rows", label: "Rows", type: "repeater", options: { fields: nested } },
  { name: "place", label: "Place", type: "group", options: { fields: nested } },
  { name: "stage", label: "Stage", type: "block", options: { allowed: ["quote"] } },
];

/** What a test may want to know of the site. */
export interface FullSite {
  admin: Admin;
  /** Of the first post. */
  postId: string;
  mediaId: string;
  token: string;
}

function expect(answer: Answer, status: number): Answer["json"] {
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json;
}

/** Makes the site. */
export async function fullSite(app: TestApp): Promise<FullSite> {
  const admin = await setUpAdmin(app);
  const make = async (path: string, body: Json) => expect(await admin.ask("POST", path, body), 201);
  await make("/blocks", { name: "quote", label: "Quote", fields: nested });
  await make("/collections", { slug: "posts", name: "Posts", fields: FIELDS });
  await make("/collections", { slug: "pages", name: "Pages", exposed: false });
  await make("/users", {
    email: "bob@example.org",
    displayName: "Bob",
    password: "a long enough password",
    roles: ["editor"],
  });
  await make("/roles", { name: "Proof reader", permissions: ["documents.read"] });
  const { token } = await make("/tokens", { name: "reader", scopes: ["*:read", "*:write"] });
  const upload = await admin.ask("POST", "/media", undefined, pictureForm());
  const { id: mediaId } = expect(upload, 201);
  const settings = { "site.description": "Of light", "secret.key": "do not tell" };
  expect(await admin.ask("PATCH", "/settings", settings), 200);
  const postId = await makePosts(admin, mediaId);
  return { admin, postId, mediaId, token };
}

async function makePosts(admin: Admin, mediaId: string): Promise<string> {
  const make = async (body: Json) => expect(await admin.ask("POST", "/documents", body), 201).id;
  const first = await make({
    collection: "posts",
    title: "The first lamp",
    lead: "A lead",
    body: [{
      _type: "block",
      _key: "k1",
      style: "normal",
      markDefs: [],
      children: [{ _type: "span", _key: "s1", text: "Light — ünïcode \u2028", marks: [] }],
    }],
    rating: 4.5,
    featured: true,
    held: 1_700_000_000,
    kind: "a",
    tags: ["x", "y"],
    link: "https://example.org/",
    contact: "someone@example.org",
    extra: { "2": 1, "1": [null, -0.5, { deep: "é" }] },
    cover: mediaId,
    rows: [{ note: "one" }, { note: "two" }],
    place: { note: "here" },
    stage: [{ type: "quote", data: { note: "said" } }],
    blocks: [{ type: "quote", data: { note: "tree" } }],
  });
  await make({ collection: "posts", title: "Points", related: first, lead: "Another" });
  const large = await make({ collection: "posts", title: "Large", extra: "x".repeat(250_000) });
  expect(await admin.ask("PATCH", `/documents/${large}`, { rating: 1 }), 200);
  await make({ collection: "posts", title: "Middling", extra: "y".repeat(90_000) });
  const trashed = await make({ collection: "pages", title: "Gone" });
  await admin.ask("DELETE", `/documents/${trashed}`);
  const later = await make({ collection: "pages", title: "Later" });
  const publishAt = 2_000_000_000;
  expect(await admin.ask("POST", `/documents/${later}/schedule`, { publishAt }), 200);
  for (let n = 1; n <= 5; n++) {
    expect(await admin.ask("PATCH", `/documents/${first}`, { rating: n }), 200);
  }
  expect(await admin.ask("POST", `/documents/${first}/publish`), 202);
  expect(await admin.ask("PATCH", `/documents/${first}`, { slug: "the-lamp" }), 200);
  return first;
}
