/**
 * A site whose history is written by chance, over HTTP, and its reference model: the API beside processes
 * that run the jobs and die at it.
 *
 * @module
 */
import { jobKinds } from "../../../jobs/kinds.ts";
import { Runner } from "../../../jobs/runner/runner.ts";
import type { Context } from "../../../kv/context.ts";
import { findJob } from "../../../kv/jobs/jobs.ts";
import type { Json, State } from "../../../kv/model/entities/entity.ts";
import type { EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import type { JobRecord } from "../../../kv/jobs/job.ts";
import type { JobType } from "../../../kv/jobs/job_contracts.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import type { Deps } from "../../../routes/deps/deps.ts";
import { type Answer, callApp, secondApp } from "../../support/sites/app.ts";
import { assert } from "../../support/harness/assert.ts";
import { seededContext, type TestContext } from "../../support/harness/context.ts";
import { HistoryModel, type Past } from "../../support/harness/history_model.ts";
import { HookedDriver, Killed } from "../../support/stores/hooked_driver.ts";
import { publisher } from "../../support/sites/packages.ts";
import { seededRandom } from "../../support/harness/harness.ts";
import { LANGUAGES } from "./history_languages.ts";
import { FIRST_COLLECTION } from "./history_steps.ts";
import { addAnyJob } from "../../support/harness/any_job.ts";

/** Longer than any lease and any delay of a failed step, milliseconds. */
const LATER_MS = 1_000_000;
/** Calls of the store within which a process dies, if it is to. */
const DEATH_CALLS_MAX = 250;
/** What was never there. */
const NO_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const ADA = { email: "ada@example.org", password: "correct horse battery" };

/** What the resource endpoints show, by path. */
export type View = Record<string, Json>;

/** Every list of the admin API that shows entities. */
const LISTS = [
  "/collections",
  "/blocks",
  "/users",
  "/roles",
  "/tokens",
  "/media",
  "/settings",
  "/themes",
  "/plugins",
  ...["draft", "published", "scheduled", "archived", "trashed"].map((status) =>
    `/documents?status=${status}&sort=createdAt&perPage=100`
  ),
];

/** A site, who asks it, and what it was. */
export class HistoryFixture implements AsyncDisposable {
  readonly model: HistoryModel;
  /** What the API showed, by second, and how many versions there were. */
  readonly #views = new Map<number, { view: View; versions: number }>();
  readonly #random: () => number;
  readonly #plain: TestContext;
  readonly #api: ReturnType<typeof secondApp>;
  /** Outlives the others: a lease expires once another process has seen it unchanged for long enough. */
  readonly #survivor: Runner;
  #cookie = "";
  #token = "";
  #userId = "";
  #tokenId = "";
  /** How often what has happened: a simulation in which nothing does proves nothing. */
  readonly counts: Record<string, number> = {};
  /** The second at which everything begins. */
  start = 0;

  private constructor(seed: number, plain: TestContext) {
    this.#random = seededRandom(seed);
    this.#plain = plain;
    this.#api = secondApp(this.#process(new HookedDriver(plain.store.driver)));
    this.#survivor = this.#runner(this.#api.deps);
    this.model = new HistoryModel(this.context);
  }

  /** A site that is set up, has a collection and believes a publisher. */
  static async open(seed: number): Promise<HistoryFixture> {
    const fixture = new HistoryFixture(seed, seededContext(seed));
    const setup = { code: "setup-code", displayName: "Ada", siteTitle: "The Lantern", ...ADA };
    const { headers, json } = await fixture.ask("POST", "/setup", setup);
    fixture.#cookie = headers.get("set-cookie")!.split(";")[0]!;
    fixture.#userId = json.user.id;
    const quota = { name: "own", scopes: ["*"], quotaPerMinute: 1_000_000 };
    const { json: minted } = await fixture.ask("POST", "/tokens", quota);
    fixture.#token = minted.token;
    fixture.#tokenId = minted.id;
    await fixture.ask("POST", "/collections", FIRST_COLLECTION);
    await fixture.ask("PATCH", "/settings", { languages: LANGUAGES });
    const { slug } = FIRST_COLLECTION;
    await fixture.ask("PATCH", `/collections/${slug}`, { localized: true });
    await fixture.ask("PATCH", "/settings", {
      "packages.publishers": [publisher()] as unknown as Json,
    });
    await fixture.work(false);
    await fixture.model.follow();
    fixture.start = fixture.now;
    fixture.pass(2);
    return fixture;
  }

  get context(): Context {
    return this.#api.deps.content.context;
  }

  get content(): Deps["content"] {
    return this.#api.deps.content;
  }

  /** Epoch seconds. */
  get now(): number {
    return Math.floor(this.#plain.now() / 1000);
  }

  /** Who set the site up. */
  get userId(): string {
    return this.#userId;
  }

  /** A process over the store that waits for nothing. */
  #process(driver: HookedDriver): TestContext {
    const { now } = this.#plain;
    const sleep = () => Promise.resolve();
    const store = new Store(driver, { sleep, random: this.#random, monotonic: now });
    return { ...this.#plain, store };
  }

  /** Does jobs; a lease lasts as long as the site's clock says. */
  #runner({ publishing, packages, content: { context } }: Deps): Runner {
    // The clock stands still while jobs run: nothing becomes due.
    const setTimer = () => () => {};
    const clock = { monotonic: context.now, random: this.#random, setTimer };
    return new Runner(context, { kinds: jobKinds({ publishing, packages }), clock });
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** A whole number below `end`. */
  number(end: number): number {
    return Math.floor(this.#random() * end);
  }

  one<T>(of: readonly T[]): T {
    return of[this.number(of.length)]!;
  }

  pass(seconds: number): void {
    this.#plain.advance(seconds * 1_000);
  }

  /** Asks `/api/admin` + path as the administrator; a session that has ended is begun again. */
  async ask(method: string, path: string, body?: Json): Promise<Answer> {
    return await this.#send(method, path, body === undefined ? {} : { body });
  }

  /** The same with a form. */
  async form(method: string, path: string, form: FormData): Promise<Answer> {
    // The boundary is in the header that a Response of the form has.
    const whole = new Response(form);
    const headers = { "content-type": whole.headers.get("content-type")! };
    return await this.#send(method, path, { raw: await whole.arrayBuffer(), headers });
  }

  async #send(
    method: string,
    path: string,
    call: { body?: Json; raw?: BodyInit; headers?: Record<string, string> },
  ): Promise<Answer> {
    const send = () =>
      callApp(this.#api.app, method, `/api/admin${path}`, {
        ...call,
        headers: { ...call.headers, ...(this.#cookie !== "" && { cookie: this.#cookie }) },
      });
    let answer = await send();
    if (answer.status === 401) {
      const session = await callApp(this.#api.app, "POST", "/api/admin/session", { body: ADA });
      assert(session.status === 200, `Ada cannot sign in: ${session.text}`);
      this.#cookie = session.headers.get("set-cookie")!.split(";")[0]!;
      answer = await send();
    }
    // Hours pass in a history: before a sensitive act its administrator shows again who they are.
    if (answer.json?.error?.code === "PROOF_REQUIRED") {
      await callApp(this.#api.app, "POST", "/api/admin/session/prove", {
        body: { password: ADA.password },
        headers: { cookie: this.#cookie },
      });
      answer = await send();
    }
    assert(answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  /** Asks `/api/v1` + path. */
  async v1(method: string, path: string, body?: Json): Promise<Answer> {
    const given = body === undefined ? {} : { body };
    const answer = await callApp(this.#api.app, method, `/api/v1${path}`, {
      token: this.#token,
      ...given,
    });
    assert(answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  async install(kind: "themes" | "plugins", packed: Uint8Array<ArrayBuffer>): Promise<Answer> {
    const form = new FormData();
    form.append("package", new Blob([packed]), "package.tar.gz");
    return await this.form("POST", `/${kind}`, form);
  }

  /** One of the entities of a type, gone ones too. */
  idOf(type: EntityType): string {
    const found = this.pasts(type);
    return found.length === 0 ? NO_ID : this.one(found).id;
  }

  pasts(type: EntityType): Past[] {
    return [...this.model.all.values()].filter((past) => past.type === type);
  }

  /** A user other than Ada. */
  otherUser(): string {
    const others = this.pasts("user").filter(({ id }) => id !== this.#userId);
    return others.length === 0 ? NO_ID : this.one(others).id;
  }

  /** Another token than the one that asks. */
  otherToken(): string {
    const others = this.pasts("api_token").filter(({ id }) => id !== this.#tokenId);
    return others.length === 0 ? NO_ID : this.one(others).id;
  }

  /** The slug of a collection that is there. */
  async slug(): Promise<string> {
    const { json } = await this.ask("GET", "/collections?perPage=100");
    return json.data.length === 0 ? "none" : this.one(json.data as { slug: string }[]).slug;
  }

  /** What the API shows. */
  async view(): Promise<View> {
    const view: View = {};
    for (const path of LISTS) {
      const { status, json } = await this.ask("GET", path);
      assert(status === 200, `GET ${path}: ${status}`);
      view[path] = json.data ?? json;
    }
    return view;
  }

  /** Remembers what is shown now. */
  async remember(): Promise<void> {
    this.#views.set(this.now, {
      view: await this.view(),
      versions: this.model.countUntil(this.now),
    });
  }

  /** Seconds at whose end it is known what was shown: nothing came after that was remembered. */
  get seconds(): number[] {
    return [...this.#views].filter(([second, { versions }]) =>
      versions === this.model.countUntil(second)
    ).map(([second]) => second);
  }

  /** What was shown at one of the seconds. */
  viewAt(second: number): View {
    return this.#views.get(second)!.view;
  }

  /** Has all jobs that are due done; by a process that dies at it, perhaps, and then by others. */
  async work(mayDie = true): Promise<void> {
    while (mayDie && this.chance(0.4)) {
      const driver = new HookedDriver(this.#plain.store.driver);
      const death = 1 + this.number(DEATH_CALLS_MAX);
      const when = this.chance(0.5) ? "before" : "after";
      let dead = false;
      driver.hook = (call, moment) => {
        dead ||= call === death && moment === when;
        if (dead) throw new Killed();
      };
      const runner = this.#runner(secondApp(this.#process(driver)).deps);
      await runner.drain().catch((error) => assert(dead, String(error)));
      if (dead) this.count("deaths");
      this.pass(LATER_MS / 1_000);
    }
    await this.#survivor.drain();
  }

  /** Lets what the dead have left be done: what was asked for before comes before what is asked for now. */
  async settle(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await this.work(false);
      this.pass(LATER_MS / 1_000);
    }
    await this.work(false);
    await this.model.follow();
  }

  /** Runs a job to its end, whichever processes die; returns it. */
  async job(type: JobType): Promise<JobRecord> {
    const operation = new Operation();
    const id = addAnyJob(operation, this.context, { type, payload: {} });
    await this.context.store.commit(operation);
    return await this.finish(id);
  }

  /** Waits for a job that was asked for. */
  async finish(id: string): Promise<JobRecord> {
    for (let round = 0; round < 20; round++) {
      await this.work(round === 0);
      const job = (await findJob(this.context.store, id))!;
      if (job.state === "done" || job.state === "failed") return job;
      this.pass(LATER_MS / 1_000);
    }
    throw new Error(
      `The job comes to no end: ${JSON.stringify(await findJob(this.context.store, id))}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#plain[Symbol.asyncDispose]();
  }
}

/** A state without its secret members, and without the password, which a restore leaves unchanged. */
export function shownState(type: EntityType, state: State): State {
  const {
    passwordHash: _hash,
    passwordId: _id,
    hash: _token,
    previousHash: _previous,
    secrets: _secrets,
    ...rest
  } = state;
  if (type === "setting" && String(rest.key).startsWith("secret.")) delete rest.value;
  return type === "document" ? shownDocument(rest) : rest;
}

/** A document with the values of its working copy, whatever its fields are called at the moment. */
function shownDocument({ workingCopy, working_copy: shown = null, ...rest }: State): State {
  const copy = (workingCopy ?? shown) as State | null;
  const values = copy && Object.values(copy).map((value) => JSON.stringify(value)).sort();
  return values === null ? rest : { ...rest, working_copy: values };
}
