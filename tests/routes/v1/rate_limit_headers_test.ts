/** Quotas of tokens and addresses, and the headers that tell what is left. */
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { patchToken } from "../../../kv/people/tokens.ts";
import { type Answer, callApp, secondApp } from "../../support/sites/app.ts";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";
import { assertRefused, headless, NO_ID } from "../../support/sites/headless.ts";

/** What the headers say: quota, left, seconds. */
function told(answer: Answer): [number, number, number] {
  const policy = /^"default";q=(\d+);w=60$/.exec(answer.headers.get("ratelimit-policy") ?? "");
  const left = /^"default";r=(\d+);t=(\d+)$/.exec(answer.headers.get("ratelimit") ?? "");
  assert(policy !== null && left !== null, JSON.stringify([...answer.headers]));
  return [Number(policy[1]), Number(left[1]), Number(left[2])];
}

/** 429 with a Retry-After that agrees with the other headers. */
function assertLimited(answer: Answer, quota: number, retryAfter: number): void {
  assertRefused(answer, 429, "RATE_LIMITED");
  assertEquals(answer.json.error.message, "Rate limit exceeded");
  assertEquals(answer.headers.get("retry-after"), String(retryAfter));
  assertEquals(told(answer), [quota, 0, retryAfter]);
}

Deno.test("every counted answer states quota and remaining requests, whatever its outcome", async () => {
  await using test = await headless([]);
  const token = await test.token({ quotaPerMinute: 20, scopes: ["posts:read", "posts:write"] });
  const made = await test.v1("POST", "/posts", { token, body: { title: "T" } });
  const path = `/posts/${made.json.id}`;
  const headers = { "if-none-match": '"x"' };
  const calls: [string, string, Parameters<typeof test.v1>[2], number][] = [
    ["GET", "/posts", {}, 200],
    ["HEAD", "/posts", {}, 200],
    ["GET", "/posts", { headers: { "if-none-match": "*" } }, 304],
    ["GET", "/posts?page=0", { headers }, 400],
    ["GET", "/nowhere", {}, 404],
    ["GET", `/posts/${NO_ID}`, {}, 404],
    ["POST", "/posts", { raw: "{", headers: { "content-type": "application/json" } }, 400],
    ["POST", "/posts", { raw: "{}", headers: { "content-type": "text/plain" } }, 415],
    ["POST", "/posts", { body: {} }, 422],
    ["PATCH", path, { body: { title: "U" }, headers: { "if-match": '"x"' } }, 412],
    ["PATCH", path, { body: { title: "U" } }, 200],
    ["DELETE", path, {}, 204],
  ];
  let left = 19;
  assertEquals(told(made), [20, left, 60]);
  for (const [method, path, call, status] of calls) {
    const answer = await test.v1(method, path, { token, ...call });
    assertEquals(answer.status, status, `${method} ${path}`);
    assertEquals(told(answer), [20, --left, 60]);
    assertEquals(answer.headers.get("retry-after"), null);
  }
});

Deno.test("answers before authentication are not counted and tell no quota", async () => {
  await using test = await headless([]);
  for (const [method, path] of [["PUT", "/posts"], ["GET", "/a/b/c/d"], ["OPTIONS", "/posts"]]) {
    const answer = await test.v1(method!, path!);
    assertEquals(answer.headers.get("ratelimit"), null);
    assertEquals(answer.headers.get("ratelimit-policy"), null);
  }
});

Deno.test("a token has sixty requests in any minute, and a refused one consumes nothing", async () => {
  await using test = await headless([]);
  const input = { quotaPerMinute: 60 };
  const token = await test.token(input);
  const ask = () => test.v1("GET", "/posts", { token });
  for (let n = 0; n < 30; n++) assertEquals(told(await ask())[1], 59 - n);
  test.context.advance(20_000);
  for (let n = 0; n < 30; n++) assertEquals((await ask()).status, 200);
  for (let n = 0; n < 50; n++) assertLimited(await ask(), 60, 40);
  test.context.advance(39_999);
  assertLimited(await ask(), 60, 1);
  test.context.advance(1);
  for (let n = 0; n < 30; n++) assertEquals((await ask()).status, 200);
  assertLimited(await ask(), 60, 20);
});

Deno.test("the last admitted request tells when one more fits", async () => {
  await using test = await headless([]);
  const token = await test.token({ quotaPerMinute: 2 });
  await test.v1("GET", "/posts", { token });
  test.context.advance(10_000);
  assertEquals(told(await test.v1("GET", "/posts", { token })), [2, 0, 50]);
});

Deno.test("a changed quota holds from the next request", async () => {
  await using test = await headless([]);
  const token = await test.token({ quotaPerMinute: 2 });
  const id = token.slice(7, 33);
  assertEquals(told(await test.v1("GET", "/posts", { token })), [2, 1, 60]);
  await patchToken(test.context, UNATTENDED, id, { quotaPerMinute: 1 }, null);
  assertLimited(await test.v1("GET", "/posts", { token }), 1, 60);
  await patchToken(test.context, UNATTENDED, id, { quotaPerMinute: 3 }, null);
  assertEquals(told(await test.v1("GET", "/posts", { token })), [3, 1, 60]);
});

for (const quota of [1, 7, 60]) {
  Deno.test(`of many requests at once in two processes exactly ${quota} are admitted`, async () => {
    await using test = await headless([]);
    const token = await test.token({ quotaPerMinute: quota });
    const apps = [test.app, secondApp(test.context).app];
    const answers = await Promise.all(
      Array.from(
        { length: quota + 40 },
        (_, n) => callApp(apps[n % 2]!, "GET", "/api/v1/posts", { token }),
      ),
    );
    const admitted = answers.filter((answer) => answer.status === 200);
    assertEquals(admitted.length, quota);
    assertEquals(
      admitted.map((answer) => told(answer)[1]).sort((a, b) => a - b),
      Array.from({ length: quota }, (_, n) => n),
    );
    for (const answer of answers) if (answer.status !== 200) assertLimited(answer, quota, 60);
  });
}

Deno.test("an address has sixty requests without a valid token, then 429", async () => {
  await using test = await headless([]);
  const ask = (address: string, token?: string) =>
    test.call("GET", "/api/v1/posts", { address, ...(token !== undefined && { token }) });
  for (let n = 0; n < 60; n++) {
    const answer = await ask("192.0.2.7", n % 2 === 0 ? undefined : "nonsense");
    assertRefused(answer, 401, "UNAUTHENTICATED");
    assertEquals(told(answer), [60, 59 - n, 60]);
  }
  assertLimited(await ask("192.0.2.7"), 60, 60);
  assertEquals((await ask("192.0.2.8")).status, 401, "another address");
  const valid = await ask("192.0.2.7", test.full);
  assertEquals(valid.status, 200, "a valid token has a quota of its own");
  assertEquals(told(valid)[0], 100_000);
  test.context.advance(60_000);
  assertEquals((await ask("192.0.2.7")).status, 401);
});

Deno.test("an IPv6 client is its /64, and X-Forwarded-For is ignored", async () => {
  await using test = await headless([]);
  for (let n = 0; n < 60; n++) {
    await test.call("GET", "/api/v1/posts", {
      address: `2001:db8:1:2::${n.toString(16)}`,
      headers: { "x-forwarded-for": `203.0.113.${n}` },
    });
  }
  const ask = (address: string) => test.call("GET", "/api/v1/posts", { address });
  assertLimited(await ask("2001:db8:1:2:ffff::1"), 60, 60);
  assertEquals((await ask("2001:db8:1:3::1")).status, 401);
});

Deno.test("of many probes at once exactly sixty are answered 401", async () => {
  await using test = await headless([]);
  const answers = await Promise.all(
    Array.from({ length: 90 }, () => test.call("GET", `/api/v1/posts/${NO_ID}`)),
  );
  assertEquals(answers.filter(({ status }) => status === 401).length, 60);
  assertEquals(answers.filter(({ status }) => status === 429).length, 30);
  assertMatch(answers[0]!.headers.get("ratelimit-policy")!, /q=60/);
});
