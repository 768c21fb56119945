/**
 * Real pages through the API, as a client would use it: loads a JSONL file of Markdown pages (`path`,
 * `title`, `description`, `section`, `lastModified`, `body`) into a collection of a service that it
 * starts, then sorts, filters, pages to the end in both directions, sends every document back as it
 * came, renames every slug, restarts the service, and compares.
 *
 *     deno run --allow-all tests/real_pages.ts <pages.jsonl>
 *
 * @module
 */
import { markdownToPortableText } from "@portabletext/markdown";
import { assert, assertEquals } from "@std/assert";
import type { Json } from "../kv/model/entities/entity.ts";
import { Client } from "./support/harness/client.ts";
import { startService } from "./tour.ts";

interface Page {
  path: string;
  title: string;
  description: string | null;
  section: string;
  lastModified: string | null;
  body: string;
}

// deno-lint-ignore no-explicit-any
type Wire = any;

/** All documents of a list, page by page, forwards or backwards. */
async function listAll(
  client: Client,
  query: string,
  perPage: number,
  backwards = false,
): Promise<Wire[]> {
  const first = await client.call("GET", `/api/v1/pages?${query}&perPage=${perPage}`);
  assertEquals(first.status, 200, JSON.stringify(first.json));
  const count = Math.ceil(first.json.meta.total / perPage);
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  if (backwards) numbers.reverse();
  const pages: Wire[][] = [];
  for (const page of numbers) {
    const path = `/api/v1/pages?${query}&perPage=${perPage}&page=${page}`;
    const answer = await client.call("GET", path);
    assertEquals(answer.json.meta.total, first.json.meta.total);
    pages.push(answer.json.data);
  }
  if (backwards) pages.reverse();
  return pages.flat();
}

/** The collection that the pages go into. */
function pagesCollection(sections: string[]): Json {
  return {
    slug: "pages",
    name: "Pages",
    fields: [
      { name: "description", type: "text", options: { multiline: true } },
      {
        name: "section",
        type: "select",
        indexed: true,
        sortable: true,
        options: { choices: sections },
      },
      { name: "lastModified", type: "datetime", indexed: true, sortable: true },
      { name: "body", type: "rich_text" },
    ],
  };
}

const SORTS = [
  "createdAt",
  "updatedAt",
  "publishedAt",
  "title",
  "slug",
  "status",
  "section",
  "lastModified",
];

function say(text: string): void {
  console.log(text);
}

/** Markdown as Portable Text; links that the service refuses (`vscode:` and such) lose their address. */
function portableText(markdown: string): Json {
  const refused = /"href":"(?!https?:|mailto:|tel:|[./#?]|[\\w-]+(?:[/.#?]|"))[^"]*"/g;
  const text = JSON.stringify(markdownToPortableText(markdown)).replace(refused, '"href":"#"');
  return JSON.parse(text);
}

async function load(client: Client, pages: Page[]): Promise<void> {
  const startedAt = performance.now();
  for (const [position, page] of pages.entries()) {
    const answer = await client.call("POST", "/api/v1/pages", {
      title: page.title || page.path,
      ...(page.description !== null && { description: page.description }),
      section: page.section,
      ...(page.lastModified && { lastModified: Date.parse(page.lastModified) / 1000 }),
      body: portableText(page.body),
      status: position % 3 === 0 ? "draft" : "published",
    });
    assertEquals(answer.status, 201, `${page.path}: ${JSON.stringify(answer.json)}`);
  }
  say(`loaded ${pages.length} pages in ${Math.round(performance.now() - startedAt)} ms`);
}

async function checkLists(client: Client, pages: Page[]): Promise<string[]> {
  const ids = (documents: Wire[]) => documents.map((document) => document.id as string);
  for (const name of SORTS) {
    for (const sort of [name, `-${name}`, `${name},-title`]) {
      const forwards = ids(await listAll(client, `sort=${sort}`, 100));
      assertEquals(forwards.length, pages.length);
      assertEquals(new Set(forwards).size, pages.length);
      assertEquals(ids(await listAll(client, `sort=${sort}`, 17, true)), forwards);
    }
  }
  for (const section of new Set(pages.map((page) => page.section))) {
    const found = await listAll(client, `field.section=${encodeURIComponent(section)}`, 50);
    assertEquals(found.length, pages.filter((page) => page.section === section).length);
  }
  const drafts = await listAll(client, "status=draft", 100);
  const published = await listAll(client, "status=published", 100);
  assertEquals(drafts.length + published.length, pages.length);
  say(`${SORTS.length * 3} sorts, every section and status: right, forwards and backwards`);
  return ids(await listAll(client, "sort=title", 100));
}

async function roundTrip(client: Client): Promise<void> {
  const documents = await listAll(client, "sort=title", 100);
  for (const document of documents) {
    const before = await client.call("GET", `/api/v1/pages/${document.id}`);
    const etag = before.headers.get("etag")!;
    const answer = await client.call("PATCH", `/api/v1/pages/${document.id}`, before.json, {
      "if-match": etag,
    });
    assertEquals(answer.status, 200, JSON.stringify(answer.json));
    assertEquals(answer.json, before.json);
    assertEquals(answer.headers.get("etag"), etag);
    const versions = await client.call("GET", `/api/admin/versions/document/${document.id}`);
    assertEquals(versions.json.meta.total, 1);
  }
  say(`${documents.length} documents sent back as they came: no new version`);
}

async function renameAll(client: Client): Promise<void> {
  const documents = await listAll(client, "sort=slug", 100);
  for (const document of documents) {
    const slug = `renamed-${document.slug}`.slice(0, 120).replace(/-+$/, "");
    const answer = await client.call("PATCH", `/api/v1/pages/${document.id}`, { slug });
    assertEquals(answer.status, 200, JSON.stringify(answer.json));
    assertEquals((await client.call("GET", `/api/v1/pages/by-slug/${slug}`)).json.id, document.id);
    assertEquals((await client.call("GET", `/api/v1/pages/by-slug/${document.slug}`)).status, 404);
  }
  say(`${documents.length} slugs renamed`);
}

/** Runs the story on a file of pages. */
export async function useRealPages(file: string): Promise<void> {
  const lines = (await Deno.readTextFile(file)).trim().split("\n");
  const pages = lines.map((line) => JSON.parse(line) as Page);
  const dataDir = await Deno.makeTempDir({ prefix: "cms-pages-" });
  try {
    let before: Wire[];
    const client = new Client("");
    {
      await using service = await startService({}, dataDir);
      client.origin = service.origin;
      await client.setUp(pagesCollection([...new Set(pages.map((page) => page.section))]));
      await load(client, pages);
      await checkLists(client, pages);
      await roundTrip(client);
      await renameAll(client);
      before = await listAll(client, "sort=title,slug", 100);
    }
    await using again = await startService({}, dataDir);
    client.origin = again.origin;
    assertEquals(await listAll(client, "sort=title,slug", 100), before);
    await checkLists(client, pages);
    say("after a restart: the same lists");
    assert(before.length === pages.length);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

if (import.meta.main) await useRealPages(Deno.args[0]!);
