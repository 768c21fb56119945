/**
 * Writing over HTTP to a started service: drafts created and patched, and published documents patched, with the
 * processor time that each takes of the service, beside one commit of as many rows behind a bare route. Each published
 * document is patched once a round, and a round ends when the last job that it set off has ended.
 *
 *     BENCH_SECONDS=3 deno run -A tests/bench/writing.ts [documents] [rounds] [drafts]
 *
 * With `drafts` nothing is published.
 *
 * @module
 */
import { articlePool, rawRequest } from "./content/pool.ts";
import { createByBulk } from "./bulk_create.ts";
import { type LoadResult, NUMBER, sendLoad } from "./service/load.ts";
import { quantile } from "./publish_site.ts";
import { waitUntilIdle } from "./service/idle.ts";
import { startArticleService, type StartedService } from "./service/started_service.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 2_000);
const ROUNDS = Number(Deno.args[1] ?? 5);
const PUBLISHES = Deno.args[2] !== "drafts";
const SECONDS = Number(Deno.env.get("BENCH_SECONDS") ?? 3);
const CONNECTIONS = [4, 64];
/** How long at most a service is waited for that has no jobs to do, milliseconds. */
const SETTLED_MS_MAX = 120_000;

/** One round of a row of the table. */
interface Round {
  perSecond: number;
  p99Ms: number;
  /** Of one request. */
  processorMs: number;
  /** The same of the bare route a moment before: both had the same machine. */
  bareMs: number;
  /** With the jobs that the requests left behind. */
  allIncludedMs: number;
  /** From the last answer to the end of the last job, milliseconds. */
  behindMs: number;
  statuses: string;
}

const rows = new Map<string, Round[]>();
let unique = 0;
/** Of the last round of the bare route. */
let bareMs = 0;

const service = await startArticleService();
const POSTS = articlePool(service.targets);
try {
  const drafts = await create("draft");
  const published = PUBLISHES ? await create("published") : [];
  await waitUntilIdle(service);
  // Every request is another one: a patch that changes nothing writes nothing.
  const patch = (ids: string[]) =>
    ids.map((id, n) => {
      const { body } = POSTS.at(n);
      return request("PATCH", `/api/v1/posts/${id}`, { summary: `Version ${NUMBER}`, body });
    });
  let turn = 0;
  const rate = (ids: string[]) => {
    turn += 1;
    return ids.map((id, n) =>
      request("PATCH", `/api/v1/posts/${id}`, { rating: (n + turn) % 50 / 10 })
    );
  };
  const creations = POSTS.items.map((post) =>
    request("POST", "/api/v1/posts", { ...post, title: `Created ${NUMBER}` })
  );
  for (let round = 0; round <= ROUNDS; round++) {
    // The first round compiles the code, and gives the heap its size.
    if (round === 1) rows.clear();
    for (const connections of CONNECTIONS) {
      await bare(connections);
      await measure("create a draft", connections, creations);
      await measure("patch a draft", connections, patch(drafts));
      if (!PUBLISHES) continue;
      await measure("patch a text of what is published", connections, patch(published), 0);
      await measure("patch a number of it", connections, rate(published), 0);
    }
  }
} finally {
  await service.stop();
}
console.table(Object.fromEntries([...rows].map(([name, rounds]) => [name, rowOf(rounds)])));

/** Medians, and the least processor time of a round: what others take of the machine makes the rest of it more. */
function rowOf(rounds: Round[]): Record<string, string> {
  const median = (of: (round: Round) => number) => quantile(rounds.map(of), 0.5);
  const each = rounds.map((round) => round.processorMs);
  return {
    "per second": median((round) => round.perSecond).toFixed(0),
    "p99, ms": median((round) => round.p99Ms).toFixed(1),
    "processor ms": median((round) => round.processorMs).toFixed(2),
    "least": Math.min(...each).toFixed(2),
    "times bare": median((round) => round.processorMs / round.bareMs).toFixed(1),
    "with the jobs behind": median((round) => round.allIncludedMs).toFixed(2),
    "jobs end after, s": median((round) => round.behindMs / 1000).toFixed(1),
    statuses: [...new Set(rounds.map((round) => round.statuses))].join(),
  };
}

function request(method: string, path: string, body: unknown): string {
  return rawRequest(method, path, { token: service.token, body });
}

/** Creates documents; answers their ids. */
function create(status: string): Promise<string[]> {
  const bodies = Array.from({ length: DOCUMENTS }, () => (
    { ...POSTS.at(unique), title: `${status} ${unique++}`, status }
  ));
  return createByBulk(service, bodies);
}

/** Waits until the service is idle; returns the processor time used until then, seconds. */
async function settled({ processorSeconds }: StartedService): Promise<number> {
  const until = performance.now() + SETTLED_MS_MAX;
  let [before, quiet] = [await processorSeconds(), 0];
  while (quiet < 3 && performance.now() < until) {
    await new Promise((done) => setTimeout(done, 500));
    const now = await processorSeconds();
    quiet = now - before < 0.03 ? quiet + 1 : 0;
    before = now;
  }
  return before;
}

/** Sends requests for some seconds; with 0 each of them once. */
async function measure(
  work: string,
  connections: number,
  requests: string[],
  seconds = SECONDS,
): Promise<void> {
  const before = await settled(service);
  const result = await sendLoad(service.port, connections, seconds, requests, {
    firstNumber: unique,
  });
  unique += result.requests;
  const processorMs = (await service.processorSeconds() - before) * 1000;
  const behindMs = await waitUntilIdle(service);
  const allIncludedMs = (await service.processorSeconds() - before) * 1000;
  add(`${work} (${connections})`, result, { processorMs, allIncludedMs, behindMs });
}

/** What the service took for the requests, for the jobs behind them too, and for how long. */
type Costs = Record<"processorMs" | "allIncludedMs" | "behindMs", number>;

function add(
  name: string,
  { requests, perSecond, p99Ms, statuses }: LoadResult,
  { processorMs, allIncludedMs, behindMs }: Costs,
): void {
  const ownMs = processorMs / requests;
  if (name.startsWith("bare")) bareMs = ownMs;
  const round = {
    perSecond,
    p99Ms,
    processorMs: ownMs,
    bareMs,
    allIncludedMs: allIncludedMs / requests,
    behindMs,
    statuses: Object.keys(statuses).join(),
  };
  rows.set(name, [...rows.get(name) ?? [], round]);
}

/** The same load on the bare route of `bare_commits.ts`. */
async function bare(connections: number): Promise<void> {
  const script = new URL("./bare_commits.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--unstable-kv", "--no-check", script, service.folder],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const port = Number((await lines.read()).value);
  const result = await sendLoad(port, connections, SECONDS, [
    ...POSTS.items.map((post) => request("POST", "/bare", { body: JSON.stringify(post.body) })),
  ]);
  await child.stdin.close();
  const processorMs = Number((await lines.read()).value);
  await lines.cancel();
  await child.status;
  add(`bare (${connections})`, result, { processorMs, allIncludedMs: processorMs, behindMs: 0 });
}
