/**
 * Writes under idempotency keys, sent again and again: to processes that die and come back, at the same time,
 * after answers that were lost, over a store that fails before and after what it did. Each is carried out once.
 *
 * @module
 */
import { StoreUnavailable } from "../../kv/unavailable.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { eventLoopTurn } from "../../kv/store/event_loop_turn.ts";
import { Store } from "../../kv/store/store.ts";
import { type Call, callApp, secondApp } from "../support/sites/app.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { seededRandom } from "../support/harness/harness.ts";
import { seededContext } from "../support/harness/context.ts";
import { FIELDS, type Headless, headless } from "../support/sites/headless.ts";
import { HookedDriver, Killed } from "../support/stores/hooked_driver.ts";

const INTENTS = 24;
const PROCESSES = 2;
const LINES = 6;
/** Times that a request is sent before it must have been answered. */
const TRIES_MAX = 60;

/** A request that is to take effect once. */
interface Intent {
  method: string;
  path: string;
  call: Call;
  /** Titles of documents that it makes, or of the version that it makes of the shared one. */
  makes: string[];
  changes: string | null;
}

/** What came of a seed. */
export interface IdempotencyReport {
  crashes: number;
  lost: number;
  replayed: number;
}

/** Runs one seed; throws when something was written twice, not at all, or answered in two ways. */
export async function simulateIdempotency(seed: number): Promise<IdempotencyReport> {
  await using test = await headless(FIELDS, seededContext(seed));
  return await new Senders(test, seededRandom(seed)).run();
}

type Process = ReturnType<typeof secondApp>["app"];

class Senders {
  readonly #test: Headless;
  readonly #random: () => number;
  readonly #processes: Process[] = [];
  readonly #report: IdempotencyReport = { crashes: 0, lost: 0, replayed: 0 };

  constructor(test: Headless, random: () => number) {
    this.#test = test;
    this.#random = random;
    for (let n = 0; n < PROCESSES; n++) this.#processes.push(this.#start(n));
  }

  async run(): Promise<IdempotencyReport> {
    const { id } = await this.#test.post({ title: "Shared" });
    const intents = Array.from({ length: INTENTS }, (_, n) => this.#intent(n, id));
    let waiting = [...intents];
    while (waiting.length > 0) {
      const some = waiting.splice(0, 1 + this.#below(4));
      await Promise.all(some.map((intent) => this.#insist(intent)));
      waiting = [...waiting];
      this.#test.context.advance(this.#below(2_000));
    }
    await this.#check(id, intents);
    return this.#report;
  }

  /** A process over the same store. It dies at some call; then another one takes its place. */
  #start(place: number): Process {
    const driver = new HookedDriver(this.#test.context.store.driver);
    const random = this.#random;
    const store = new Store(driver, { sleep: () => eventLoopTurn(), random });
    let isDead = false;
    driver.hook = async (_n, when) => {
      if (this.#below(3) === 0) await eventLoopTurn();
      if (!isDead && this.#random() < 0.015) {
        isDead = true;
        this.#report.crashes += 1;
        this.#processes[place] = this.#start(place);
      }
      if (isDead) throw new Killed();
      // After its effect: the client does not know whether the request took effect.
      if (this.#random() < 0.015) throw new StoreUnavailable(`Does not answer ${when} the call`);
    };
    return secondApp({ ...this.#test.context, store }).app;
  }

  #intent(n: number, sharedId: string): Intent {
    const title = `Intent ${n}`;
    const headers = { "idempotency-key": `key ${n}` };
    const status = this.#below(2) === 0 ? "draft" : "published";
    const write = (method: string, path: string, body: Record<string, Json>, changes = false) => ({
      method,
      path,
      call: { body, headers },
      makes: changes ? [] : [title],
      changes: changes ? title : null,
    });
    switch (this.#below(4)) {
      case 0:
        return write("POST", "/posts", { title, status });
      case 1:
        return write("PUT", `/posts/by-slug/put-${n}`, { title });
      case 2:
        return write("PATCH", `/posts/${sharedId}`, { title }, true);
      default: {
        const makes = Array.from({ length: LINES }, (_, line) => `${title} line ${line}`);
        const lines = makes.map((one) => JSON.stringify({ op: "create", body: { title: one } }));
        const type = { "content-type": "application/x-ndjson" };
        const call = { raw: lines.join("\n"), headers: { ...headers, ...type } };
        return { method: "POST", path: "/posts/_bulk", call, makes, changes: null };
      }
    }
  }

  /** Sends a request until an answer has come, some of it at the same time; all answers are one. */
  async #insist(intent: Intent): Promise<void> {
    const answers = new Set<string>();
    for (let tries = 0, wanted = 1 + this.#below(3); wanted > 0; tries++) {
      assert(tries < TRIES_MAX, `${intent.method} ${intent.path} is never answered`);
      const copies = Array.from({ length: 1 + this.#below(3) }, () => this.#send(intent));
      for (const answer of await Promise.all(copies)) {
        if (answer === null) continue;
        answers.add(answer);
        wanted -= 1;
      }
      // What a process that died has claimed ends by itself.
      this.#test.context.advance(5_000);
    }
    assertEquals(answers.size, 1, [...answers].join("\n"));
  }

  /** The answer; null when there was none, it was lost, or it says to come again. */
  async #send({ method, path, call }: Intent): Promise<string | null> {
    const process = this.#processes[this.#below(PROCESSES)]!;
    const given = { token: this.#test.full, ...call };
    const answer = await callApp(process, method, `/api/v1${path}`, given).catch(() => null);
    if (answer === null) return null;
    const isBulk = path.endsWith("_bulk");
    if (answer.status >= 300) {
      assert([409, 500, 503].includes(answer.status), `${answer.status} ${answer.text}`);
      return null;
    }
    const ends = `{"done":true,"ok":${LINES},"failed":0}\n`;
    if (isBulk && !answer.text.endsWith(ends)) return null;
    if (this.#below(3) === 0) {
      this.#report.lost += 1;
      return null;
    }
    if (answer.headers.has("idempotency-replayed")) this.#report.replayed += 1;
    return `${answer.status} ${answer.text}`;
  }

  async #check(id: string, intents: readonly Intent[]): Promise<void> {
    const made: string[] = [];
    for (let page = 1;; page++) {
      const { json } = await this.#test.v1("GET", `/posts?perPage=100&page=${page}&fields=title`);
      if (json.data.length === 0) break;
      for (const one of json.data) if (one.id !== id) made.push(one.title);
    }
    assertEquals(made.sort(), intents.flatMap(({ makes }) => makes).sort());
    const changes = intents.flatMap(({ changes }) => changes ?? []);
    const path = `/posts/${id}/versions`;
    const { json } = await this.#test.v1("GET", `${path}?perPage=100`);
    const titles = await Promise.all(
      json.data.map(async ({ version }: { version: number }) =>
        (await this.#test.v1("GET", `${path}/${version}`)).json.title
      ),
    );
    assertEquals(titles.sort(), ["Shared", ...changes].sort());
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }
}
