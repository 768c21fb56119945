/**
 * A backlog of publishes on a started service: how fast it goes, and what requests beside it notice, where jobs have
 * a thread of their own and where they have none.
 *
 *     deno run -A tests/bench/backlog.ts [documents] [seconds]
 *
 * @module
 */
import { createByBulk } from "./bulk_create.ts";
import { articlePool, rawRequest } from "./content/pool.ts";
import { sendLoad } from "./service/load.ts";
import { startArticleService, type StartedService } from "./service/started_service.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 6_000);
const SECONDS = Number(Deno.args[1] ?? 8);
/** Between an answer and the next request, milliseconds. */
const PAUSE_MS = 5;
/** Requests that are made ready; more than are sent. */
const REQUESTS = 4_000;
/** A backlog may take so long, milliseconds. */
const BACKLOG_MS_MAX = 1_200_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
/** Their authors and pictures are left out: each service has others. */
const POSTS = articlePool();
let unique = 0;

/** Creates documents; answers their ids. */
function create(service: StartedService, status: string, count: number): Promise<string[]> {
  const bodies = Array.from({ length: count }, () => (
    { ...POSTS.at(unique), title: `Marker ${status} ${unique++}`, status }
  ));
  return createByBulk(service, bodies);
}

/** Documents that are searchable: publishing ends with that. */
async function searchable({ origin }: StartedService): Promise<number> {
  const response = await fetch(`${origin}/api/v1/search?q=marker&perPage=1`);
  return (await response.json()).meta.total;
}

/** Waits until so many are; answers for how long, seconds. */
async function published(service: StartedService, count: number): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < BACKLOG_MS_MAX) {
    if (await searchable(service) >= count) return (performance.now() - startedAt) / 1000;
    await pause(1_500);
  }
  throw new Error("The backlog does not end");
}

/** What requests notice that are made one after the other, reads and writes on a connection each. */
async function noticed(service: StartedService, ids: string[]): Promise<Record<string, string>> {
  const request = (method: string, id: string, body?: unknown) =>
    rawRequest(method, `/api/v1/posts/${id}`, { token: service.token, body });
  const requests = (make: (id: string) => string) =>
    Array.from({ length: REQUESTS }, (_, n) => make(ids[n % ids.length]!));
  await service.lagMs();
  const [reads, writes] = await Promise.all([
    sendLoad(service.port, 1, SECONDS, requests((id) => request("GET", id)), { pauseMs: PAUSE_MS }),
    sendLoad(
      service.port,
      1,
      SECONDS,
      requests((id) => request("PATCH", id, { body: POSTS.at(unique++).body })),
      { pauseMs: PAUSE_MS },
    ),
  ]);
  const lagMs = await service.lagMs();
  return {
    "read p50, ms": reads.p50Ms.toFixed(1),
    "read p99": reads.p99Ms.toFixed(1),
    "write p50": writes.p50Ms.toFixed(1),
    "write p99": writes.p99Ms.toFixed(1),
    "longest delay of the event loop": lagMs.toFixed(0),
  };
}

async function backlog(variables: Record<string, string>): Promise<Record<string, unknown>[]> {
  const service = await startArticleService(variables);
  try {
    const drafts = await create(service, "draft", 200);
    await noticed(service, drafts);
    const idle = await noticed(service, drafts);
    let before = await service.processorSeconds();
    await create(service, "published", DOCUMENTS);
    const written = await service.processorSeconds();
    const already = await searchable(service);
    const seconds = await published(service, DOCUMENTS);
    const alone = {
      "publishes/s": ((DOCUMENTS - already) / seconds).toFixed(0),
      "processor ms each, with its write":
        ((await service.processorSeconds() - before) / DOCUMENTS *
          1000).toFixed(2),
      "of that the write, at most": ((written - before) / DOCUMENTS * 1000).toFixed(2),
    };
    await pause(3_000);
    before = await service.processorSeconds();
    await create(service, "published", DOCUMENTS);
    const first = await searchable(service);
    const startedAt = performance.now();
    const beside = await noticed(service, drafts);
    const last = await searchable(service);
    const rate = (last - first) / (performance.now() - startedAt) * 1000;
    return [idle, alone, {
      ...beside,
      "publishes/s": rate.toFixed(0),
      left: 2 * DOCUMENTS - last,
      "memory, MB": await service.memory(),
    }];
  } finally {
    await service.stop();
  }
}

for (
  const [name, variables] of Object.entries({
    "a thread for jobs": { JOBS_THREAD: "1" },
    "none": { JOBS_THREAD: "0" },
  })
) {
  const [idle, alone, beside] = await backlog(variables);
  console.log(name);
  console.table({ idle, [`${DOCUMENTS} publishes`]: alone, "beside requests": beside });
}
