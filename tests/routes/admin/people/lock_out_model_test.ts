/**
 * A model of administrators who change everything that signing in depends on, also at the same time and by restores: each
 * step begins with one of them signing in, by whatever they have. If none can, they are locked out.
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { ADA, type Answer, type TestApp } from "../../../support/sites/app.ts";
import { seededRandom } from "../../../support/seeded_random.ts";
import { Authenticator } from "../../../support/sign_in/authenticator.ts";
import { OidcServer } from "../../../support/sign_in/oidc_server.ts";
import {
  BO,
  signIn,
  signInSite,
  type Visitor,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";

const SEEDS = 3;
const STEPS = 40;
/** Longer than attempts to sign in are counted. */
const STEP_MS = 16 * 60_000;
const URLS = ["http://localhost", "http://other.localhost"];

type Ask = (method: string, path: string, body?: Json) => Promise<Answer>;

/** A person, and what they hold. */
interface Person {
  email: string;
  password: string;
  recoveryCodes: string[];
  /** Of each URL of the site. */
  authenticators: Map<string, Authenticator>;
}

class Model {
  readonly people: Person[] = [
    { email: ADA.email, password: ADA.password, recoveryCodes: [], authenticators: new Map() },
    { email: BO.email, password: BO.password, recoveryCodes: [], authenticators: new Map() },
  ];
  /** The times of former steps, epoch seconds. */
  readonly instants: number[] = [];

  constructor(
    readonly test: TestApp,
    readonly server: OidcServer,
    readonly random: () => number,
  ) {}

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  /** An administrator who has signed in; fails if none can. */
  async enter(): Promise<{ client: Visitor; person: Person }> {
    for (const person of this.random() < 0.5 ? this.people : this.people.toReversed()) {
      for (const way of [this.#byPassword, this.#byPasskey, this.#byProvider]) {
        const client = visitor(this.test);
        await way(client, person);
        const { json } = await client.ask("GET", "/session");
        if (json?.user?.roles.includes("administrator")) return { client, person };
      }
    }
    throw new Error("No administrator can sign in");
  }

  /** A random change; it may be refused. */
  async change({ client, person }: { client: Visitor; person: Person }): Promise<void> {
    const ask: Ask = client.ask;
    const users = (await ask("GET", "/users")).json?.data ?? [];
    if (users.length === 0) return;
    const user = `/users/${this.pick<{ id: string }>(users).id}`;
    const set = (body: Json) => ask("PATCH", "/settings", body);
    const changes: (() => Promise<unknown>)[] = [
      () =>
        set({ "auth.passwords": this.pick(["everyone", "administrators", "nobody", "nobody"]) }),
      () => set({ "auth.providers": this.pick([[], [this.#provider()]]) as Json }),
      () => set({ "site.url": this.pick(URLS) }),
      () => ask("PATCH", user, { roles: [this.pick(["administrator", "editor"])] }),
      () => ask("POST", `${user}/${this.pick(["disable", "enable"])}`),
      () => ask("DELETE", user),
      () => ask("DELETE", `${user}/factors`),
      () => this.#addPasskey(client, person),
      () => this.#removePasskey(client),
      () => this.#link(client, person),
      () => ask("DELETE", "/account/identities/corp"),
      () => this.#restoreVersion(ask),
      () => ask("POST", "/restore", { timestamp: this.pick(this.instants) }),
    ];
    await this.pick(changes)();
  }

  #provider() {
    return { id: "corp", name: "Corp", issuer: this.server.issuer, clientId: "cms" };
  }

  readonly #byPassword = async (client: Visitor, person: Person) => {
    const { json } = await signIn(client, {
      ...BO,
      email: person.email,
      password: person.password,
    });
    const [recoveryCode, ...others] = person.recoveryCodes;
    if (!json?.challenge || recoveryCode === undefined) return;
    const body = { challenge: json.challenge, recoveryCode };
    const { status } = await client.ask("POST", "/session/second-factor", body);
    if (status !== 200) return;
    // Users who use up their codes lock themselves out.
    const replaced = await client.ask("POST", "/account/recovery-codes");
    person.recoveryCodes = replaced.json?.recoveryCodes ?? others;
  };

  readonly #byPasskey = async (client: Visitor, { authenticators }: Person) => {
    for (const authenticator of authenticators.values()) {
      const options = await client.ask("POST", "/session/passkey/options", {});
      if (options.status !== 200) return;
      const response = await authenticator.get(options.json).catch(() => null);
      if (response !== null) await client.ask("POST", "/session/passkey", { response });
    }
  };

  readonly #byProvider = async (client: Visitor, { email }: Person) => {
    await this.#through(client, email, "/admin/auth/corp");
  };

  async #through(client: Visitor, email: string, path: string): Promise<void> {
    this.server.claims = { sub: email, email, email_verified: false };
    const begun = await client.ask("GET", path);
    if (!begun.headers.get("location")?.startsWith(this.server.issuer)) return;
    const callback = this.server.signIn(begun.headers.get("location") ?? "");
    await client.ask("GET", callback.pathname + callback.search);
  }

  async #addPasskey(client: Visitor, person: Person): Promise<void> {
    const url: string = (await client.ask("GET", "/settings")).json["site.url"];
    const authenticator = new Authenticator(url);
    const options = await client.ask("POST", "/account/passkeys/options");
    if (options.status !== 200 || person.authenticators.has(url)) return;
    person.authenticators.set(url, authenticator);
    const response = await authenticator.create(options.json);
    const { json } = await client.ask("POST", "/account/passkeys", { name: "Key", response });
    person.recoveryCodes = json?.recoveryCodes ?? person.recoveryCodes;
  }

  async #removePasskey(client: Visitor): Promise<void> {
    const { passkeys } = (await client.ask("GET", "/account")).json;
    if (passkeys.length > 0) await client.ask("DELETE", `/account/passkeys/${passkeys[0].id}`);
  }

  async #link(client: Visitor, { email }: Person): Promise<void> {
    const { json } = await client.ask("POST", "/account/identities/corp/link");
    if (!json.url) return;
    const { pathname, search } = new URL(json.url);
    await this.#through(client, email, pathname + search);
  }

  async #restoreVersion(ask: Ask): Promise<void> {
    const key = this.pick(["auth.passwords", "auth.providers", "site.url"]);
    const { json } = await ask("GET", `/versions/setting/${key}`);
    if (!json.data?.length) return;
    await ask("POST", `/versions/${this.pick<{ id: string }>(json.data).id}/restore`, {});
  }
}

for (let seed = 1; seed <= SEEDS; seed++) {
  Deno.test(`an administrator can always sign in, seed ${seed}`, async () => {
    await using server = await OidcServer.start();
    const { test, bo } = await signInSite({ guard: { allowLocal: true } });
    await using _ = test;
    answered(await test.admin("PATCH", `/users/${bo.id}`, { roles: ["administrator"] }), 200);
    answered(await test.admin("PATCH", "/settings", { "site.url": URLS[0]! }), 200);
    const model = new Model(test, server, seededRandom(seed));
    model.instants.push(Math.floor(test.context.now() / 1000));
    for (let step = 0; step < STEPS; step++) {
      test.context.advance(STEP_MS);
      const entered = await model.enter();
      model.instants.push(Math.floor(test.context.now() / 1000));
      await Promise.all([model.change(entered), model.change(entered)]);
      await test.runner.drain();
    }
    assert((await model.enter()).client !== null);
  });
}
