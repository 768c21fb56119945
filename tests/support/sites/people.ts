/**
 * A site with people in it: the routes about them, mounted as the application does, and clients that
 * keep their cookie.
 *
 * @module
 */
import { unpackState } from "../../../kv/versioning/state_codec.ts";
import { assertDescribed } from "../../contract/described_answers.ts";
import { Hono } from "@hono/hono";
import { AccessSource } from "../../../kv/people/access.ts";
import { Attempts } from "../../../kv/people/attempts.ts";
import type { Context } from "../../../kv/context.ts";
import { issueReset } from "../../../kv/people/resets.ts";
import { Passwords } from "../../../kv/people/passwords.ts";
import type { People } from "../../../kv/people/people.ts";
import { SchemaSource } from "../../../kv/sources/schema_source.ts";
import { Settings } from "../../../kv/sources/settings.ts";
import {
  addressConfirmationRoutes,
  passwordResetRoutes,
} from "../../../routes/admin/people/password_reset.ts";
import { roleRoutes } from "../../../routes/admin/people/roles.ts";
import { sessionRoutes } from "../../../routes/admin/people/session.ts";
import { setupRoutes } from "../../../routes/admin/people/setup.ts";
import { userRoutes } from "../../../routes/admin/people/users.ts";
import type { AdminEnv } from "../../../routes/deps/admin_session.ts";
import type { PeopleDeps } from "../../../routes/deps/people_deps.ts";
import { sameOrigin } from "../../../routes/middleware/same_origin.ts";
import { session } from "../../../routes/middleware/session.ts";
import { asRefusal, refusalResponse } from "../../../routes/answers/refusal_response.ts";

/** A cost that takes no time. */
export const CHEAP = { logN: 4, r: 8, p: 1 };

/** What the setup of a test asks for, and who does it. */
export const FIRST = {
  code: "let-me-in",
  email: "Ada@Example.org",
  displayName: "Ada",
  password: "correct horse battery",
  siteTitle: "The Lantern",
};

/** One process's view of the people over a store. */
export function peopleOf(context: Context): People {
  return {
    context,
    access: new AccessSource(context),
    passwords: new Passwords(CHEAP),
    attempts: new Attempts(context),
    settings: new Settings(context),
  };
}

/** The routes about people. */
export function peopleApp(people: People, options: { trustProxy?: number } = {}): Hono<AdminEnv> {
  const deps: PeopleDeps = {
    people,
    settings: people.settings,
    setupCode: FIRST.code,
    trustProxy: options.trustProxy ?? 0,
  };
  const app = new Hono<AdminEnv>()
    .use("/api/admin/*", sameOrigin(deps))
    .route("/api/admin/setup", setupRoutes(deps) as unknown as Hono<AdminEnv>)
    .route("/api/admin/session", sessionRoutes(deps))
    .route("/api/admin/password-reset", passwordResetRoutes(deps) as unknown as Hono<AdminEnv>)
    .route(
      "/api/admin/address-confirmation",
      addressConfirmationRoutes(deps) as unknown as Hono<AdminEnv>,
    )
    .use("/api/admin/*", session(deps))
    .route("/api/admin/users", userRoutes(deps))
    .route(
      "/api/admin/roles",
      roleRoutes({ ...deps, content: { schema: new SchemaSource(people.context) } }),
    );
  app.onError((error) => {
    const refusal = asRefusal(error);
    if (refusal.code === "INTERNAL") console.error(refusal.cause);
    return refusalResponse(refusal);
  });
  return app;
}

/** An answer, read. */
export interface Answer {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any
  body: any;
}

/** A client with a user's cookie; each has an address of its own. */
export class Client {
  cookie: string | null = null;
  readonly #app: Hono<AdminEnv>;
  readonly #address: string;
  readonly #origin: string;

  constructor(app: Hono<AdminEnv>, options: { address?: string; origin?: string } = {}) {
    this.#app = app;
    this.#address = options.address ?? "192.0.2.1";
    this.#origin = options.origin ?? "http://cms.test";
  }

  /** Asks `/api/admin` + path. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const init: RequestInit = { method, headers: { ...headers } };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { "content-type": "application/json", ...headers };
    }
    const request = new Request(`${this.#origin}/api/admin${path}`, init);
    if (this.cookie !== null) request.headers.set("cookie", this.cookie);
    const remoteAddr = { transport: "tcp", hostname: this.#address, port: 1 };
    const response = await this.#app.fetch(request, { remoteAddr });
    const set = response.headers.get("set-cookie");
    if (set !== null) this.cookie = set.includes("Max-Age=0") ? null : set.split(";")[0]!;
    const text = await response.text();
    assertDescribed(method, `/api/admin${path}`, response, text);
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  }
}

/** A client whose first administrator has just set up the site. */
export async function setUpSite(people: People) {
  const app = peopleApp(people);
  const admin = new Client(app);
  const { status, body } = await admin.ask("POST", "/setup", FIRST);
  if (status !== 201) throw new Error(`Setup failed: ${JSON.stringify(body)}`);
  return { app, admin, userId: body.user.id as string };
}

/** Creates a user with these roles and signs them in. */
export async function signedInUser(
  app: Hono<AdminEnv>,
  admin: Client,
  email: string,
  roles: string[],
): Promise<{ client: Client; id: string }> {
  const password = `${email} and more`;
  const { body } = await admin.ask("POST", "/users", {
    email,
    displayName: email,
    password,
    roles,
  });
  const client = new Client(app, { address: `198.51.100.${email.length}` });
  await client.ask("POST", "/session", { email, password });
  return { client, id: body.id };
}

/** A token as a mail would carry it. */
export async function mailedToken(people: People, userId: string): Promise<string> {
  return (await issueReset(people, userId))!.token;
}

/** Everything in the store as one text, to look for what must not be there. */
export async function storeText(context: Context): Promise<string> {
  const lines: string[] = [];
  const readable = (_key: string, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(unpackState(value)) : value;
  for await (const { key, value } of context.store.list({ prefix: [] })) {
    lines.push(JSON.stringify([key, value], readable));
  }
  return lines.join("\n");
}
