import { assert, assertEquals } from "@std/assert";
import { Passwords } from "../../../../kv/people/passwords.ts";
import { SESSION_SECONDS } from "../../../../kv/people/sessions.ts";
import { testContext } from "../../../support/harness/context.ts";
import {
  Client,
  FIRST,
  peopleApp,
  peopleOf,
  setUpSite,
  signedInUser,
} from "../../../support/sites/people.ts";

const { email, password } = FIRST;
const UNAUTHENTICATED = { error: { code: "UNAUTHENTICATED", message: "Authentication required" } };

Deno.test("POST /api/admin/session signs in, in any case of the address", async () => {
  await using context = await testContext();
  const { app, userId } = await setUpSite(peopleOf(context));
  const client = new Client(app);

  const { status, body } = await client.ask("POST", "/session", {
    email: " ada@EXAMPLE.org ",
    password,
  });

  assertEquals(status, 200);
  assertEquals(Object.keys(body), ["user", "scopes"]);
  assertEquals([body.user.id, body.scopes], [userId, ["*"]]);
  assertEquals((await client.ask("GET", "/session")).body, body);
  assert(!JSON.stringify(body).includes("scrypt"));
});

Deno.test("POST /api/admin/session answers an unknown address like a wrong password", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  await admin.ask("POST", "/users", { email: "in@x.org", displayName: "In", roles: [] });
  const client = new Client(app);

  for (
    const body of [
      { email, password: "wrong horse battery" },
      { email: "who@example.org", password },
      { email: "in@x.org", password },
      { email: "", password: "" },
    ]
  ) {
    const answer = await client.ask("POST", "/session", body);
    assertEquals([answer.status, answer.body], [401, UNAUTHENTICATED]);
  }
  assertEquals(client.cookie, null);
});

Deno.test("POST /api/admin/session is limited per address and per account, successes counted too", async () => {
  await using context = await testContext();
  const { app } = await setUpSite(peopleOf(context));
  const here = new Client(app, { address: "203.0.113.1" });
  for (let n = 0; n < 10; n++) {
    assertEquals((await here.ask("POST", "/session", { email, password })).status, 200);
  }

  const limited = await here.ask("POST", "/session", { email: "other@x.org", password });
  assertEquals([limited.status, limited.body.error.code], [429, "RATE_LIMITED"]);
  assertEquals(limited.headers.get("retry-after"), "900");
  const elsewhere = new Client(app, { address: "203.0.113.2" });
  assertEquals((await elsewhere.ask("POST", "/session", { email, password })).status, 429);
  assertEquals(
    (await elsewhere.ask("POST", "/session", { email: "other@x.org", password })).status,
    401,
  );

  context.advance(900_000);
  assertEquals((await here.ask("POST", "/session", { email, password })).status, 200);
});

Deno.test("GET /api/admin/session is 401 without, with a made-up and with an ended session", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  const thief = new Client(app);
  thief.cookie = admin.cookie;

  for (const cookie of [null, "session=", `session=${"a".repeat(32)}`, "session=<>", "x=y"]) {
    const client = new Client(app);
    client.cookie = cookie;
    const { status, body } = await client.ask("GET", "/session");
    assertEquals([status, body], [401, UNAUTHENTICATED]);
  }
  assertEquals((await thief.ask("GET", "/session")).status, 200);
  const ended = await admin.ask("DELETE", "/session");
  assertEquals([ended.status, ended.body], [204, null]);
  assertEquals(admin.cookie, null);
  assertEquals((await thief.ask("GET", "/session")).status, 401);
});

Deno.test("GET /api/admin/session slides: 12 hours after the last use, written every few minutes", async () => {
  await using context = await testContext();
  const { admin } = await setUpSite(peopleOf(context));

  const { commits } = context.store.counts;
  context.advance(299_000);
  assertEquals((await admin.ask("GET", "/session")).headers.get("set-cookie"), null);
  assertEquals(context.store.counts.commits, commits);
  context.advance(1_000);
  const extended = await admin.ask("GET", "/session");
  assert(extended.headers.get("set-cookie")!.startsWith(admin.cookie!));
  assertEquals(context.store.counts.commits, commits + 1);

  context.advance(SESSION_SECONDS * 1000 - 1_000);
  assertEquals((await admin.ask("GET", "/session")).status, 200);
  context.advance(SESSION_SECONDS * 1000);
  assertEquals((await admin.ask("GET", "/session")).status, 401);
});

Deno.test("GET /api/admin/session reads the session and the version key in one round trip", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { admin } = await setUpSite(people);
  await admin.ask("GET", "/session");
  const reads = context.store.counts.reads;

  await admin.ask("GET", "/users");

  // One for the session, one for the list itself.
  assertEquals(context.store.counts.reads - reads, 2);
  assertEquals(context.store.counts.lists > 0, true);
});

Deno.test("GET /api/admin/session sees in another process at once what changed", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  const { client, id } = await signedInUser(app, admin, "bo@x.org", ["editor"]);
  const elsewhere = new Client(peopleApp(peopleOf(context)));
  elsewhere.cookie = client.cookie;
  assertEquals((await elsewhere.ask("GET", "/session")).body.user.roles, ["editor"]);

  await admin.ask("PATCH", `/users/${id}`, { roles: ["viewer"] });
  assertEquals((await elsewhere.ask("GET", "/session")).body.user.roles, ["viewer"]);
  await admin.ask("DELETE", `/users/${id}`);
  assertEquals((await elsewhere.ask("GET", "/session")).status, 401);
});

Deno.test("POST /api/admin/session renews a hash of another cost without ending sessions", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { admin, userId } = await setUpSite(people);
  const before = (await people.access.current()).users.get(userId)!.passwordHash;
  const dearer = { ...people, passwords: new Passwords({ logN: 5, r: 8, p: 1 }) };

  const { status } = await new Client(peopleApp(dearer)).ask("POST", "/session", {
    email,
    password,
  });

  const after = (await people.access.current()).users.get(userId)!.passwordHash!;
  assertEquals(status, 200);
  assert(after !== before && after.startsWith("$scrypt$ln=5,"));
  assertEquals((await admin.ask("GET", "/session")).status, 200);
});

Deno.test("wrong attempts from elsewhere keep no browser out in which the user has signed in before", async () => {
  await using context = await testContext();
  const { app } = await setUpSite(peopleOf(context));
  const ask = async (address: string, browser: string | null, body: Record<string, string>) => {
    const request = new Request("http://cms.test/api/admin/session", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(browser !== null && { cookie: `browser=${browser}` }),
      },
      body: JSON.stringify(body),
    });
    const response = await app.fetch(request, {
      remoteAddr: { transport: "tcp", hostname: address },
    });
    await response.body?.cancel();
    const cookies = response.headers.getSetCookie();
    const made = cookies.map((cookie) => /^browser=(\w{32});/.exec(cookie)?.[1]).find(Boolean);
    return { status: response.status, made, cookies };
  };
  const first = await ask("203.0.113.1", null, { email, password });
  assertEquals(first.cookies.length, 2);
  assert(first.cookies[0]!.startsWith("session="));
  assert(/HttpOnly/.test(first.cookies[1]!) && /SameSite=Lax/.test(first.cookies[1]!));
  const own = first.made!;

  for (let n = 0; n < 20; n++) {
    await ask(`203.0.113.${n % 2 === 0 ? 1 : 100 + n}`, null, { email, password: `guess ${n}` });
  }

  // The account and the address are full; the browser is not, and is not made known twice.
  assertEquals((await ask("203.0.113.7", null, { email, password })).status, 429);
  const again = await ask("203.0.113.1", own, { email, password });
  assertEquals([again.status, again.made], [200, undefined]);
  // Its own wrong attempts count for it alone, until it is full.
  for (let n = 0; n < 8; n++) {
    assertEquals((await ask("203.0.113.1", own, { email, password: `wrong ${n}` })).status, 401);
  }
  assertEquals((await ask("203.0.113.1", own, { email, password })).status, 429);
});

Deno.test("a browser that is known for one account is nothing special for another", async () => {
  await using context = await testContext();
  const { app, admin } = await setUpSite(peopleOf(context));
  const { client } = await signedInUser(app, admin, "bo@x.org", ["viewer"]);
  assert(client.cookie !== null);
  const bo = { email: "bo@x.org", password: "bo@x.org and more" };
  const ask = async (cookie: string, body: Record<string, string>) => {
    const request = new Request("http://cms.test/api/admin/session", {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
    const remoteAddr = { transport: "tcp", hostname: "203.0.113.9" };
    const response = await app.fetch(request, { remoteAddr });
    await response.body?.cancel();
    return response;
  };
  const own = (await ask("", bo)).headers.getSetCookie()[1]!.split(";")[0]!;

  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) {
    statuses.push((await ask(own, { email, password: `guess ${n}` })).status);
  }

  // The address has counted the sign-in before.
  assertEquals(statuses.filter((status) => status === 401).length, 9);
  assertEquals(statuses.at(-1), 429);
});
