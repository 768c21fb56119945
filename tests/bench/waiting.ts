/**
 * What people wait for while tens of thousands of publishes do: schedules, a publish of their own, an export, the
 * screen of jobs, on a service as it is started.
 *
 *     deno run -A tests/bench/waiting.ts [publishes]
 *
 * @module
 */
import { createByBulk } from "./bulk_create.ts";
import { articlePool } from "./content/pool.ts";
import { quantile } from "./publish_site.ts";
import { startArticleService, type StartedService } from "./service/started_service.ts";

const PUBLISHES = Number(Deno.args[0] ?? 20_000);
const SCHEDULES = 30;
const PUBLISHED_BY_HAND = 10;
/** The first of the schedules is due after so long, seconds. */
const FIRST_AFTER = 5;
const POLL_INTERVAL_MS = 50;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** A user who is signed in. */
function asking({ origin, cookie }: StartedService) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { cookie, origin, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return await response.text();
  };
}

function create(service: StartedService, name: string, count: number): Promise<string[]> {
  const status = name === "waiting" ? "published" : "draft";
  const bodies = Array.from({ length: count }, (_, n) => {
    const slug = `${name}-${n}`;
    return { ...POSTS.at(n), title: slug, slug, status };
  });
  return createByBulk(service, bodies);
}

/** Milliseconds from a time until a page is there. */
async function untilPage({ origin }: StartedService, slug: string, since: number): Promise<number> {
  for (;;) {
    const response = await fetch(`${origin}/posts/${slug}`);
    await response.body?.cancel();
    if (response.status === 200) return Date.now() - since;
    await pause(POLL_INTERVAL_MS);
  }
}

/** Publishes that wait, by what the screen of jobs says. */
async function screen(ask: ReturnType<typeof asking>): Promise<{ ms: number; says: string }> {
  const startedAt = performance.now();
  const html = await ask("GET", "/admin/jobs");
  const ms = performance.now() - startedAt;
  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return { ms, says: /Time left (.*?\d) ?(?:[A-Z]|$)/.exec(text)?.[1] ?? "nothing waits" };
}

/** Milliseconds until an export that is asked for is in its first step, and until it is done. */
async function exportSite(ask: ReturnType<typeof asking>) {
  const askedAt = performance.now();
  const { jobId } = JSON.parse(await ask("POST", "/api/admin/exports", {}));
  let begunMs = 0;
  for (;;) {
    const { state, step } = JSON.parse(await ask("GET", `/api/admin/jobs/${jobId}`));
    const ms = performance.now() - askedAt;
    if (begunMs === 0 && step !== null) begunMs = ms;
    if (state === "done") return { begunMs, doneMs: ms };
    await pause(POLL_INTERVAL_MS);
  }
}

const service = await startArticleService();
const POSTS = articlePool(service.targets);
try {
  const ask = asking(service);
  const scheduled = await create(service, "scheduled", SCHEDULES);
  const byHand = await create(service, "by-hand", PUBLISHED_BY_HAND);
  const loadedAt = performance.now();
  await create(service, "waiting", PUBLISHES);
  const loadSeconds = (performance.now() - loadedAt) / 1000;
  const before = await screen(ask);
  const [measuredAt, cpuBefore] = [performance.now(), await service.processorSeconds()];
  const first = Math.ceil(Date.now() / 1000) + FIRST_AFTER;
  const late = scheduled.map(async (id, n) => {
    const publishAt = first + n;
    await ask("POST", `/api/admin/documents/${id}/schedule`, { publishAt });
    await pause(publishAt * 1000 - Date.now());
    return await untilPage(service, `scheduled-${n}`, publishAt * 1000);
  });
  const { begunMs, doneMs } = await exportSite(ask);
  const own: number[] = [];
  for (const [n, id] of byHand.entries()) {
    const since = Date.now();
    await ask("POST", `/api/admin/documents/${id}/publish`);
    own.push(await untilPage(service, `by-hand-${n}`, since));
    await pause(1_000);
  }
  const lateMs = await Promise.all(late);
  const after = await screen(ask);
  const seconds = (performance.now() - measuredAt) / 1000;
  const cpuSeconds = await service.processorSeconds() - cpuBefore;
  console.table({
    [`${PUBLISHES} publishes, loaded in ${loadSeconds.toFixed(0)} s`]: {
      "schedule: page after its time, ms, p50": quantile(lateMs, 0.5),
      "most": Math.max(...lateMs),
      "publish by hand: page after, ms, p50": quantile(own, 0.5),
      "most ": Math.max(...own),
      "export begun after, ms": begunMs.toFixed(0),
      "done after, ms": doneMs.toFixed(0),
      "screen of jobs, ms": before.ms.toFixed(0),
    },
  });
  console.log(`Schedules: ${lateMs.join(" ")}\nBy hand: ${own.join(" ")}`);
  console.log(`At first: ${before.says}\nIn the end: ${after.says}`);
  console.log(`Of the processors ${(cpuSeconds / seconds).toFixed(2)}`);
  console.log(`Load of the machine ${Deno.loadavg()[0]!.toFixed(1)}`);
} finally {
  await service.stop();
}
