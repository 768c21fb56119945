/**
 * Who sees what: documents of every status, of a collection that is not exposed and of one without a scope,
 * and a working copy, against every route that answers content, for tokens of different sight. Each document
 * has a word of its own: an answer may hold no word of what its reader may not see, whatever it asks for.
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import type { Answer, Call } from "../support/sites/app.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { type Headless, headless, NOON_SECONDS } from "../support/sites/headless.ts";

const WORDS = {
  published: "openword",
  draft: "draftword",
  scheduled: "plannedword",
  archived: "archivedword",
  trashed: "trashedword",
  working: "workingword",
  people: "peopleword",
  unexposed: "hiddenword",
};
type Kind = keyof typeof WORDS;

const reference = (name: string, collection: string) => ({
  name,
  type: "reference",
  indexed: true,
  options: { collection },
});
const FIELDS = [
  { name: "summary", type: "text", indexed: true, sortable: true },
  reference("post", "posts"),
  reference("person", "people"),
  reference("secret", "secrets"),
];

/** Sights: the scopes of a token, what it may see without `draft=true`, and in versions besides. */
const SIGHTS: { scopes: string[] | null; sees: Kind[]; saw?: Kind[] }[] = [
  { scopes: null, sees: ["published", "people"] },
  { scopes: ["posts:read"], sees: ["published"] },
  { scopes: ["people:read"], sees: ["people"] },
  // It was public once, and is in the trash.
  { scopes: ["posts:read", "posts:read-history"], sees: ["published"], saw: ["trashed"] },
  {
    scopes: ["posts:read", "posts:read-drafts"],
    sees: ["published", "draft", "scheduled", "archived"],
  },
  {
    scopes: ["*"],
    sees: ["published", "draft", "scheduled", "archived", "people"],
    saw: ["trashed"],
  },
];

interface Site {
  test: Headless;
  ids: Record<Exclude<Kind, "working">, string>;
}

async function site(): Promise<Site> {
  const test = await headless(FIELDS as Record<string, Json>[]);
  await test.setUp();
  const words = [{ name: "summary", label: "summary", type: "text", indexed: true }];
  await test.collection({ slug: "people", name: "People", fields: words });
  await test.collection({ slug: "secrets", name: "Secrets", fields: words, exposed: false });
  const made = async (collection: string, kind: Exclude<Kind, "working">, more = {}) => {
    const word = WORDS[kind];
    const status = ["scheduled", "draft", "archived"].includes(kind) ? "draft" : "published";
    const body = { collection, title: `Title ${word}`, slug: word, summary: word, status, ...more };
    const answer = await test.admin("POST", "/documents", body);
    assertEquals(answer.status, 201, answer.text);
    return answer.json.id as string;
  };
  const draft = await made("posts", "draft");
  const scheduled = await made("posts", "scheduled");
  await test.admin("POST", `/documents/${scheduled}/schedule`, {
    publishAt: NOON_SECONDS + 86_400,
  });
  const archived = await made("posts", "archived");
  assertEquals((await test.admin("POST", `/documents/${archived}/archive`)).status, 200);
  const trashed = await made("posts", "trashed");
  const people = await made("people", "people");
  const unexposed = await made("secrets", "unexposed");
  const published = await made("posts", "published", { person: people, secret: unexposed });
  const ids = { draft, scheduled, archived, trashed, people, unexposed, published };
  // A public document leads to each of them.
  for (const post of [draft, scheduled, archived, trashed]) {
    const body = { title: `To ${post}`, status: "published", post };
    assertEquals((await test.v1("POST", "/posts", { body })).status, 201);
  }
  assertEquals((await test.admin("DELETE", `/documents/${trashed}`)).status, 204);
  const copy = { title: `Title ${WORDS.working}`, summary: WORDS.working };
  const changed = await test.admin("PATCH", `/documents/${published}/working-copy`, copy);
  assertEquals(changed.status, 200, changed.text);
  test.context.advance(5_000);
  await test.runner.drain();
  return { test, ids };
}

/** A request; `isHistory` for one that asks for versions. */
interface Asked {
  method: string;
  path: string;
  call?: Call;
  isHistory?: boolean;
}

/** Every way to ask for content, without a word that it could echo. */
function requests(ids: Site["ids"]): Asked[] {
  const v1 = "/api/v1";
  const all = "perPage=100&include=post.post,person,secret";
  const at = `at=${NOON_SECONDS + 1}`;
  const lists = ["posts", "people", "secrets"].flatMap((slug) => [
    `${v1}/${slug}?perPage=100`,
    `${v1}/${slug}?facets=summary`,
    `${v1}/${slug}?cursor=&perPage=100&sort=title`,
    `${v1}/${slug}?q=title&perPage=100&fields=title,_snippet`,
    `${v1}/${slug}?field.title[startsWith]=t&perPage=100`,
    `${v1}/${slug}?${at}&perPage=100`,
    ...["draft", "scheduled", "archived", "published"].map((one) => `${v1}/${slug}?status=${one}`),
  ]);
  const includes = [`${v1}/posts?${all}`, `${v1}/posts?${all}&${at}`, `${v1}/posts?${all}&q=title`];
  const singles = Object.entries(ids).flatMap(([kind, id]) =>
    ["posts", "people", "secrets"].flatMap((slug) => [
      `${v1}/${slug}/${id}`,
      `${v1}/${slug}/${id}?${at}`,
      `${v1}/${slug}/${id}/versions`,
      `${v1}/${slug}/${id}/versions/1`,
      ...(slug === "posts" ? [`${v1}/posts/${id}?include=post,person,secret`] : []),
      // The slug is the word: an answer that is there shows it, a refusal shows nothing.
      `${v1}/${slug}/by-slug/${WORDS[kind as Kind]}`,
    ])
  );
  const open = [
    `${v1}/search?q=title&perPage=50`,
    `${v1}/_changes?limit=1000`,
    ...["/", "/feed.xml", "/feed.json", "/feed.atom", "/sitemap.xml", "/robots.txt", "/llms.txt"],
    ...["/index.md", "/posts", "/people", "/secrets", "/search?q=title"],
    ...Object.values(WORDS).flatMap((word) =>
      ["posts", "people", "secrets"].flatMap((slug) => [
        `/${slug}/${word}`,
        `/${slug}/${word}.md`,
      ])
    ),
  ];
  const tool = (name: string, input: Json): Asked => {
    const params = { name, arguments: input };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const headers = { accept: "application/json, text/event-stream" };
    const isHistory = name === "get_history";
    return { method: "POST", path: "/mcp", call: { body, headers }, isHistory };
  };
  return [
    ...[...lists, ...includes, ...singles, ...open].map((path): Asked => ({
      method: "GET",
      path,
      isHistory: path.includes("/versions"),
    })),
    tool("query_documents", { collection: "posts", limit: 100 }),
    tool("query_documents", { collection: "people", limit: 100 }),
    tool("search", { q: "title" }),
    ...Object.values(ids).map((id) => tool("get_document", { collection: "posts", id })),
    ...Object.values(ids).map((id) => tool("get_history", { collection: "posts", id, n: 1 })),
  ];
}

/** The search and the site are everybody's, and the site renders what the API does not expose. */
function visibleAt(path: string, sees: readonly Kind[]): readonly Kind[] {
  const isSite = !path.startsWith("/api/") && path !== "/mcp";
  if (isSite) return ["published", "people", "unexposed"];
  return path.includes("/search") || path === "/mcp" ? [...sees, "published", "people"] : sees;
}

function wordsIn({ text }: Answer): Kind[] {
  return (Object.keys(WORDS) as Kind[]).filter((kind) => text.includes(WORDS[kind]));
}

Deno.test("no route shows a word of what its reader may not see, and each word is shown to who may", async () => {
  const { test, ids } = await site();
  await using _closed = test;
  for (const { scopes, sees, saw = [] } of SIGHTS) {
    const token = scopes === null ? undefined : await test.token({ scopes });
    const shown = new Set<Kind>();
    for (const { method, path, call = {}, isHistory = false } of requests(ids)) {
      const answer = await test.call(method, path, {
        ...call,
        ...(token !== undefined && { token }),
      });
      assert(answer.status < 500, `${path}: ${answer.text}`);
      const may = visibleAt(path, isHistory ? [...sees, ...saw] : sees);
      // A page that is not there names its own address.
      const asked = answer.status === 404
        ? WORDS[
          (Object.keys(WORDS) as Kind[])
            .find((kind) => path.includes(WORDS[kind])) ?? "published"
        ]
        : "";
      const words = wordsIn(answer).filter((kind) => WORDS[kind] !== asked);
      const leaked = words.filter((kind) => !may.includes(kind));
      assertEquals(leaked, [], `${scopes}: ${method} ${path}: ${answer.text.slice(0, 400)}`);
      for (const kind of words) shown.add(kind);
    }
    assertEquals(sees.filter((kind) => !shown.has(kind)), [], `${scopes} misses something`);
  }
});

Deno.test("what cannot be seen cannot be counted, matched or found", async () => {
  const { test } = await site();
  await using _closed = test;
  const total = async (token: string, query: string) => {
    const answer = await test.v1("GET", `/posts?${query}`, { token });
    return answer.status === 200 ? answer.json.meta.total : answer.status;
  };
  const json = (filter: Json) => `filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const reader = await test.token({ scopes: ["posts:read"] });
  const editor = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  for (const kind of ["draft", "scheduled", "archived"] as const) {
    const queries = [
      `field.summary=${WORDS[kind]}`,
      `field.summary[contains]=${WORDS[kind].slice(1)}`,
      `q=${WORDS[kind]}`,
      json({ or: [{ summary: WORDS[kind] }] }),
      json({ post: { match: { summary: WORDS[kind] } } }),
    ];
    for (const query of queries) {
      assertEquals(await total(reader, query), 0, query);
      assert(await total(editor, query) > 0, query);
    }
  }
  for (const token of [reader, editor]) {
    for (const kind of ["trashed", "working", "unexposed"] as const) {
      assertEquals(await total(token, `q=${WORDS[kind]}`), 0, kind);
      assertEquals(await total(token, `field.summary=${WORDS[kind]}`), 0, kind);
    }
    assertEquals(await total(token, json({ post: { match: { summary: WORDS.trashed } } })), 0);
    assertEquals(await total(token, json({ person: { match: { summary: "x" } } })), 403);
    assertEquals(await total(token, json({ secret: { match: { summary: "x" } } })), 403);
  }
});

Deno.test("draft=true shows the working copy to who may see drafts, in lists, reads and nowhere else", async () => {
  const { test, ids } = await site();
  await using _closed = test;
  const editor = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  const reader = await test.token({ scopes: ["posts:read"] });
  const paths = [`/posts?draft=true&perPage=100`, `/posts/${ids.published}?draft=true`];
  for (const path of paths) {
    const shown = await test.v1("GET", path, { token: editor });
    assert(wordsIn(shown).includes("working"), path);
    const refused = await test.v1("GET", path, { token: reader });
    const status = path === paths[0] ? 403 : 404;
    assertEquals([refused.status, wordsIn(refused)], [status, []], path);
  }
});

Deno.test("draft=true shows included documents as their editors see them, a preview as the public does", async () => {
  const { test, ids } = await site();
  await using _closed = test;
  const body = { title: "Leads on", slug: "leads-on", status: "published", post: ids.published };
  const { id } = (await test.v1("POST", "/posts", { body })).json;
  const editor = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  const query = "include=post&fields=post";
  for (const path of [`/posts/${id}?`, "/posts/by-slug/leads-on?", "/posts?field.slug=leads-on&"]) {
    const plain = await test.v1("GET", `${path}${query}`, { token: editor });
    assertEquals(wordsIn(plain), ["published"], path);
    const drafted = await test.v1("GET", `${path}${query}&draft=true`, { token: editor });
    assertEquals(wordsIn(drafted), ["published", "working"], drafted.text);
    const copy = { summary: `${WORDS.working} ${path.length}` };
    const changed = await test.admin("PATCH", `/documents/${ids.published}/working-copy`, copy);
    assertEquals(changed.status, 200, changed.text);
    const later = await test.v1("GET", `${path}${query}&draft=true`, { token: editor });
    const tags = [plain, drafted, later].map(({ headers }) => headers.get("etag"));
    assertEquals(new Set(tags).size, 3, path);
  }
  const preview = (await test.admin("POST", `/documents/${id}/preview`)).json;
  const previewed = await test.v1("GET", `/posts/${id}?${query}`, { token: preview.token });
  assertEquals([previewed.status, wordsIn(previewed)], [200, ["published"]]);
  // Drafts of one collection are no drafts of another.
  const person = await test.admin("PATCH", `/documents/${ids.people}/working-copy`, {
    summary: "secretword",
  });
  assertEquals(person.status, 200);
  const scopes = ["posts:read", "posts:read-drafts", "people:read"];
  const half = await test.token({ scopes });
  const path = `/posts/${ids.published}?draft=true&include=person`;
  const shown = await test.v1("GET", path, { token: half });
  assertEquals([wordsIn(shown).includes("people"), shown.text.includes("secretword")], [
    true,
    false,
  ]);
  const whole = await test.token({ scopes: [...scopes, "people:read-drafts"] });
  assertEquals(
    (await test.v1("GET", path, { token: whole })).text.includes("secretword"),
    true,
  );
});

Deno.test("with a release nothing shows that will not be public, and the site shows none of it", async () => {
  const { test, ids } = await site();
  await using _closed = test;
  const release = (await test.admin("POST", "/releases", { name: "Spring" })).json.id;
  const put = async (id: string, action: string) => {
    const part = `/releases/${release}/documents/${id}`;
    assertEquals((await test.admin("PUT", part, { action })).status, 200);
  };
  await put(ids.draft, "publish");
  await put(ids.people, "unpublish");
  const editor = await test.token({ scopes: ["*"] });
  const view = `draft=true&release=${release}`;
  const all = "perPage=100&include=post.post,person,secret";
  const paths = [
    ...["posts", "people", "secrets"].flatMap((slug) => [
      `/${slug}?${view}&perPage=100`,
      `/${slug}?${view}&facets=summary`,
      `/${slug}?${view}&cursor=&perPage=100&sort=title`,
      `/${slug}?${view}&field.title[startsWith]=t&perPage=100`,
      ...Object.values(WORDS).map((word) => `/${slug}/by-slug/${word}?${view}`),
      ...Object.values(ids).map((id) => `/${slug}/${id}?${view}`),
    ]),
    `/posts?${view}&${all}`,
    ...Object.values(ids).map((id) => `/posts/${id}?${view}&include=post,person,secret`),
  ];
  const shown = new Set<Kind>();
  for (const path of paths) {
    const answer = await test.v1("GET", path, { token: editor });
    assert(answer.status < 500, `${path}: ${answer.text}`);
    for (const kind of wordsIn(answer)) shown.add(kind);
  }
  assertEquals([...shown].sort(), ["draft", "published"]);
  const preview = (await test.admin("POST", `/releases/${release}/preview`)).json;
  const { pathname } = new URL(preview.url);
  for (const slug of ["posts", "people", "secrets"]) {
    for (const kind of Object.keys(WORDS) as Kind[]) {
      const page = await test.call("GET", `${pathname}/${slug}/${WORDS[kind]}`.replace("//", "/"));
      const words = wordsIn(page).filter((word) => page.status !== 404 || word !== kind);
      const may: Kind[] = ["draft", "published", "unexposed"];
      assertEquals(words.filter((word) => !may.includes(word)), [], `${slug}/${kind}`);
    }
  }
  assertEquals(wordsIn(await test.call("GET", "/posts")).includes("draft"), false);
});
