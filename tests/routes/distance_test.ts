/**
 * How many calls of the store wait for one another in what people do all day: over a store at a distance each costs the
 * way there and back.
 */
import { ulidSource } from "../../kv/context.ts";
import { SILENT } from "../../kv/log.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { type Json, UNATTENDED } from "../../kv/model/entity.ts";
import { parseToken } from "../../kv/model/token_input.ts";
import { mintToken } from "../../kv/people/tokens.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import type { Driver } from "../../kv/store/driver.ts";
import { Store } from "../../kv/store/store.ts";
import { ADA, type Answer, callApp, secondApp } from "../support/app.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { TurnDriver } from "../support/turn_driver.ts";

/** The best of so many: a machine that stands still for a moment makes two turns of one. */
const ROUNDS = 5;

type Ask = (method: string, path: string, body?: Json) => Promise<Answer>;

/** A site, and processes over its store. */
async function openSite() {
  const kv = await Deno.openKv(":memory:");
  const now = () => Date.now();
  const objects = new MemoryObjects({ now });
  const processOver = (driver: Driver) => {
    const store = new Store(driver);
    const context = { store, objects, now, newId: ulidSource(), log: SILENT };
    return { ...secondApp(context as never), context };
  };
  const near = processOver(new DenoKvDriver(kv));
  const body = { code: "setup-code", siteTitle: "Far away", ...ADA };
  const setUp = await callApp(near.app, "POST", "/api/admin/setup", { body });
  const headers = { cookie: setUp.headers.get("set-cookie")!.split(";")[0]! };
  const parsed = parseToken({ name: "far", scopes: ["*"], quotaPerMinute: 100_000 }, 0);
  const { text: token } = await mintToken(near.context, UNATTENDED, parsed, null);
  // The headless API has its bearer, the admin application its session.
  const asking = ({ app }: ReturnType<typeof secondApp>): Ask => (method, path, body) => {
    const credentials = path.startsWith("/api/v1/") ? { token } : { headers };
    return callApp(app, method, path, { ...credentials, ...(body !== undefined && { body }) });
  };
  return {
    ask: asking(near),
    drain: () => near.runner.drain(),
    /** A process that has just begun. */
    fresh: () => {
      const driver = new TurnDriver(new DenoKvDriver(kv));
      return { driver, ask: asking(processOver(driver)) };
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

/** Posts, some of them published, and what people do with them. */
async function fill({ ask, drain }: { ask: Ask; drain: () => Promise<unknown> }) {
  const fields: Json = [
    { name: "subtitle", label: "Subtitle", type: "text", indexed: true },
    { name: "author", label: "Author", type: "reference" },
  ];
  const posts = await ask("POST", "/api/admin/collections", { slug: "posts", name: "P", fields });
  assertEquals(posts.status, 201, posts.text);
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const author = ids[0] ?? null;
    const document = { collection: "posts", title: `Post ${n}`, author };
    ids.push((await ask("POST", "/api/admin/documents", document)).json.id);
  }
  for (const id of ids.slice(0, 5)) await ask("POST", `/api/admin/documents/${id}/publish`);
  await drain();
  return { draft: ids[9]!, published: ids[2]! };
}

/** A request, and what is done before it by somebody else or by its own process. */
type Measured = [
  max: number,
  request: () => [string, string, Json?],
  before?: () => Promise<unknown>,
];

async function turnsOf(
  { driver, ask }: { driver: TurnDriver; ask: Ask },
  [method, path, body]: [string, string, Json?],
): Promise<string[][]> {
  driver.turns = [];
  const { status, text } = await ask(method, path, body);
  const { turns } = driver;
  assert(status < 300, `${method} ${path}: ${status} ${text.slice(0, 200)}`);
  return turns;
}

/** Measures requests of a process that has answered each before. */
async function assertAllTurns(
  process: { driver: TurnDriver; ask: Ask },
  requests: Record<string, Measured>,
): Promise<void> {
  for (const [name, [max, request, before]] of Object.entries(requests)) {
    for (let warm = 0; warm < 2; warm++) {
      await before?.();
      await process.ask(...request());
    }
    await assertTurns(max, name, async () => {
      await before?.();
      return await turnsOf(process, request());
    });
  }
}

async function assertTurns(max: number, name: string, measure: () => Promise<string[][]>) {
  let best: string[][] | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const turns = await measure();
    if (best === null || turns.length < best.length) best = turns;
  }
  const told = best!.map((calls, turn) => `${turn + 1} ${calls.join(" | ")}`).join("\n");
  assert(best!.length <= max, `${name}: ${best!.length} calls in sequence\n${told}`);
}

Deno.test("screens and saves of the admin application wait for few calls of the store in sequence", async () => {
  using site = await openSite();
  const { draft, published } = await fill(site);
  const process = site.fresh();
  let n = 0;
  const write = () => site.ask("PATCH", `/api/admin/documents/${draft}`, { title: `By ${++n}` });
  const now = Math.floor(Date.now() / 1000);
  const requests: Record<string, Measured> = {
    "overview": [4, () => ["GET", "/admin"]],
    "edit page": [3, () => ["GET", `/admin/documents/${draft}`]],
    "list": [3, () => ["GET", "/admin/content/posts"]],
    "documents right after a write": [
      2,
      () => ["GET", "/api/admin/documents?collection=posts"],
      write,
    ],
    "the site at an instant": [4, () => ["GET", `/api/admin/state-at?timestamp=${now - 1}`]],
    "save of a draft": [4, () => [
      "PATCH",
      `/api/admin/documents/${draft}`,
      { title: `Title ${++n}` },
    ]],
    "save of a working copy": [4, () => [
      "PATCH",
      `/api/admin/documents/${published}/working-copy`,
      { title: `Title ${++n}` },
    ]],
    "publish": [4, () => ["POST", `/api/admin/documents/${published}/publish`]],
    "change of a field": [5, () => [
      "PATCH",
      "/api/admin/collections/posts/fields/subtitle",
      { label: `Label ${++n}` },
    ]],
    "versions": [4, () => ["GET", `/api/admin/versions/document/${draft}`]],
    // What its process has of the settings is older than its last change of them.
    "change of a setting": [5, () => ["PATCH", "/api/admin/settings", {
      "site.title": `Site ${++n}`,
    }]],
  };
  await assertAllTurns(process, requests);
});

Deno.test("requests of the headless API wait for few calls of the store in sequence", async () => {
  using site = await openSite();
  const { draft, published } = await fill(site);
  const process = site.fresh();
  let n = 0;
  const byOther = () => site.ask("PATCH", `/api/v1/posts/${draft}`, { title: `Other ${++n}` });
  const byOwn = () => process.ask("PATCH", `/api/v1/posts/${draft}`, { title: `Own ${++n}` });
  const title = () => `New ${++n}`;
  const requests: Record<string, Measured> = {
    "read": [1, () => ["GET", `/api/v1/posts/${draft}`]],
    "read right after a write": [1, () => ["GET", `/api/v1/posts/${draft}`], byOther],
    "read by slug": [2, () => ["GET", "/api/v1/posts/by-slug/post-2"]],
    "list": [1, () => ["GET", "/api/v1/posts"]],
    "list, filtered and sorted": [1, () => ["GET", "/api/v1/posts?sort=title&status=draft"]],
    "list right after a write of its own process": [2, () => ["GET", "/api/v1/posts"], byOwn],
    "list right after a write of another": [2, () => ["GET", "/api/v1/posts"], byOther],
    "create": [1, () => ["POST", "/api/v1/posts", { title: title() }]],
    "create, public and with a reference": [
      2,
      () => ["POST", "/api/v1/posts", { title: title(), status: "published", author: draft }],
    ],
    "change": [1, () => ["PATCH", `/api/v1/posts/${draft}`, { title: title() }]],
    "change of what is public": [1, () => ["PATCH", `/api/v1/posts/${published}`, {
      subtitle: title(),
    }]],
    "change of what another has changed": [
      3,
      () => ["PATCH", `/api/v1/posts/${draft}`, { title: title() }],
      byOther,
    ],
    "search": [3, () => ["GET", `/search?q=post+${++n}`]],
  };
  await assertAllTurns(process, requests);
});

Deno.test("a process that has just begun answers after few calls of the store in sequence", async () => {
  using site = await openSite();
  const { draft } = await fill(site);
  const requests: Record<string, [number, [string, string, Json?]]> = {
    "edit page": [5, ["GET", `/admin/documents/${draft}`]],
    "list": [6, ["GET", "/admin/content/posts"]],
    "documents": [4, ["GET", "/api/admin/documents?collection=posts"]],
    "overview": [6, ["GET", "/admin"]],
    "read of the headless API": [3, ["GET", `/api/v1/posts/${draft}`]],
    "list of the headless API": [4, ["GET", "/api/v1/posts"]],
  };
  for (const [name, [max, request]] of Object.entries(requests)) {
    await assertTurns(max, name, () => turnsOf(site.fresh(), request));
  }
});
