/**
 * A game day: two processes over a real server of KV Connect are written to while everything around them fails.
 * What was acknowledged must be there afterwards, and the doctor must find nothing. A seed decides the order.
 *
 * @module
 */
import { assert, assertEquals } from "../support/harness/assert.ts";
import { Client } from "../support/harness/client.ts";
import { type KvConnect, startKvConnect } from "../support/stores/kv_connect.ts";
import { type StartedService, startService } from "../tour.ts";

/** How long each misfortune lasts, and how long things go well between two, milliseconds. */
const MISFORTUNE_MS = 4_000;
const BETWEEN_MS = 1_500;
/** How far one of the two clocks is ahead, milliseconds. */
const SKEW_MS = 5 * 60_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** What has been acknowledged: titles by id. */
type Acknowledged = Map<string, string>;

/** Everything that a misfortune may touch. */
class GameDay {
  readonly acknowledged: Acknowledged = new Map();
  refused = 0;
  ends = false;

  constructor(
    readonly store: KvConnect,
    readonly proxy: ReturnType<KvConnect["proxy"]>,
    readonly clients: [Client, Client],
    public first: StartedService,
  ) {}

  get env(): Record<string, string> {
    return { ...this.store.env(this.proxy.port), LOG_LEVEL: "silent" };
  }

  /** Creates, changes and publishes until stopped. */
  async write(writer: number): Promise<void> {
    const client = this.clients[writer % 2]!;
    for (let n = 0; !this.ends; n++) {
      const title = `W${writer} N${n}`;
      try {
        const { status, json } = await client.call("POST", "/api/v1/notes", { title, count: n });
        if (status === 201) {
          const changed = `${title} changed`;
          // Until it is answered, the outcome of the change is unknown: either is right.
          this.acknowledged.set(json.id, `${title}|${changed}`);
          const body = { title: changed, status: n % 3 === 0 ? "published" : "draft" };
          const patched = await client.call("PATCH", `/api/v1/notes/${json.id}`, body);
          if (patched.status === 200) this.acknowledged.set(json.id, changed);
        } else {
          assert(status === 503 || status === 409, `${status} ${JSON.stringify(json)}`);
          this.refused += 1;
        }
      } catch (error) {
        // Its process has been killed.
        if (!(error instanceof TypeError)) throw error;
        this.refused += 1;
      }
      await pause(30);
    }
  }
}

/** What happens to them, by name. */
const MISFORTUNES: Record<string, (day: GameDay) => Promise<void>> = {
  "a process is killed": async (day) => {
    day.first.kill("SIGKILL");
    await pause(500);
    const { dataDir } = day.first;
    day.first = await startService(day.env, dataDir);
    day.clients[0].origin = day.first.origin;
  },
  "the network is cut": async ({ proxy }) => {
    proxy.mode = "cut";
    await pause(MISFORTUNE_MS);
    proxy.mode = "pass";
  },
  "answers are lost": async ({ proxy }) => {
    proxy.mode = "lose answers";
    await pause(MISFORTUNE_MS);
    proxy.mode = "cut";
    proxy.mode = "pass";
  },
  "the server is frozen": async ({ store }) => {
    store.signal("SIGSTOP");
    await pause(MISFORTUNE_MS);
    store.signal("SIGCONT");
  },
  "the server is killed": async ({ store }) => {
    await store.restart();
  },
  "the server's disk is full": async ({ store }) => {
    await store.fillDisk(true);
    await pause(MISFORTUNE_MS);
    await store.fillDisk(false);
  },
  "somebody comes with wrong credentials": async (day) => {
    const { code, lines } = await startAndEnd({
      ...day.env,
      KV_ACCESS_TOKEN: "a wrong access token",
    });
    assertEquals([code, lines.length], [1, 1], lines.join("\n"));
    assert(lines[0]!.startsWith("Cannot start: KV_URL"), lines[0]);
  },
};

/** Lives through all of it; throws when something that was acknowledged is lost, or unsound. */
export async function liveThroughGameDay(seed: number): Promise<void> {
  await using store = await startKvConnect();
  const proxy = store.proxy();
  const folder = await Deno.makeTempDir({ prefix: "cms-game-day-" });
  const env = { ...store.env(proxy.port), LOG_LEVEL: "silent" };
  const first = await startService(env, folder);
  const one = new Client(first.origin);
  await one.setUp({
    slug: "notes",
    name: "Notes",
    fields: [{ name: "count", type: "number", indexed: true, sortable: true }],
  });
  await using second = await startService(
    { ...store.env(), LOG_LEVEL: "silent", TEST_CLOCK_AHEAD_MS: String(SKEW_MS) },
    folder,
  );
  const two = new Client(second.origin);
  Object.assign(two, { cookie: one.cookie, token: one.token });
  const day = new GameDay(store, proxy, [one, two], first);
  try {
    const writers = Array.from({ length: 4 }, (_, writer) => day.write(writer));
    for (const [, misfortune] of shuffled(Object.entries(MISFORTUNES), seed)) {
      await pause(BETWEEN_MS);
      await misfortune(day);
    }
    await pause(3 * BETWEEN_MS);
    day.ends = true;
    await Promise.all(writers);
    await assertKept(day);
  } finally {
    day.ends = true;
    await day.first[Symbol.asyncDispose]();
  }
  const doctor = await startAndEnd({ ...store.env(), DATA_DIR: folder }, "cms", "doctor");
  assertEquals(doctor.code, 0, doctor.lines.join("\n"));
  await Deno.remove(folder, { recursive: true });
}

async function assertKept({ acknowledged, refused, clients: [, client] }: GameDay): Promise<void> {
  assert(acknowledged.size > 50 && refused > 0, `${acknowledged.size} kept, ${refused} refused`);
  for (const [id, title] of acknowledged) {
    const { status, json } = await client.call("GET", `/api/v1/notes/${id}`);
    assertEquals(status, 200, title);
    assert(title.split("|").includes(json.title), `${json.title} instead of ${title}`);
  }
  const { json } = await client.call("GET", "/api/v1/notes?perPage=1");
  assert(json.meta.total >= acknowledged.size);
}

function shuffled<T>(all: T[], seed: number): T[] {
  return all.map((one, n) => ({ one, at: (seed * 7_919 + n * 104_729) % 1_009 }))
    .sort((a, b) => a.at - b.at).map(({ one }) => one);
}

async function startAndEnd(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; lines: string[] }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", "main.ts", ...args],
    env: { PORT: "0", HOST: "127.0.0.1", NO_COLOR: "1", LOG_LEVEL: "error", ...env },
  }).output();
  const decoder = new TextDecoder();
  const lines = (decoder.decode(stdout) + decoder.decode(stderr)).split("\n");
  return { code, lines: lines.filter((line) => line !== "" && !line.startsWith("KV Connect ")) };
}
