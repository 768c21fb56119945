/** Bearer tokens: which are accepted, and that a refusal never tells why. */
import { livingEntities } from "../../../kv/versioning/entities.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { useOfToken } from "../../../kv/people/token_use.ts";
import { getToken, patchToken, revokeToken, rotateToken } from "../../../kv/people/tokens.ts";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";
import {
  assertRefused,
  type Headless,
  headless,
  NO_ID,
  NOON_SECONDS,
} from "../../support/sites/headless.ts";

const idOf = (token: string) => token.slice(7, 33);

async function asks(test: Headless, authorization: string | undefined) {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return await test.call("GET", "/api/v1/posts", { headers });
}

Deno.test("a token has the shape of the specification and is stored as a hash only", async () => {
  await using test = await headless([]);
  assertMatch(test.full, /^svc_pk_[0-9A-HJKMNP-TV-Z]{26}_[0-9A-Za-z]{32}$/);
  const secret = test.full.slice(-32);
  for await (const { state } of livingEntities(test.context, "api_token")) {
    assert(!JSON.stringify(state).includes(secret));
  }
});

/** Makes an Authorization header that must be refused from a valid token. */
const REFUSED: Record<string, (token: string) => string | undefined> = {
  missing: () => undefined,
  empty: () => "",
  "the scheme alone": () => "Bearer",
  "the scheme and a space": () => "Bearer ",
  "the token alone": (token) => token,
  "another scheme": (token) => `Basic ${token}`,
  "a scheme too long": (token) => `Bearers ${token}`,
  "two tokens": (token) => `Bearer ${token} ${token}`,
  "a list": (token) => `Bearer ${token}, Bearer ${token}`,
  "a tab": (token) => `Bearer\t${token}`,
  quoted: (token) => `Bearer "${token}"`,
  "cut off": (token) => `Bearer ${token.slice(0, -1)}`,
  "too long": (token) => `Bearer ${token}a`,
  "endless": (token) => `Bearer ${token.repeat(200)}`,
  "in lower case": (token) => `Bearer ${token.toLowerCase()}`,
  "another prefix": (token) => `Bearer ${token.replace("svc", "cms")}`,
  "another id": (token) => `Bearer svc_pk_${NO_ID}${token.slice(33)}`,
  "another secret": (token) => `Bearer ${token.slice(0, 34)}${"a".repeat(32)}`,
};
for (const [name, make] of Object.entries(REFUSED)) {
  Deno.test(`an Authorization header that is ${name} is refused`, async () => {
    await using test = await headless([]);
    const plain = await asks(test, undefined);
    const answer = await asks(test, make(test.full));
    assertRefused(answer, 401, "UNAUTHENTICATED");
    assertEquals(answer.json, {
      error: { code: "UNAUTHENTICATED", message: "Authentication required" },
    });
    assertEquals([...answer.headers.keys()], [...plain.headers.keys()], "no header tells why");
    assertEquals(answer.headers.get("www-authenticate"), plain.headers.get("www-authenticate"));
  });
}

for (const make of [(t: string) => `bearer ${t}`, (t: string) => `BEARER   ${t}`]) {
  Deno.test(`the scheme of ${make("…")} is spelled freely`, async () => {
    await using test = await headless([]);
    assertEquals((await asks(test, make(test.full))).status, 200);
  });
}

Deno.test("a token is accepted until the second of its expiry", async () => {
  await using test = await headless([]);
  const token = await test.token({ expiresAt: NOON_SECONDS + 10 });
  test.context.advance(9_999);
  assertEquals((await test.v1("GET", "/posts", { token })).status, 200);
  test.context.advance(1);
  assertRefused(await test.v1("GET", "/posts", { token }), 401, "UNAUTHENTICATED");
});

Deno.test("a revoked token is refused with its next request", async () => {
  await using test = await headless([]);
  assertEquals((await test.v1("GET", "/posts")).status, 200);
  await revokeToken(test.context, UNATTENDED, idOf(test.full));
  assertRefused(await test.v1("GET", "/posts"), 401, "UNAUTHENTICATED");
});

Deno.test("a changed token has its new scopes with its next request", async () => {
  await using test = await headless([]);
  assertEquals((await test.v1("GET", "/posts")).status, 200);
  await patchToken(test.context, UNATTENDED, idOf(test.full), { scopes: ["posts:write"] }, null);
  assertRefused(await test.v1("GET", "/posts"), 403, "FORBIDDEN");
});

Deno.test("a rotated token works for its overlap", async () => {
  await using test = await headless([]);
  const { text } = await rotateToken(test.context, UNATTENDED, idOf(test.full), 60);
  assertEquals((await test.v1("GET", "/posts", { token: text })).status, 200);
  assertEquals((await test.v1("GET", "/posts")).status, 200);
  test.context.advance(60_000);
  assertRefused(await test.v1("GET", "/posts"), 401, "UNAUTHENTICATED");
  assertEquals((await test.v1("GET", "/posts", { token: text })).status, 200);
});

Deno.test("neither a cookie nor a query parameter carries a token", async () => {
  await using test = await headless([]);
  for (const name of ["session", "__Host-session", "token"]) {
    const headers = { cookie: `${name}=${test.full}` };
    const answer = await test.call("GET", "/api/v1/posts", { headers });
    assertRefused(answer, 401, "UNAUTHENTICATED");
  }
  for (const query of ["token", "access_token", "api_key"]) {
    const answer = await test.call("GET", `/api/v1/posts?${query}=${test.full}`);
    assertRefused(answer, 401, "UNAUTHENTICATED");
  }
});

Deno.test("every collection route wants a token", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "Hello", status: "published" });
  const routes = [["GET", "/posts"], ["HEAD", "/posts"], ["POST", "/posts"]];
  for (const method of ["GET", "HEAD", "PATCH", "DELETE"]) routes.push([method, `/posts/${id}`]);
  routes.push(["GET", "/posts/by-slug/hello"], ["GET", "/nowhere"], ["GET", `/posts/${NO_ID}`]);
  for (const [method, path] of routes) {
    const answer = await test.call(method!, `/api/v1${path}`);
    assertEquals(answer.status, 401, `${method} ${path}`);
    if (method !== "HEAD") assertRefused(answer, 401, "UNAUTHENTICATED");
  }
});

Deno.test("last_used_at is kept to the minute, without a version and without an update", async () => {
  await using test = await headless([]);
  const id = idOf(test.full);
  const versions = () => test.context.store.listAll({ prefix: ["version", "api_token", id] });
  assertEquals((await getToken(test.context, id)).lastUsedAt, null);
  await test.v1("GET", "/posts");
  test.context.advance(59_000);
  await test.v1("GET", "/nowhere");
  assertEquals((await getToken(test.context, id)).lastUsedAt, NOON_SECONDS);
  test.context.advance(1_000);
  await test.v1("GET", "/posts");
  const view = await getToken(test.context, id);
  assertEquals([view.lastUsedAt, view.updatedAt], [NOON_SECONDS + 60, NOON_SECONDS]);
  assertEquals((await versions()).length, 1);
});

Deno.test("a refused token is not marked as used", async () => {
  await using test = await headless([]);
  const token = await test.token({ expiresAt: NOON_SECONDS + 1 });
  test.context.advance(2_000);
  await test.v1("GET", "/posts", { token });
  assertEquals((await getToken(test.context, idOf(token))).lastUsedAt, null);
});

Deno.test("requests of a token are counted by the hour, written with the mark of its last use", async () => {
  await using test = await headless([]);
  const token = await test.token();
  const shown = async (hours: number) => {
    const now = Math.floor(test.context.now() / 1000);
    const use = await useOfToken(test.context, idOf(token), now, hours);
    return use.map(({ requests }) => requests);
  };
  for (let request = 0; request < 5; request++) await test.v1("GET", "/posts", { token });
  assertEquals(await shown(1), [1], "the others wait for the next mark");
  test.context.advance(61_000);
  await test.v1("GET", "/posts", { token });
  assertEquals(await shown(1), [6]);
  test.context.advance(3_600_000);
  await test.v1("GET", "/posts", { token });
  assertEquals(await shown(2), [6, 1]);
});
