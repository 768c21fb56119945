/**
 * A site on a store at a distance, and processes over it that count which calls wait for one another.
 *
 * @module
 */
import { SILENT } from "../../../kv/log.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseToken } from "../../../kv/model/input/token_input.ts";
import { mintToken } from "../../../kv/people/tokens.ts";
import type { Driver } from "../../../kv/store/driver.ts";
import { Store } from "../../../kv/store/store.ts";
import { ADA, type Answer, callApp, secondApp } from "./app.ts";
import { assert, assertEquals } from "../harness/assert.ts";
import { DirectDriver, SimulatedKv } from "../harness/simulated_kv.ts";
import { TurnDriver, TurnTime } from "../harness/turn_driver.ts";
import { seededRandom, seededUlids } from "../seeded_random.ts";

/** Asks a process. */
export type Ask = (method: string, path: string, body?: Json) => Promise<Answer>;

/** A process of the site whose calls of the store are counted. */
export interface DistantProcess {
  time: TurnTime;
  ask: Ask;
}

/** A site in simulated time, and processes over its store. */
export async function openSite() {
  const kv = new DirectDriver(new SimulatedKv());
  const time = new TurnTime();
  const { now, monotonic, sleep, setTimer } = time;
  const random = seededRandom(1);
  const objects = new MemoryObjects({ now });
  const newId = seededUlids(random);
  const processOver = (driver: Driver) => {
    const store = new Store(driver, { monotonic, sleep, random });
    const context = {
      store,
      objects,
      now,
      newId,
      log: SILENT,
      setTimer: (run: () => void, ms: number) => setTimer(ms, run),
    };
    return { ...secondApp(context as never, { monotonic }), context };
  };
  const near = processOver(kv);
  const body = { code: "setup-code", siteTitle: "Far away", ...ADA };
  const setUp = await callApp(near.app, "POST", "/api/admin/setup", { body });
  const headers = { cookie: setUp.headers.get("set-cookie")!.split(";")[0]! };
  const parsed = parseToken({ name: "far", scopes: ["*"], quotaPerMinute: 100_000 }, 0);
  const { text: token } = await mintToken(near.context, UNATTENDED, parsed, null);
  // The headless API has its bearer, the admin application its session.
  const asking = ({ app }: ReturnType<typeof secondApp>): Ask => (method, path, body) => {
    const credentials = path.startsWith("/api/v1/") ? { token } : { headers };
    const call = { ...credentials, ...(body !== undefined && { body }) };
    return time.run(callApp(app, method, path, call));
  };
  return {
    now,
    ask: asking(near),
    drain: () => time.run(near.runner.drain()),
    /** A process that has just begun. */
    fresh: (): DistantProcess => ({ time, ask: asking(processOver(new TurnDriver(kv, time))) }),
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

/** A request, and an action before it by another user or by its own process. */
export type Measured = [
  max: number,
  request: () => [string, string, Json?],
  before?: () => Promise<unknown>,
];

/** Calls in sequence of one request, by turns. */
export async function turnsOf(
  { time, ask }: DistantProcess,
  [method, path, body]: [string, string, Json?],
): Promise<string[][]> {
  time.turns = [];
  const { status, text } = await ask(method, path, body);
  assert(status < 300, `${method} ${path}: ${status} ${text.slice(0, 200)}`);
  return time.turns;
}

/** Measures requests of a process that has answered each before. */
export async function assertAllTurns(
  process: DistantProcess,
  requests: Record<string, Measured>,
): Promise<void> {
  for (const [name, [max, request, before]] of Object.entries(requests)) {
    for (let warm = 0; warm < 2; warm++) {
      await before?.();
      await process.ask(...request());
    }
    await before?.();
    assertTurns(max, name, await turnsOf(process, request()));
  }
}

/** Asserts that at most `max` calls waited for one another. */
export function assertTurns(max: number, name: string, turns: string[][]): void {
  const calls = turns.map((calls, turn) => `${turn + 1} ${calls.join(" | ")}`).join("\n");
  assert(turns.length <= max, `${name}: ${turns.length} calls in sequence\n${calls}`);
}
