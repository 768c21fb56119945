/**
 * How often each route asks the store, held against `tests/golden/round_trips.json`. A count that rises
 * fails; one that falls asks for `UPDATE_GOLDEN=1`, which writes the file anew.
 */
import type { StoreCounts } from "../../kv/store/counts.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import type { Call } from "../support/sites/app.ts";
import { type Headless, headless } from "../support/sites/headless.ts";

const GOLDEN = new URL("../golden/round_trips.json", import.meta.url);

type Golden = Record<string, StoreCounts>;

/** A request of the same kind every time; `n` tells them apart. */
type Request = (n: number) => [method: string, path: string, call?: Call];

const FIELDS = [
  { name: "rating", type: "number", indexed: true, sortable: true },
  { name: "code", type: "text", unique: true },
  { name: "related", type: "reference" },
];

/** Every kind of request, over a site of forty posts. */
async function requests(test: Headless): Promise<Record<string, Request>> {
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) {
    ids.push((await test.post({ title: `Post ${n}`, rating: n % 5, code: `c${n}` })).id);
  }
  const { id } = await test.post({ title: "Public", status: "published", related: ids[0]! });
  const etag = (await test.v1("GET", `/posts/${id}`)).headers.get("etag")!;
  const listTag = async () => (await test.v1("GET", "/posts")).headers.get("etag")!;
  const fresh = await listTag();
  return {
    "GET /{collection}": () => ["GET", "/posts"],
    "GET /{collection} sorted and filtered":
      () => ["GET", "/posts?sort=-rating,title&field.rating=3"],
    "GET /{collection} 304": () => ["GET", "/posts", { headers: { "if-none-match": fresh } }],
    "GET /{collection}/{id}": () => ["GET", `/posts/${id}`],
    "GET /{collection}/{id} 304":
      () => ["GET", `/posts/${id}`, { headers: { "if-none-match": etag } }],
    "GET /{collection}/{id} 404": () => ["GET", "/posts/01JD0000000000000000000000"],
    "GET /{collection}/by-slug/{slug}": () => ["GET", "/posts/by-slug/public"],
    "GET 401": () => ["GET", "/posts", { token: "svc_pk_nonsense" }],
    "GET /{collection} 404": () => ["GET", "/nowhere"],
    "OPTIONS": () => ["OPTIONS", "/posts"],
    "POST /{collection}": (n) => ["POST", "/posts", { body: { title: `New ${n}`, code: `n${n}` } }],
    "POST /{collection} published": (n) => [
      "POST",
      "/posts",
      { body: { title: `News ${n}`, status: "published", related: ids[1]! } },
    ],
    "POST /{collection} 422": () => ["POST", "/posts", { body: { title: "", rating: "x" } }],
    "POST /{collection} 409": () => ["POST", "/posts", { body: { title: "T", slug: "public" } }],
    "GET /{collection} right after a write": () => ["GET", "/posts"],
    "PATCH /{collection}/{id}": (
      n,
    ) => ["PATCH", `/posts/${ids[2]}`, { body: { title: `Title ${n}` } }],
    "PATCH /{collection}/{id} slug and unique": (n) => [
      "PATCH",
      `/posts/${ids[3]}`,
      { body: { slug: `slug-${n}`, code: `p${n}` } },
    ],
    "PATCH /{collection}/{id} unchanged":
      () => ["PATCH", `/posts/${ids[4]}`, { body: { rating: 4 } }],
    "DELETE /{collection}/{id}": (n) => ["DELETE", `/posts/${ids[10 + n]}`],
    "DELETE /{collection}/{id} again": () => ["DELETE", `/posts/${ids[10]}`],
    "GET /_meta": () => ["GET", "/_meta"],
  };
}

/** What one warm request costs. */
async function measure(test: Headless, token: string): Promise<Golden> {
  const counts: Golden = {};
  const around = test.context.store.counts;
  for (const [name, request] of Object.entries(await requests(test))) {
    const send = async (n: number) => {
      const [method, path, call = {}] = request(n);
      await test.v1(method, path, { token, ...call });
    };
    const isAfterWrite = name.endsWith("right after a write");
    for (let n = 0; n < 3; n++) await send(n);
    if (isAfterWrite) await test.post({ title: "Between" });
    const before = { ...around };
    await send(3);
    counts[name] = {
      reads: around.reads - before.reads,
      lists: around.lists - before.lists,
      commits: around.commits - before.commits,
    };
  }
  return counts;
}

async function measureAll(): Promise<Golden> {
  const all: Golden = {};
  for (const quotaPerMinute of [999, 100_000]) {
    await using test = await headless(FIELDS);
    const token = await test.token({ quotaPerMinute });
    for (const [name, counts] of Object.entries(await measure(test, token))) {
      all[`${name} (quota ${quotaPerMinute})`] = counts;
    }
  }
  return all;
}

Deno.test("every route asks the store as often as the golden file says", async () => {
  const found = await measureAll();
  if (Deno.env.get("UPDATE_GOLDEN") === "1") {
    await Deno.writeTextFile(GOLDEN, JSON.stringify(found, null, 2) + "\n");
  }
  const golden: Golden = JSON.parse(await Deno.readTextFile(GOLDEN));
  assertEquals(Object.keys(found), Object.keys(golden), "other routes: UPDATE_GOLDEN=1");
  for (const [name, counts] of Object.entries(found)) {
    for (const kind of ["reads", "lists", "commits"] as const) {
      const [now, then] = [counts[kind], golden[name]![kind]];
      assert(now <= then, `${name}: ${now} ${kind} instead of ${then}`);
      assert(
        now === then,
        `${name}: only ${now} ${kind} instead of ${then}; UPDATE_GOLDEN=1 keeps it`,
      );
    }
  }
});
