/**
 * A site whose users sign in with more than a password: clients with a cookie, codes of an authenticator app, and
 * passkeys.
 *
 * @module
 */
import { TOTP } from "otpauth";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { answered } from "../sites/admin_answers.ts";
import { type Answer, type TestApp, testApp } from "../sites/app.ts";
import { Authenticator } from "./authenticator.ts";
import type { WiringOptions } from "../../../routes/process/wiring.ts";

/** A user who is not an administrator. */
export const BO = {
  email: "bo@example.org",
  displayName: "Bo",
  password: "twelve chars",
  roles: ["editor"],
};

/** A client of the admin API that keeps its cookies. */
export interface Visitor {
  cookies: Map<string, string>;
  ask(method: string, path: string, body?: Json): Promise<Answer>;
}

/** The cookie header of a client. */
export function cookieOf({ cookies }: Pick<Visitor, "cookies">): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

let visitors = 0;

/** A client with an address of its own. */
export function visitor(test: TestApp): Visitor {
  const cookies = new Map<string, string>();
  visitors += 1;
  const address = `198.51.${100 + Math.floor(visitors / 200)}.${visitors % 200 + 1}`;
  return {
    cookies,
    ask: async (method, path, body) => {
      const cookie = cookieOf({ cookies });
      const answer = await test.call(
        method,
        path.startsWith("/admin") ? path : `/api/admin${path}`,
        {
          ...(body !== undefined && { body }),
          ...(cookie !== "" && { headers: { cookie } }),
          address,
        },
      );
      for (const set of answer.headers.getSetCookie()) {
        const [name, value] = set.split(";")[0]!.split("=") as [string, string];
        if (value === "") cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
  };
}

/** A site that is set up, with {@linkcode BO}, who has signed in. */
export async function signInSite(options: Partial<WiringOptions> = {}) {
  const test = await testApp(options);
  answered(await test.setUp(), 201);
  const bo = answered(await test.admin("POST", "/users", BO), 201);
  const client = visitor(test);
  answered(await signIn(client), 200);
  return { test, bo, client };
}

/** Signs {@linkcode BO} in by the password. */
export function signIn(client: Visitor, { email, password } = BO): Promise<Answer> {
  return client.ask("POST", "/session", { email, password });
}

/** The code of a secret at a time of the test's clock. */
export function codeAt(test: TestApp, secret: string, offsetSeconds = 0): string {
  return new TOTP({ secret }).generate({ timestamp: test.context.now() + offsetSeconds * 1000 });
}

/** Sets an authenticator app up. */
export async function setUpTotp(test: TestApp, client: Visitor) {
  const { secret } = answered(await client.ask("POST", "/account/totp"), 201);
  const code = codeAt(test, secret);
  const { recoveryCodes } = answered(await client.ask("PUT", "/account/totp", { code }), 200);
  return { secret: secret as string, code, recoveryCodes: recoveryCodes as string[] | undefined };
}

/** Adds a passkey. */
export async function addPasskey(
  client: Visitor,
  { name = "Laptop", authenticator = new Authenticator() } = {},
) {
  const options = answered(await client.ask("POST", "/account/passkeys/options"), 200);
  const response = await authenticator.create(options);
  const answer = await client.ask("POST", "/account/passkeys", { name, response });
  return { authenticator, passkey: answered(answer, 201) };
}

/** Signs in with a passkey. */
export async function signInByPasskey(
  client: Visitor,
  authenticator: Authenticator,
): Promise<Answer> {
  const options = answered(await client.ask("POST", "/session/passkey/options", {}), 200);
  const response = await authenticator.get(options);
  return await client.ask("POST", "/session/passkey", { response });
}
