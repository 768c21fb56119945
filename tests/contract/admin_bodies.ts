/**
 * Bodies that the endpoints of the admin API accept, made from what is there: for a fuzzer to send as they
 * are and to break.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import { FIELD_TYPE_NAMES } from "../../kv/model/fields/field_definition.ts";
import { PERMISSION_NAMES } from "../../kv/model/entities/permission.ts";
import { NOON_SECONDS } from "../support/sites/headless.ts";
import type { Random } from "./random.ts";
import { randomUlid } from "./value_maker.ts";

/** The address of every webhook; a fuzzed site takes it for a public one. */
export const RECEIVER = "127.0.0.2";

/** What is known to be there, by kind: ids, slugs, names. */
export interface Known {
  pick(kind: string, random: Random): string;
}

type Body = { [key: string]: Json };

const NESTED = ["text", "number", "group"];
const CREDENTIAL: Body = { id: "AAAA", rawId: "AAAA", type: "public-key" };
const ASSERTION: Body = {
  ...CREDENTIAL,
  response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" },
};
const REGISTRATION: Body = {
  ...CREDENTIAL,
  response: { clientDataJSON: "e30", attestationObject: "AAAA" },
};
/** Without administrators who could take the place of the one who asks. */
const ROLES = ["viewer", "author", "editor"];
const WORDS = ["alpha", "beta", "gamma", "delta", "été", "日本", "🦊"];

const ANCHOR = { start: { key: "a", offset: 0 }, end: { key: "a", offset: 1 }, quote: "a" };

function word(random: Random): string {
  return `${random.pick(WORDS)} ${random.below(1_000)}`;
}

function name(random: Random): string {
  return `n${random.below(30)}`;
}

function ratio(random: Random): string {
  return `${1 + random.below(4)}:${1 + random.below(4)}`;
}

/** Now and then beyond the edge. */
function crop(random: Random): Body {
  const [x, y] = [random.below(6) / 10, random.below(6) / 10];
  return { x, y, width: (1 + random.below(5)) / 10, height: (1 + random.below(5)) / 10 };
}

function options(type: string, known: Known, random: Random): Body {
  switch (type) {
    case "text":
      return random.pick<Body>([{}, { maxLength: 50, pattern: "^[a-z ]*$" }, { default: "x" }]);
    case "number":
      return random.pick<Body>([{}, { min: 0, max: 10, integer: true }]);
    case "select":
    case "multi_select":
      return { choices: ["a", "b", "c"] };
    case "reference":
      return { collection: known.pick("slug", random) };
    case "media":
      return { mimes: ["image/png"] };
    case "repeater":
    case "group":
      return random.chance(0.5) ? {} : { fields: [field(known, random, NESTED)] };
    case "block":
      return random.chance(0.5) ? {} : { allowed: [known.pick("block", random)] };
    default:
      return {};
  }
}

function field(known: Known, random: Random, types: readonly string[]): Body {
  const type = random.pick(types);
  return {
    name: name(random),
    type,
    options: options(type, known, random),
    required: random.chance(0.2),
  };
}

function document(known: Known, random: Random): Body {
  const values: Json[] = [
    "a",
    3,
    true,
    null,
    ["a"],
    [{ n1: "x" }],
    { n1: "x" },
    randomUlid(random),
  ];
  const body: Body = { title: word(random) };
  for (let count = random.below(4); count > 0; count--) {
    body[known.pick("field", random)] = random.pick(values);
  }
  if (random.chance(0.2)) body.blocks = [{ type: known.pick("block", random), data: {} }];
  return body;
}

/** A translation, of which most are public: what there is to do with those is the most. */
function translation(_known: Known, random: Random): Body {
  return random.chance(0.3)
    ? { title: word(random) }
    : { title: word(random), status: "published" };
}

const FIELD_CHANGES: readonly ((known: Known, random: Random) => Body)[] = [
  (known, random) => field(known, random, FIELD_TYPE_NAMES),
  (_known, random) => ({ type: random.pick(FIELD_TYPE_NAMES) }),
  (_known, random) => ({ label: word(random), help: word(random) }),
  (_known, random) => ({ indexed: random.chance(0.5), sortable: random.chance(0.5) }),
  (_known, random) => ({ unique: random.chance(0.5), required: random.chance(0.5) }),
];

/** Makers of bodies by `METHOD /path`. */
export const BODIES: { [endpoint: string]: (known: Known, random: Random) => Body } = {
  "POST /setup": (_known, random) => ({
    code: "setup-code",
    email: `user${random.below(20)}@example.org`,
    displayName: word(random),
    password: "a password of some length",
    siteTitle: word(random),
  }),
  "POST /setup/code": () => ({ code: "setup-code" }),
  "POST /session": (_known, random) => ({
    email: `user${random.below(20)}@example.org`,
    password: "a password of some length",
  }),
  "POST /session/prove": () => ({ password: "a password of some length" }),
  "POST /session/second-factor": (_known, random) => ({
    challenge: randomUlid(random),
    ...random.pick<Body>([{ code: "000000" }, { recoveryCode: "x" }, { assertion: ASSERTION }]),
  }),
  "POST /session/passkey": () => ({ response: ASSERTION }),
  "POST /session/passkey/options": (_known, random) => random.pick<Body>([{}, { challenge: "x" }]),
  "POST /account/passkeys": (_known, random) => ({ name: word(random), response: REGISTRATION }),
  "PATCH /account/passkeys/:id": (_known, random) => ({ name: word(random) }),
  "PUT /account/totp": () => ({ code: "000000" }),
  "DELETE /account/totp": (_known, random) =>
    random.pick<Body>([{ code: "000000" }, { password: "a password of some length" }]),
  "POST /auth/providers/:id/test": () => ({ claims: { sub: "x" } }),
  "POST /address-confirmation": (_known, random) => ({ token: randomUlid(random) }),
  "POST /password-reset": (_known, random) => ({ email: `user${random.below(20)}@example.org` }),
  "POST /password-reset/confirm": (_known, random) => ({
    token: randomUlid(random),
    password: "a password of some length",
  }),
  "POST /blocks": (known, random) => ({
    name: name(random),
    label: word(random),
    fields: [field(known, random, NESTED)],
  }),
  "PATCH /blocks/:name": (known, random) => ({
    label: word(random),
    fields: [field(known, random, NESTED)],
  }),
  "POST /collections": (known, random) => ({
    slug: `slug-${random.below(20)}`,
    name: word(random),
    localized: random.chance(0.8),
    fields: [field(known, random, FIELD_TYPE_NAMES), field(known, random, FIELD_TYPE_NAMES)],
  }),
  "PATCH /collections/:slug": (_known, random) => ({
    slug: `slug-${random.below(20)}`,
    name: word(random),
    exposed: random.chance(0.5),
    ...random.pick([
      { icon: null, group: null },
      { icon: "music", group: "Events", position: 7 },
      { icon: "rocket", position: null, singular: "Thing" },
    ]),
  }),
  "POST /collections/:slug/fields": (known, random) => field(known, random, FIELD_TYPE_NAMES),
  "PATCH /collections/:slug/fields/:name": (known, random) =>
    random.pick(FIELD_CHANGES)(known, random),
  "POST /documents": (known, random) => ({
    collection: known.pick("slug", random),
    status: random.pick(["draft", "published", "scheduled"]),
    // The more collections there are, the fewer names of fields fit the one that is picked.
    ...(random.chance(0.5) ? document(known, random) : { title: word(random) }),
  }),
  "PATCH /documents/:id": document,
  "PATCH /documents/:id/working-copy": document,
  "PUT /documents/:id/translations/:language": translation,
  "PATCH /documents/:id/translations/:language": translation,
  "PATCH /documents/:id/translations/:language/working-copy": (_known, random) => ({
    title: word(random),
  }),
  "POST /documents/:id/translations/:language/schedule": (_known, random) => ({
    publishAt: random.pick([null, 1, 4_000_000_000]),
  }),
  "POST /documents/:id/translations/:language/accept": (_known, random) => ({
    fields: random.pick([["title"], ["nothing"]]),
  }),
  "POST /documents/:id/translations/:language/copy": (_known, random) => ({
    from: random.pick(["en", "en", "fr", "xx"]),
  }),
  "POST /documents/:id/original": (_known, random) => ({ language: random.pick(["fr", "xx"]) }),
  "POST /documents/:id/translations/:language/review": (_known, random) => ({
    note: word(random),
    reviewers: random.pick([[], ["nobody"]]),
  }),
  "POST /documents/:id/translations/:language/review/return": (_known, random) => ({
    note: word(random),
  }),
  "POST /documents/:id/review": (_known, random) => ({
    note: word(random),
    reviewers: random.pick([[], ["01ARZ3NDEKTSV4RRFFQ69G5FAV"]]),
  }),
  "POST /documents/:id/review/return": (_known, random) => ({ note: word(random) }),
  "POST /documents/:id/comments": (_known, random) => ({
    text: word(random),
    ...random.pick<Body>([
      { field: null },
      { field: "title" },
      { field: "n1" },
      { field: "nothing", anchor: ANCHOR },
    ]),
  }),
  "PATCH /documents/:id/comments/:commentId": (_known, random) => ({
    resolved: random.chance(0.5),
  }),
  "PATCH /versions/:versionId": (_known, random) => ({ name: random.pick([word(random), null]) }),
  "POST /documents/:id/schedule": (_known, random) => ({
    publishAt: random.pick([null, 4_000_000_000, 1]),
  }),
  "POST /exports": (_known, random) => random.pick<Body>([{}, { redacted: true }]),
  "PATCH /media/:id": (_known, random) => ({
    alt: word(random),
    filename: `${random.below(9)}.png`,
    folder: random.pick(["", "Press", `Press/${random.below(9)}`]),
    tags: [word(random)],
    crops: random.pick<Json>([null, {}, { "16:9": null }, { [ratio(random)]: crop(random) }]),
  }),
  "POST /media/import": (_known, random) => ({
    url: random.pick(["https://127.0.0.1/a.png", "nothing", "https://packages.invalid/a.png"]),
    folder: word(random),
  }),
  "POST /media/folders/move": (_known, random) => ({ from: word(random), to: word(random) }),
  "POST /media/organize": (known, random) => ({
    ids: [known.pick("media", random)],
    folder: word(random),
    addTags: [word(random)],
    removeTags: [word(random)],
  }),
  "POST /themes": () => ({ url: "https://packages.invalid/theme.tar.gz", accept: [] }),
  "POST /transfers": () => ({ url: "https://packages.invalid/rows.csv" }),
  "POST /transfers/export": (_known, random) => ({
    kind: random.pick(["json", "markdown", "sanity", "wxr"]),
  }),
  "POST /translations/export": (_known, random) => ({
    language: random.pick(["fr", "fr", "xx"]),
    states: random.pick([["missing"], ["outdated", "complete"]]),
  }),
  "PATCH /transfers/:id": () => ({ plan: {} }),
  "POST /transfers/:id/files": () => ({}),
  "POST /transfers/:id/run": (_known, random) => ({ dryRun: random.chance(0.5) }),
  "POST /transfers/:id/retry": () => ({ failed: true }),
  "POST /plugins": () => ({ url: "https://packages.invalid/plugin.tar.gz", accept: ["x"] }),
  "PUT /plugins/:id/config": (_known, random) => ({ greeting: word(random), apiKey: "hush-hush" }),
  "POST /restore": (_known, random) => ({ timestamp: NOON_SECONDS - random.below(10) }),
  "POST /roles": (_known, random) => ({
    name: name(random),
    permissions: [random.pick(PERMISSION_NAMES), random.pick(PERMISSION_NAMES)],
  }),
  "PATCH /roles/:id": (_known, random) => ({ permissions: [random.pick(PERMISSION_NAMES)] }),
  "POST /schema/diff": (known, random) => ({
    files: {
      "collections/a.json": {
        slug: `slug-${random.below(20)}`,
        name: word(random),
        fields: [field(known, random, NESTED)],
      },
    },
  }),
  "POST /schema/push": () => ({ files: {}, dryRun: true }),
  "POST /search/rebuild": () => ({ force: true }),
  "PATCH /settings": (_known, random) =>
    random.pick<Body>([
      { "site.title": word(random), "site.timezone": "Europe/Paris" },
      { "secret.fuzz": "hush-hush", "versions.keep.document": 2 + random.below(9) },
      { "site.url": "https://example.org", "images.transform_enabled": true },
    ]),
  "POST /tokens": (known, random) => ({
    name: word(random),
    scopes: [random.pick(["*", "*:read", `${known.pick("slug", random)}:write`])],
    allowedOrigins: ["https://example.org"],
  }),
  "PATCH /tokens/:id": (_known, random) => ({ name: word(random), quotaPerMinute: 5 }),
  "POST /releases": (_known, random) => ({
    name: word(random),
    publishAt: random.pick([null, 4_000_000_000]),
  }),
  "PATCH /releases/:id": (_known, random) => ({
    description: word(random),
    publishAt: random.pick([null, 4_000_000_000, 1]),
  }),
  "PUT /releases/:id/documents/:documentId": (_known, random) => ({
    action: random.pick(["publish", "unpublish"]),
  }),
  "POST /releases/:id/preview": (_known, random) => ({ ttl: random.pick([60, 3_600, 59]) }),
  "POST /webhooks": (known, random) => ({
    name: word(random),
    url: `https://${RECEIVER}:9/hook`,
    events: ["document.published"],
    enabled: random.chance(0.5),
    collections: random.pick<Json>([null, [known.pick("slug", random)]]),
  }),
  "PATCH /webhooks/:id": (_known, random) => ({
    name: word(random),
    enabled: random.chance(0.5),
    filter: random.pick<Json>([null, { title: { contains: "a" } }, { nothing: 1 }]),
  }),
  "POST /webhooks/:id/replay": () => ({ since: 0 }),
  "POST /tokens/:id/rotate": (_known, random) => ({ overlapSeconds: random.below(100) }),
  "POST /users": (_known, random) => ({
    email: `user${random.below(20)}@example.org`,
    displayName: word(random),
    roles: [random.pick(ROLES)],
    ...(random.chance(0.5) && { password: "a password of some length" }),
  }),
  "POST /notifications/read": (_known, random) => ({ until: random.pick([0, 1_800_000_000, -1]) }),
  "POST /views": (known, random) => ({
    name: word(random),
    collection: random.pick([null, known.pick("slug", random)]),
    query: "status=draft&sort=-updatedAt",
    shared: random.chance(0.5),
  }),
  // The rights of another role would keep the rest from being reached.
  "PUT /session/preview": () => ({ role: "administrator" }),
  "PATCH /users/:id": (_known, random) => ({
    displayName: word(random),
    notificationEmails: "daily",
    roles: [random.pick(ROLES)],
  }),
};

/** Queries without which endpoints refuse. */
export const NEEDED: { [path: string]: string | undefined } = {
  "/state-at": `timestamp=${NOON_SECONDS}`,
  "/state-at/diff": `from=${NOON_SECONDS - 5}&to=${NOON_SECONDS}`,
};

/** Queries that endpoints read, right and wrong ones. */
export const QUERIES: readonly string[] = [
  "page=2&perPage=5",
  "page=0",
  "perPage=1e9",
  "page=99999999999999999999",
  "status=any",
  "status=trashed,draft",
  "status=%00",
  "collection=slug-1&sort=-updatedAt,title",
  "collection=slug-1&field.n1=a&field.n2=3",
  "sort=-,,x",
  "q=%ED%A0%80%FF",
  "q=" + "x".repeat(200),
  "dryRun=true",
  "dryRun=perhaps",
  "timestamp=1790000000",
  "timestamp=-1",
  "timestamp=1e400",
  "from=1790000000&to=1800000000",
  "from=x&to=",
  "against=previous",
  "against=%2e%2e",
  "type=PUBLISH&state=done",
  "type=toString",
  "deleted=true&mime=image/png&q=a",
  "path=/%2e%2e/%00",
  "__proto__=1&constructor=2",
];
