/**
 * How many calls of the store wait for one another in what people do all day: over a store at a distance each costs the
 * way there and back.
 */
import { ulidSource } from "../../kv/context.ts";
import { SILENT } from "../../kv/log.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import type { Json } from "../../kv/model/entity.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import type { Driver } from "../../kv/store/driver.ts";
import { Store } from "../../kv/store/store.ts";
import { ADA, type Answer, callApp, secondApp } from "../support/app.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { TurnDriver } from "../support/turn_driver.ts";

/** The best of so many: a machine that stands still for a moment makes two turns of one. */
const ROUNDS = 3;

type Ask = (method: string, path: string, body?: Json) => Promise<Answer>;

/** A site, and processes over its store. */
async function openSite() {
  const kv = await Deno.openKv(":memory:");
  const now = () => Date.now();
  const objects = new MemoryObjects({ now });
  const processOver = (driver: Driver) => {
    const store = new Store(driver);
    return secondApp({ store, objects, now, newId: ulidSource(), log: SILENT } as never);
  };
  const near = processOver(new DenoKvDriver(kv));
  const body = { code: "setup-code", siteTitle: "Far away", ...ADA };
  const setUp = await callApp(near.app, "POST", "/api/admin/setup", { body });
  const headers = { cookie: setUp.headers.get("set-cookie")!.split(";")[0]! };
  const asking = ({ app }: ReturnType<typeof secondApp>): Ask => (method, path, body) =>
    callApp(app, method, path, { headers, ...(body !== undefined && { body }) });
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
  const requests: Record<string, [number, () => [string, string, Json?]]> = {
    "overview": [4, () => ["GET", "/admin"]],
    "edit page": [3, () => ["GET", `/admin/documents/${draft}`]],
    "list": [3, () => ["GET", "/admin/content/posts"]],
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
  };
  for (const [name, [max, request]] of Object.entries(requests)) {
    for (let warm = 0; warm < 2; warm++) await process.ask(...request());
    await assertTurns(max, name, () => turnsOf(process, request()));
  }
});

Deno.test("a process that has just begun answers after few calls of the store in sequence", async () => {
  using site = await openSite();
  const { draft } = await fill(site);
  const requests: Record<string, [number, [string, string, Json?]]> = {
    "edit page": [5, ["GET", `/admin/documents/${draft}`]],
    "list": [6, ["GET", "/admin/content/posts"]],
    "overview": [6, ["GET", "/admin"]],
  };
  for (const [name, [max, request]] of Object.entries(requests)) {
    await assertTurns(max, name, () => turnsOf(site.fresh(), request));
  }
});
