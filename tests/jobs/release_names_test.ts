/** Releases whose documents take over slugs and unique values from one another. */
import { currentKey, slugKey } from "../../kv/keys.ts";
import { commitOrders } from "../../kv/releases/commit_order.ts";
import { keyText } from "../../kv/store/operation.ts";
import { assert, assertEquals, assertMatch } from "../support/harness/assert.ts";
import { HookedDriver, Killed } from "../support/stores/hooked_driver.ts";
import { type ReleaseSite, releaseSite, runnerOf } from "../support/sites/release_site.ts";
import { isWholeRun } from "../support/harness/whole_run.ts";

/** A process dies at one of so many calls; in a whole run at each. */
const CALLS_PER_DEATH = isWholeRun ? 1 : 5;

/** Published documents in an open release, each to have another slug and SKU than now. */
async function renaming(site: ReleaseSite, names: Record<string, string>) {
  const ids: Record<string, string> = {};
  for (const name of Object.keys(names)) {
    ids[name] = await site.post(name, { status: "published", body: name, sku: name });
  }
  await site.test.runner.drain();
  const actions = Object.values(ids).map((id) => [id, "publish"] as const);
  const release = await site.release("Spring", Object.fromEntries(actions));
  for (const [name, slug] of Object.entries(names)) {
    const path = `/documents/${ids[name]}/working-copy`;
    await site.want(200, "PATCH", path, { slug, sku: slug });
  }
  return { ids, release };
}

/** The slug and SKU of each document in public. */
async function namesOf(site: ReleaseSite, ids: Record<string, string>) {
  const found: Record<string, string> = {};
  for (const [name, id] of Object.entries(ids)) {
    const { slug, sku } = await site.want(200, "GET", `/documents/${id}`);
    assertEquals(slug, sku);
    found[name] = slug;
  }
  return found;
}

/** The words on the page at an address, or where it leads. */
async function pageAt({ test }: ReleaseSite, path: string): Promise<string> {
  const answer = await test.call("GET", path);
  return answer.headers.get("location") ?? /<h1[^>]*>([^<]*)/.exec(answer.text)?.[1] ?? "nothing";
}

Deno.test("turnsOf() lets those go first that give a name up, and rings together", () => {
  const turns = commitOrders(
    new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", []],
      ["x", ["y"]],
      ["y", ["x"]],
      ["z", ["x", "c"]],
    ]),
  );
  assertEquals(Object.fromEntries(turns), {
    a: { turn: 2, ring: [] },
    b: { turn: 1, ring: [] },
    c: { turn: 0, ring: [] },
    x: { turn: 0, ring: ["x", "y"] },
    y: { turn: 0, ring: ["x", "y"] },
    z: { turn: 3, ring: [] },
  });
});

Deno.test("two documents of a release swap slugs and unique values, and swap them back", async () => {
  await using site = await releaseSite();
  const { ids, release } = await renaming(site, { one: "two", two: "one" });
  const check = await site.want(200, "GET", `/releases/${release}/check`);
  assertEquals(check.ok, true, JSON.stringify(check));
  assertEquals((await site.run(release, "publish")).state, "done");
  assertEquals(await namesOf(site, ids), { one: "two", two: "one" });
  assertEquals(await pageAt(site, "/posts/one"), "two");
  assertEquals(await pageAt(site, "/posts/two"), "one");
  const back = await site.run(release, "revert");
  assertEquals([back.state, back.error], ["done", null]);
  assertEquals(await namesOf(site, ids), { one: "one", two: "two" });
  assertEquals(await pageAt(site, "/posts/one"), "one");
  assertEquals(await pageAt(site, "/posts/two"), "two");
  const copy = await site.want(200, "GET", `/documents/${ids.one}/working-copy`);
  assertEquals([copy.slug, copy.sku], ["two", "two"]);
});

Deno.test("a chain moves on by one, and what its first had leads to it", async () => {
  await using site = await releaseSite();
  const names = { one: "two", two: "three", three: "four" };
  const { ids, release } = await renaming(site, names);
  assertEquals((await site.run(release, "publish")).state, "done");
  assertEquals(await namesOf(site, ids), names);
  assertEquals(await pageAt(site, "/posts/one"), "/posts/two");
  assertEquals(await pageAt(site, "/posts/two"), "one");
  assertEquals(await pageAt(site, "/posts/four"), "three");
  assertEquals((await site.run(release, "revert")).state, "done");
  assertEquals(await namesOf(site, ids), { one: "one", two: "two", three: "three" });
  assertEquals(await pageAt(site, "/posts/one"), "one");
  assertEquals(await pageAt(site, "/posts/four"), "/posts/three");
});

Deno.test("a cycle of any length is released, together with a chain", async () => {
  await using site = await releaseSite();
  const names: Record<string, string> = {};
  for (let n = 0; n < 15; n++) names[`ring-${n}`] = `ring-${(n + 1) % 15}`;
  for (let n = 0; n < 5; n++) names[`chain-${n}`] = `chain-${n + 1}`;
  const { ids, release } = await renaming(site, names);
  assertEquals((await site.run(release, "publish")).state, "done");
  assertEquals(await namesOf(site, ids), names);
  assertEquals((await site.run(release, "revert")).state, "done");
  const own = Object.keys(names).map((name) => [name, name]);
  assertEquals(await namesOf(site, ids), Object.fromEntries(own));
});

Deno.test("a change that is made while a swap is committed is kept", async () => {
  await using site = await releaseSite();
  const { ids, release } = await renaming(site, { one: "two", two: "one" });
  await site.want(202, "POST", `/releases/${release}/publish`);
  const driver = new HookedDriver(site.test.context.store.driver);
  const swapped = keyText(currentKey("document", ids.one!));
  const { commit } = driver;
  let changes = 0;
  driver.commit = async (operation) => {
    const isSwap = operation.sets.some(({ key }) => keyText(key) === swapped);
    if (isSwap && changes++ === 0) {
      await site.want(200, "PATCH", `/documents/${ids.one}`, { body: "typed since" });
    }
    return await commit.call(driver, operation);
  };
  await runnerOf(site, driver).drain();
  assert(changes > 1, "the swap was tried again");
  assertEquals(await namesOf(site, ids), { one: "two", two: "one" });
  assertEquals((await site.seen(ids.one!))[2], "typed since");
});

/** Publishes a swap in a process that dies at call `n` of the store; whether it came so far. */
async function swapDyingAt(n: number, when: "before" | "after"): Promise<boolean> {
  await using site = await releaseSite();
  const { ids, release } = await renaming(site, { one: "two", two: "one", three: "four" });
  const { jobId } = await site.want(202, "POST", `/releases/${release}/publish`);
  const collection = (await site.want(200, "GET", "/collections/posts")).id;
  const holders = async () => {
    const keys = ["one", "two"].map((slug) => slugKey(collection, slug));
    return (await site.test.context.store.getMany(keys)).map(({ value }) => value);
  };
  const [before, after] = [[ids.one, ids.two], [ids.two, ids.one]];
  let dead = false;
  const survivor = runnerOf(site);
  const dying = new HookedDriver(site.test.context.store.driver);
  dying.hook = (calls, at) => {
    if (!dead && !(calls === n && at === when)) return;
    dead = true;
    throw new Killed();
  };
  await runnerOf(site, dying).drain().catch(() => {});
  // No slug lacks its document, and no slug leads to two.
  const found = JSON.stringify(await holders());
  assert([before, after].some((one) => JSON.stringify(one) === found), `${n} ${when}: ${found}`);
  for (let turn = 0; turn < 6; turn++) {
    site.test.context.advance(1_000_000);
    await survivor.drain();
  }
  assertEquals((await site.want(200, "GET", `/jobs/${jobId}`)).state, "done");
  assertEquals(await namesOf(site, ids), { one: "two", two: "one", three: "four" });
  assertEquals(await pageAt(site, "/posts/one"), "two");
  assertEquals(await pageAt(site, "/posts/two"), "one");
  assertEquals(await site.test.context.store.listAll({ prefix: ["release_part"] }), []);
  return dead;
}

Deno.test("a process that dies anywhere in a swap leaves each address to one document", async () => {
  for (const when of ["before", "after"] as const) {
    let n = 1;
    while (n < 60 && await swapDyingAt(n, when)) n += CALLS_PER_DEATH;
    assert(n > 10, `the job made only ${n} calls`);
  }
});

Deno.test("a name that is taken between the check and the commits swaps back what has swapped", async () => {
  await using site = await releaseSite();
  const swap = { one: "two", two: "one" };
  const chain = { three: "four", four: "five", five: "six" };
  const { ids, release } = await renaming(site, { ...swap, ...chain });
  await site.want(200, "PATCH", `/documents/${ids.three}/working-copy`, { sku: "wanted" });
  const { jobId } = await site.want(202, "POST", `/releases/${release}/publish`);
  // The last of the chain meets it, when all others have moved.
  await site.post("Taker", { body: "x", sku: "wanted" });
  await site.test.runner.drain();
  const job = await site.want(200, "GET", `/jobs/${jobId}`);
  assertEquals(job.state, "failed");
  assertMatch(job.error, /sku: Another document has this value/);
  const own = { one: "one", two: "two", three: "three", four: "four", five: "five" };
  assertEquals(await namesOf(site, ids), own);
  for (const name of Object.keys(own)) assertEquals(await pageAt(site, `/posts/${name}`), name);
  assertEquals((await site.want(200, "GET", `/releases/${release}`)).state, "open");
});

Deno.test("who takes part in a swap and is changed after the check keeps all of it from going", async () => {
  await using site = await releaseSite();
  const { ids, release } = await renaming(site, { one: "two", two: "one" });
  await site.want(202, "POST", `/releases/${release}/publish`);
  await site.want(202, "POST", `/documents/${ids.two}/unpublish`);
  await site.test.runner.drain();
  assertEquals(await namesOf(site, ids), { one: "one", two: "two" });
  const { state, reason } = await site.want(200, "GET", `/releases/${release}`);
  assertEquals(state, "open");
  assertMatch(reason, /slug is already used/);
});

Deno.test("a working copy may want what a document of the same open release has, and nothing else", async () => {
  await using site = await releaseSite();
  const one = await site.post("One", { status: "published", body: "x", sku: "1" });
  const two = await site.post("Two", { status: "published", body: "x", sku: "2" });
  const path = `/documents/${one}/working-copy`;
  await site.want(409, "PATCH", path, { slug: "two" });
  await site.want(422, "PATCH", path, { sku: "2" });
  const release = await site.release("Spring", { [one]: "publish" });
  await site.want(409, "PATCH", path, { slug: "two" });
  await site.want(200, "PUT", `/releases/${release}/documents/${two}`, { action: "publish" });
  await site.want(200, "PATCH", path, { slug: "two", sku: "2" });
  // By itself it does not go, and in the release only when the other makes room.
  await site.want(409, "POST", `/documents/${one}/publish`);
  const { documents } = await site.want(200, "GET", `/releases/${release}/check`);
  const errors = documents.map((one: { errors: { field: string; code: string }[] }) =>
    one.errors.map(({ field, code }) => [field, code])
  );
  assertEquals(errors, [[["slug", "SLUG_CONFLICT"], ["sku", "NOT_UNIQUE"]], []]);
  await site.want(422, "POST", `/releases/${release}/publish`);
  await site.want(200, "PATCH", `/documents/${two}/working-copy`, { slug: "new", sku: "3" });
  assertEquals((await site.run(release, "publish")).state, "done");
  assertEquals((await site.want(200, "GET", `/documents/${one}`)).slug, "two");
});
