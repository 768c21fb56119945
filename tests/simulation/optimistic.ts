/**
 * Writers in several processes who begin with what each has seen last, over a store that loses answers, while
 * tokens end, a definition changes and conditions fail: what is acknowledged stands once, what is refused had to
 * be, and nobody writes by a token or a definition that was gone when the request was sent.
 *
 * @module
 */
import { StoreUnavailable } from "../../kv/unavailable.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { parseToken } from "../../kv/model/input/token_input.ts";
import { mintToken, revokeToken } from "../../kv/people/tokens.ts";
import { patchField } from "../../kv/schema/fields.ts";
import { eventLoopTurn } from "../../kv/store/event_loop_turn.ts";
import { Store } from "../../kv/store/store.ts";
import { type Answer, callApp, secondApp } from "../support/sites/app.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { seededRandom } from "../support/harness/harness.ts";
import { seededContext } from "../support/harness/context.ts";
import { type Headless, headless } from "../support/sites/headless.ts";
import { HookedDriver } from "../support/stores/hooked_driver.ts";

const PROCESSES = 3;
const DOCUMENTS = 4;
const ROUNDS = 60;
const FIELDS = [{ name: "rating", type: "number", indexed: true, options: { max: 5 } }];
/** The maxima of `rating`, in turn. */
const MAXIMA = [5, 9];

/** How often what came of the requests of a seed. */
export type OptimisticReport = Record<"written" | "refused" | "unknown", number>;

/** The expectation for a written title: it must exist, must not, or may. */
type Fate = "written" | "refused" | "unknown";

/** Runs one seed; throws when something was lost, doubled, or decided by what was gone. */
export async function simulateOptimisticWrites(seed: number): Promise<OptimisticReport> {
  await using test = await headless(FIELDS, seededContext(seed));
  return await new Writers(test, seededRandom(seed)).run();
}

class Writers {
  readonly #test: Headless;
  readonly #random: () => number;
  readonly #processes: ReturnType<typeof secondApp>[];
  readonly #fates = new Map<string, Fate>();
  readonly #documents: string[] = [];
  #token = { id: "", text: "" };
  #maximum = MAXIMA[0]!;
  #titles = 0;

  constructor(test: Headless, random: () => number) {
    this.#test = test;
    this.#random = random;
    this.#processes = Array.from({ length: PROCESSES }, () => this.#start());
  }

  async run(): Promise<OptimisticReport> {
    await this.#mint();
    for (let n = 0; n < DOCUMENTS; n++) {
      const { id } = await this.#test.post({ title: `Document ${n}` });
      this.#documents.push(id);
    }
    for (let round = 0; round < ROUNDS; round++) await this.#round();
    // As before a process ends: a limiter may still withdraw a claim that no request waits for.
    for (const { deps } of this.#processes) await deps.limiter.settle({ force: true });
    await this.#check();
    const report: OptimisticReport = { written: 0, refused: 0, unknown: 0 };
    for (const fate of this.#fates.values()) report[fate] += 1;
    return report;
  }

  /** A process; now and then its store fails before a call or after it. */
  #start(): ReturnType<typeof secondApp> {
    const driver = new HookedDriver(this.#test.context.store.driver);
    driver.hook = async (_n, when) => {
      if (this.#below(2) === 0) await eventLoopTurn();
      if (this.#random() < 0.01) throw new StoreUnavailable(`Does not answer ${when} the call`);
    };
    const random = this.#random;
    const store = new Store(driver, { sleep: () => eventLoopTurn(), random });
    return secondApp({ ...this.#test.context, store });
  }

  async #mint(): Promise<void> {
    const input = parseToken({ name: "writer", scopes: ["*"], quotaPerMinute: 100_000 }, 0);
    const { view, text } = await mintToken(this.#test.context, UNATTENDED, input, null);
    this.#token = { id: view.id, text };
  }

  /** Some requests at a time; sometimes the token ends among them, or the definition changes. */
  async #round(): Promise<void> {
    this.#test.context.advance(this.#below(500));
    const token = this.#token;
    const maxima = [this.#maximum];
    const kind = this.#below(8);
    const work = Array.from({ length: 1 + this.#below(5) }, () => this.#write(token.text, maxima));
    if (kind === 0) {
      await this.#test.v1("GET", "/posts");
      await revokeToken(this.#test.context, UNATTENDED, token.id);
      await this.#mint();
      const late = await this.#send(token.text, "POST", "/posts", {
        title: "By a token that is gone",
      });
      assert([401, 500, 503].includes(late.status), `after its end: ${late.status}`);
    } else if (kind === 1) {
      this.#maximum = MAXIMA.find((one) => one !== this.#maximum)!;
      maxima.push(this.#maximum);
      const { content } = this.#test.deps;
      const options = { max: this.#maximum };
      await patchField(content, UNATTENDED, "posts", "rating", { options });
    }
    for (const answer of await Promise.all(work)) {
      assert(answer !== 401 || kind === 0, "a token that stands was refused");
    }
  }

  async #write(token: string, maxima: readonly number[]): Promise<number> {
    const title = `Title ${this.#titles++}`;
    // Unlike any other: a value that is sent back as it is stored is not checked.
    const rating = this.#below(10) + this.#titles / 10_000;
    const creates = this.#below(3) === 0;
    const path = creates ? "/posts" : `/posts/${this.#one(this.#documents)}`;
    const isConditional = !creates && this.#below(3) === 0;
    const etag = isConditional ? (await this.#test.v1("GET", path)).headers.get("etag")! : null;
    const answer = await this.#send(
      token,
      creates ? "POST" : "PATCH",
      path,
      { title, rating },
      etag === null ? {} : { "if-match": etag },
    );
    const { status } = answer;
    const fate = status < 300 ? "written" : status >= 500 ? "unknown" : "refused";
    this.#fates.set(title, fate);
    if (fate === "written") assertEquals([answer.json.title, answer.json.rating], [title, rating]);
    assert([200, 201, 401, 409, 412, 422, 500, 503].includes(status), answer.text);
    assert(status !== 412 || isConditional, "a condition that nobody set");
    if (status === 422) assert(rating > Math.min(...maxima), `${rating} fits ${maxima}`);
    if (fate === "written") assert(rating <= Math.max(...maxima), `${rating} exceeds ${maxima}`);
    return status;
  }

  #send(
    token: string,
    method: string,
    path: string,
    body: Record<string, string | number>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { app } = this.#one(this.#processes);
    return callApp(app, method, `/api/v1${path}`, { token, body, headers });
  }

  /** Compares every title of every version with the answers to its writer. */
  async #check(): Promise<void> {
    const ids = new Set(this.#documents);
    const { json } = await this.#test.v1("GET", "/posts?perPage=100&fields=title");
    assert(json.meta.total <= 100);
    for (const { id } of json.data) ids.add(id);
    const found = new Map<string, number>();
    for (const id of ids) {
      for (const title of await this.#titlesOf(id)) found.set(title, (found.get(title) ?? 0) + 1);
    }
    for (const [title, fate] of this.#fates) {
      const times = found.get(title) ?? 0;
      const expected = { written: [1], refused: [0], unknown: [0, 1] }[fate];
      assert(expected.includes(times), `${title}, ${fate}, stands ${times} times`);
    }
    assertEquals(found.get("By a token that is gone"), undefined);
  }

  async #titlesOf(id: string): Promise<string[]> {
    const titles: string[] = [];
    for (let page = 1;; page++) {
      const path = `/posts/${id}/versions`;
      const { json } = await this.#test.v1("GET", `${path}?perPage=100&page=${page}`);
      for (const { version } of json.data) {
        titles.push((await this.#test.v1("GET", `${path}/${version}`)).json.title);
      }
      if (json.data.length < 100) return titles;
    }
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#below(all.length)]!;
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }
}
