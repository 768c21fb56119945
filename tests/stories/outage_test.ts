/**
 * A remote store out of reach, on a real server of KV Connect: requests are answered within five seconds,
 * what was acknowledged is there, and what was refused does not take effect once the network is back.
 */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { hasKvConnect, startKvConnect } from "../support/stores/kv_connect.ts";
import type { ProxyMode } from "../support/stores/tcp_proxy.ts";
import { startService } from "../tour.ts";

/** The longest that an answer may take, milliseconds: five seconds, and some for a busy machine. */
const ANSWER_MS_MAX = 5_000;
const OUTAGE_MS = 12_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** What became of a create. */
interface Attempt {
  title: string;
  status: number;
  ms: number;
  /** Whether another process, that reaches the store, had it when it was refused. */
  stored: boolean;
}

async function titles(client: Client): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1;; page++) {
    const { json } = await client.call("GET", `/api/v1/notes?perPage=100&page=${page}`);
    found.push(...json.data.map(({ title }: { title: string }) => title));
    if (page * 100 >= json.meta.total) return found;
  }
}

for (const mode of ["cut", "swallow", "hold", "lose answers"] satisfies ProxyMode[]) {
  Deno.test({
    name:
      `requests through a network that fails (${mode}) are answered in time, and nothing refused is stored`,
    ignore: !hasKvConnect,
    fn: async () => {
      await using store = await startKvConnect();
      const proxy = store.proxy();
      await using service = await startService(store.env(proxy.port));
      const client = new Client(service.origin);
      await client.setUp({ slug: "notes", name: "Notes", fields: [] });
      await using other = await startService(store.env());
      const direct = new Client(other.origin);
      Object.assign(direct, { cookie: client.cookie, token: client.token });
      const attempts: Attempt[] = [];
      let ends = false;
      const create = async (writer: number) => {
        for (let n = 0; !ends; n++) {
          const title = `W${writer} N${n}`;
          const begun = performance.now();
          const { status } = await client.call("POST", "/api/v1/notes", { title });
          const ms = performance.now() - begun;
          const stored = status !== 201 && (await titles(direct)).includes(title);
          attempts.push({ title, status, ms, stored });
          await pause(status === 201 ? 20 : 200);
        }
      };
      const writers = Array.from({ length: 8 }, (_, writer) => create(writer));
      await pause(1_000);
      proxy.mode = mode;
      await pause(4_000);
      const health = await client.call("GET", "/healthz");
      const read = await client.call("GET", "/api/v1/notes");
      await pause(OUTAGE_MS - 4_000);
      proxy.mode = "pass";
      const back = performance.now();
      while ((await client.call("GET", "/api/v1/notes")).status !== 200) await pause(50);
      const backMs = performance.now() - back;
      proxy.arrive();
      await pause(2_000);
      ends = true;
      await Promise.all(writers);
      await pause(1_000);

      assertEquals([health.status, read.status], [503, 503]);
      const late = attempts.filter(({ ms }) => ms > ANSWER_MS_MAX);
      assertEquals(late, []);
      assertEquals([...new Set(attempts.map(({ status }) => status))].sort(), [201, 503]);
      const found = await titles(direct);
      const wanted = attempts.filter(({ status, stored }) => status === 201 || stored);
      assertEquals(found.sort(), wanted.map(({ title }) => title).sort());
      assert(attempts.filter(({ status }) => status === 503).length > 20);
      assert(backMs < 6_000, `${backMs} ms`);
    },
  });
}

Deno.test({
  name:
    "a server of KV Connect that is frozen for a while, and one that starts anew, are used again",
  ignore: !hasKvConnect,
  fn: async () => {
    await using store = await startKvConnect();
    await using service = await startService(store.env());
    const client = new Client(service.origin);
    await client.setUp({ slug: "notes", name: "Notes", fields: [] });
    store.signal("SIGSTOP");
    const frozen = performance.now();
    const { status } = await client.call("GET", "/api/v1/notes");
    assertEquals(status, 503);
    assert(performance.now() - frozen < ANSWER_MS_MAX);
    store.signal("SIGCONT");
    await created(client);
    await store.restart();
    await created(client);
  },
});

/** Creates, as soon as the store is back. */
async function created(client: Client): Promise<void> {
  for (let attempt = 0;; attempt++) {
    const { status } = await client.call("POST", "/api/v1/notes", { title: "After" });
    if (status === 201) return;
    assert(attempt < 100);
    await pause(100);
  }
}
