/**
 * Who sees which language: translations of every status, a working copy and a language for editors alone, against
 * every route that answers content, for tokens of different visibility. Each text has a word of its own: an answer
 * may hold no word of what its reader may not see, whichever language it asks for.
 */
import type { Call } from "../support/sites/app.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { NOON_SECONDS } from "../support/sites/headless.ts";
import { type Multilingual, multilingual, paragraph } from "../support/sites/multilingual.ts";

/** Words of a document whose original is public, and of one that is public in French alone. */
const WORDS = {
  original: "openword",
  french: "frenchword",
  germanDraft: "germandraft",
  frenchCopy: "frenchcopy",
  canadianScheduled: "plannedword",
  arabic: "editorsword",
  originalDraft: "hiddenoriginal",
  onlyFrench: "onlyfrench",
  archived: "archivedword",
};
type Kind = keyof typeof WORDS;

const PUBLIC: Kind[] = ["original", "french", "onlyFrench"];
const EDITORS = (Object.keys(WORDS) as Kind[]).filter((kind) => kind !== "frenchCopy");

/** The scopes of a token, and what it may see without `draft=true`. */
const VIEWPOINTS: { scopes: string[] | null; sees: Kind[] }[] = [
  { scopes: null, sees: PUBLIC },
  { scopes: ["posts:read"], sees: PUBLIC },
  { scopes: ["posts:read", "posts:read-drafts"], sees: EDITORS },
];

const LANGUAGES = ["", "*", "en", "fr", "fr-CA", "de", "ar", "it"];
const FALLBACKS = ["", "none", "documents", "fr,de,ar,en"];

async function site(): Promise<{ test: Multilingual; ids: string[] }> {
  const test = await multilingual();
  const text = (kind: Kind, status: string) => ({
    title: `Title ${WORDS[kind]}`,
    slug: WORDS[kind],
    summary: WORDS[kind],
    body: paragraph(WORDS[kind]),
    status,
  });
  const translate = async (id: string, code: string, kind: Kind, status: string) => {
    const made = await test.translate(id, code, text(kind, status));
    assertEquals(made.status, 201, made.text);
  };
  const { id: first } = await test.post(text("original", "published"));
  await translate(first, "fr", "french", "published");
  await translate(first, "de", "germanDraft", "draft");
  await translate(first, "ar", "arabic", "published");
  await translate(first, "fr-CA", "canadianScheduled", "draft");
  const path = `/documents/${first}/translations`;
  const planned = { publishAt: NOON_SECONDS + 86_400 };
  assertEquals((await test.admin("POST", `${path}/fr-CA/schedule`, planned)).status, 200);
  const { frenchCopy } = WORDS;
  const copy = { title: `Title ${frenchCopy}`, summary: frenchCopy, body: paragraph(frenchCopy) };
  assertEquals((await test.admin("PATCH", `${path}/fr/working-copy`, copy)).status, 200);
  const { id: second } = await test.post(text("originalDraft", "draft"));
  await translate(second, "fr", "onlyFrench", "published");
  const { id: third } = await test.post({ ...text("archived", "published"), title: "Title x" });
  await translate(third, "fr", "archived", "published");
  assertEquals((await test.admin("POST", `/documents/${third}/archive`)).status, 200);
  // A public document leads to each of them.
  for (const related of [first, second, third]) {
    const made = await test.v1("POST", "/posts", {
      body: { title: `To ${related}`, body: paragraph("-"), status: "published", related },
    });
    await test.translate(made.json.id, "fr", { title: "Vers", body: paragraph("-") });
  }
  test.context.advance(5_000);
  await test.runner.drain();
  return { test, ids: [first, second, third] };
}

/** Every way to ask for content in a language. */
function paths(ids: readonly string[]): string[] {
  const queries = LANGUAGES.flatMap((code) =>
    (code === "" || code === "*" ? [""] : FALLBACKS).map((fallback) =>
      [code && `language=${code}`, fallback && `fallback=${fallback}`].filter(Boolean).join("&")
    )
  );
  const inLanguages = (path: string) =>
    queries.map((query) => `/api/v1${path}${path.includes("?") ? "&" : "?"}${query}`);
  const codes = LANGUAGES.filter((code) => code !== "" && code !== "*");
  const prefixes = ["", "/fr", "/qc", "/de", "/ar"];
  return [
    ...[
      "/posts?perPage=100",
      "/posts?sort=title&cursor=",
      "/posts?facets=summary",
      "/posts?q=title&fields=title,_snippet",
      "/posts?perPage=100&include=related",
      "/posts?fields=title,_languages",
      `/posts?at=${NOON_SECONDS + 1}`,
      "/_changes?limit=1000",
      "/search?q=title&perPage=50",
      ...ids.flatMap((id) => [`/posts/${id}`, `/posts/${id}?include=related`]),
      ...Object.values(WORDS).map((slug) => `/posts/by-slug/${slug}`),
    ].flatMap(inLanguages),
    ...ids.flatMap((id) => [
      `/api/v1/posts/${id}/translations`,
      ...codes.map((code) => `/api/v1/posts/${id}/translations/${code}`),
    ]),
    ...prefixes.flatMap((prefix) =>
      [
        ...["", "/", "/posts", "/feed.xml", "/feed.json", "/llms.txt", "/search", ".md"],
        ...Object.values(WORDS).flatMap((slug) => [`/posts/${slug}`, `/posts/${slug}.md`]),
        ...ids.map((id) => `/posts/${id}`),
      ].map((path) => prefix + path)
    ),
    "/sitemap.xml",
  ];
}

Deno.test("no route shows a language to a reader who may not see it, whichever language it asks for", async () => {
  const { test, ids } = await site();
  await using _test = test;
  const asked = [...new Set(paths(ids))].filter((path) => path.startsWith("/"));
  const problems: string[] = [];
  for (const { scopes, sees } of VIEWPOINTS) {
    const token = scopes === null
      ? undefined
      : await test.token({ scopes, quotaPerMinute: 60_000 });
    const hidden = (Object.keys(WORDS) as Kind[]).filter((kind) => !sees.includes(kind));
    const seen = new Set<Kind>();
    for (const path of asked) {
      const call: Call = {
        ...(token && { token }),
        address: `198.51.100.${asked.indexOf(path) % 250}`,
      };
      const { text, status } = await test.call("GET", path, call);
      assert(status < 500, `${path}: ${status} ${text.slice(0, 200)}`);
      // A page that is not there may echo nothing of its address, either.
      for (const kind of hidden) {
        if (text.includes(WORDS[kind])) problems.push(`${scopes} ${path} shows ${kind}`);
      }
      for (const kind of sees) if (text.includes(WORDS[kind])) seen.add(kind);
    }
    assertEquals([...seen].sort(), [...sees].sort(), `${scopes} sees all that it may`);
  }
  assertEquals(problems, []);
});
