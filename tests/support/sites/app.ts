/**
 * The whole application over a test's context: requests without a server, tokens without a login.
 *
 * @module
 */
import { Store } from "../../../kv/store/store.ts";
import type { Hono } from "@hono/hono";
import { createCollection } from "../../../kv/schema/collections.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseToken } from "../../../kv/model/input/token_input.ts";
import { mintToken } from "../../../kv/people/tokens.ts";
import type { PasswordCost } from "../../../kv/people/passwords.ts";
import { assertDescribed } from "../../contract/described_answers.ts";
import { createApp } from "../../../routes/app.ts";
import type { Deps } from "../../../routes/deps/deps.ts";
import type { Runner } from "../../../jobs/runner/runner.ts";
import { createDeps, createRunner, type WiringOptions } from "../../../routes/process/wiring.ts";
import { type TestContext, testContext } from "../harness/context.ts";
import { logLine } from "../run_log.ts";

/** Passwords are hashed in a millisecond: their true cost has a test of its own. */
const CHEAP: PasswordCost = { logN: 4, r: 8, p: 1 };

/** What a request may carry. */
export interface Call {
  token?: string;
  body?: Json;
  /** A body as it is, instead of one made from JSON. */
  raw?: BodyInit;
  headers?: Record<string, string>;
  address?: string;
}

/** What came back. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // deno-lint-ignore no-explicit-any
  json: any;
}

/** The application and what a test does with it. */
export interface TestApp extends AsyncDisposable {
  context: TestContext;
  deps: Deps;
  app: Hono;
  runner: Runner;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Creates a token; `*` and a large quota by default. */
  token(input?: Record<string, Json>): Promise<string>;
  collection(input: Record<string, Json>): Promise<Collection>;
  /** Sets the site up; {@linkcode TestApp.admin} is its administrator from then on. */
  setUp(): Promise<Answer>;
  /** Asks `/api/admin` + path, signed in once the site is set up. */
  admin(method: string, path: string, body?: Json, call?: Call): Promise<Answer>;
}

/** Who sets the site of a test up. */
export const ADA = {
  email: "ada@example.org",
  displayName: "Ada",
  password: "correct horse battery",
};

/** A process, as far as a test has one. */
interface AppProcess {
  app: Hono;
  deps: Deps;
  runner: Runner;
}

/** Another process over the same database: it knows only what it has read or written itself. */
export function secondApp(
  context: TestContext,
  options: Partial<WiringOptions> = {},
): AppProcess {
  const { driver, sleep, random, monotonic } = context.store;
  const store = new Store(driver, { sleep, random, monotonic });
  return startApp({ ...context, store }, options);
}

function startApp(context: TestContext, options: Partial<WiringOptions>): AppProcess {
  const deps = createDeps(context, {
    trustProxy: 0,
    setupCode: "setup-code",
    passwordCost: CHEAP,
    ...options,
  });
  const { clock } = context;
  const runner = createRunner(deps, clock === undefined ? {} : { clock });
  return { deps, app: createApp(deps), runner };
}

/** One request to an app. */
export async function callApp(
  app: Hono,
  method: string,
  path: string,
  { token, body, raw, headers = {}, address = "192.0.2.1" }: Call = {},
): Promise<Answer> {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(raw !== undefined && { body: raw }),
  });
  const remoteAddr = { transport: "tcp", hostname: address, port: 1 };
  const response = await app.fetch(request, { remoteAddr });
  const text = await response.text();
  logLine(() => `${method} ${path} ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  const json = /[/+]json/.test(type) && text !== "" ? JSON.parse(text) : null;
  const { status } = response;
  if (path.startsWith("/api/admin/")) assertDescribed(method, path, response, text);
  return { status, headers: response.headers, text, json };
}

/** A fresh application over an empty store; `await using` closes it. */
export async function testApp(
  options: Partial<WiringOptions> = {},
  given?: TestContext,
): Promise<TestApp> {
  const context = given ?? await testContext();
  const { app, deps, runner } = startApp(context, options);
  let cookie = "";
  const admin: TestApp["admin"] = (method, path, body, call = {}) => {
    const headers = { ...(cookie !== "" && { cookie }), ...call.headers };
    const given = body === undefined ? {} : { body };
    return callApp(app, method, `/api/admin${path}`, { ...call, ...given, headers });
  };
  return {
    context,
    deps,
    app,
    runner,
    call: (method, path, call) => callApp(app, method, path, call),
    token: async (input = {}) => {
      const body = { name: "test", scopes: ["*"], quotaPerMinute: 100_000, ...input };
      const { text } = await mintToken(context, UNATTENDED, parseToken(body, 0), null);
      return text;
    },
    collection: (input) => createCollection(deps.content, UNATTENDED, parseCollection(input)),
    setUp: async () => {
      const body = { code: "setup-code", siteTitle: "The Lantern", ...ADA };
      const answer = await admin("POST", "/setup", body);
      cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
      return answer;
    },
    admin,
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}
