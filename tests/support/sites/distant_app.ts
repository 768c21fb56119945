/**
 * A site on a store at a distance, and processes over it that count which calls wait for one another.
 *
 * @module
 */
import { ulidSource } from "../../../kv/versioning/context.ts";
import { SILENT } from "../../../kv/log.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseToken } from "../../../kv/model/input/token_input.ts";
import { mintToken } from "../../../kv/people/tokens.ts";
import { DenoKvDriver, type Driver } from "../../../kv/store/driver.ts";
import { Store } from "../../../kv/store/store.ts";
import { ADA, type Answer, callApp, secondApp } from "./app.ts";
import { assert, assertEquals } from "../harness/assert.ts";
import { TurnDriver } from "../harness/turn_driver.ts";

/** The best of so many: a machine that stands still for a moment makes two turns of one. */
const ROUNDS = 5;

/** Asks a process. */
export type Ask = (method: string, path: string, body?: Json) => Promise<Answer>;

/** A site, and processes over its store. */
export async function openSite() {
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
export async function fill({ ask, drain }: { ask: Ask; drain: () => Promise<unknown> }) {
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
export type Measured = [
  max: number,
  request: () => [string, string, Json?],
  before?: () => Promise<unknown>,
];

/** Calls in sequence of one request, by turns. */
export async function turnsOf(
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
export async function assertAllTurns(
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

/** Measures several times. */
export async function assertTurns(max: number, name: string, measure: () => Promise<string[][]>) {
  let best: string[][] | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const turns = await measure();
    if (best === null || turns.length < best.length) best = turns;
  }
  const told = best!.map((calls, turn) => `${turn + 1} ${calls.join(" | ")}`).join("\n");
  assert(best!.length <= max, `${name}: ${best!.length} calls in sequence\n${told}`);
}
