/** Times of one document that are due together take effect in their order, whichever job runs first. */
import { releaseScheduleId } from "../../../kv/releases/release_schedule.ts";
import { jobKey } from "../../../kv/jobs/job_keys.ts";
import { jobDueKey } from "../../../kv/jobs/due.ts";
import { dropJob, scheduleJobId } from "../../../kv/jobs/jobs.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { type ReleaseSite, releaseSite, runnerOf } from "../../support/sites/release_site.ts";

const seconds = ({ test }: ReleaseSite) => Math.floor(test.context.now() / 1_000);

async function schedule(site: ReleaseSite, id: string, times: Record<string, Json>) {
  await site.want(200, "POST", `/documents/${id}/schedule`, times);
}

/** Lets the clock pass and both of two processes do what is due. */
async function pass(site: ReleaseSite, secondsPassed: number, processes = 1): Promise<void> {
  site.test.context.advance(secondsPassed * 1_000);
  const others = Array.from({ length: processes - 1 }, () => runnerOf(site));
  for (let round = 0; round < 4; round++) {
    await Promise.all([site.test.runner, ...others].map((runner) => runner.drain()));
    site.test.context.advance(1_000);
  }
}

async function statusOf(site: ReleaseSite, id: string): Promise<Json> {
  const { status, unpublishAt = null } = await site.want(200, "GET", `/documents/${id}`);
  return [status, unpublishAt];
}

for (const [processes, count] of [[1, 1], [1, 3], [1, 40], [2, 3]] as const) {
  Deno.test(`${count} documents whose start and end both passed while ${processes} processes were down are drafts`, async () => {
    await using site = await releaseSite();
    const start = seconds(site) + 20;
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await site.post(`Both ${n}`, { body: "text" }));
    for (const id of ids) await schedule(site, id, { publishAt: start, unpublishAt: start + 2 });

    await pass(site, 25, processes);

    for (const id of ids) assertEquals(await statusOf(site, id), ["draft", null]);
  });
}

Deno.test("the end job that runs before a failed start decides for both", async () => {
  await using site = await releaseSite();
  const start = seconds(site) + 20;
  const id = await site.post("Retried", { body: "text" });
  await schedule(site, id, { publishAt: start, unpublishAt: start + 2 });
  const { store } = site.test.context;
  // The start waits in its retry lane.
  const startJob = scheduleJobId(id, start);
  const record = (await store.get<{ dueAt: number }>(jobKey(startJob))).value!;
  const operation = new Operation();
  dropJob(operation, "SCHEDULE", startJob, record.dueAt);
  await store.commit(operation);

  await pass(site, 25);

  assertEquals(await statusOf(site, id), ["draft", null]);
});

Deno.test("a document is published before its end, and unpublished a second later", async () => {
  await using site = await releaseSite();
  const start = seconds(site) + 20;
  const id = await site.post("Short", { body: "text" });
  await schedule(site, id, { publishAt: start, unpublishAt: start + 1 });

  site.test.context.advance(start * 1_000 - site.test.context.now());
  await site.test.runner.drain();
  assertEquals(await statusOf(site, id), ["published", start + 1]);
  await pass(site, 1);
  assertEquals(await statusOf(site, id), ["draft", null]);
});

Deno.test("an end that is kept cannot come before a later start", async () => {
  await using site = await releaseSite();
  const now = seconds(site);
  const id = await site.post("Moved", { body: "text" });
  await schedule(site, id, { publishAt: now + 10, unpublishAt: now + 20 });
  const { error } = await site.want(422, "POST", `/documents/${id}/schedule`, {
    publishAt: now + 30,
  });
  assertEquals(error.details[0].field, "publishAt");
});

Deno.test("publishing by hand after the end has passed begins a publication without end", async () => {
  await using site = await releaseSite();
  const now = seconds(site);
  const id = await site.post("By hand", { body: "text" });
  await schedule(site, id, { publishAt: now + 10, unpublishAt: now + 20 });
  site.test.context.advance(25_000);
  await site.want(202, "POST", `/documents/${id}/publish`);
  await pass(site, 1);
  assertEquals(await statusOf(site, id), ["published", null]);
});

/** A document, times and a release that are all due at once;. */
const OF_RELEASE: {
  name: string;
  times: Record<string, number>;
  release: number;
  action: "publish" | "unpublish";
  ends: string;
}[] = [
  {
    name: "release, then end",
    times: { unpublishAt: 30 },
    release: 20,
    action: "publish",
    ends: "draft",
  },
  {
    name: "end, then release",
    times: { unpublishAt: 20 },
    release: 30,
    action: "publish",
    ends: "published",
  },
  {
    name: "start, then release that unpublishes",
    times: { publishAt: 20 },
    release: 30,
    action: "unpublish",
    ends: "draft",
  },
  {
    name: "release that unpublishes, then start",
    times: { publishAt: 30 },
    release: 20,
    action: "unpublish",
    ends: "published",
  },
  {
    name: "start, release, end",
    times: { publishAt: 20, unpublishAt: 40 },
    release: 30,
    action: "publish",
    ends: "draft",
  },
  {
    name: "start, end, release",
    times: { publishAt: 20, unpublishAt: 30 },
    release: 40,
    action: "publish",
    ends: "published",
  },
];

for (const { name, times, release, action, ends } of OF_RELEASE) {
  for (const late of ["release", "document"]) {
    Deno.test(`${name}: in this order, although the jobs of the ${late} run last`, async () => {
      await using site = await releaseSite();
      const now = seconds(site);
      const isScheduled = times.publishAt !== undefined;
      const status = isScheduled ? "draft" : "published";
      const id = await site.post("Due", { body: "text", status });
      const moved = Object.entries(times).map(([time, at]) => [time, now + at]);
      await schedule(site, id, Object.fromEntries(moved));
      const releaseId = await site.release("Spring", { [id]: action });
      await site.want(200, "PATCH", `/releases/${releaseId}`, { publishAt: now + release });
      await site.test.runner.drain();
      site.test.context.advance(50_000);
      await hold(
        site,
        late === "release" ? [releaseScheduleId(releaseId, now + release)] : [
          ...(isScheduled ? [scheduleJobId(id, now + times.publishAt!)] : []),
          ...(times.unpublishAt ? [scheduleJobId(`${id} end`, now + times.unpublishAt)] : []),
        ],
      );

      await pass(site, 5);

      assertEquals(await statusOf(site, id), [ends, null]);
    });
  }
}

/** Has jobs that are due wait for two seconds more, as after a failed step. */
async function hold({ test: { context } }: ReleaseSite, ids: string[]): Promise<void> {
  for (const id of ids) {
    const { value } = await context.store.get<Parameters<typeof jobDueKey>[0] & { type: string }>(
      jobKey(id),
    );
    assert(value !== null, "the job is there");
    const later = { ...value, dueAt: context.now() + 2_000 };
    const operation = new Operation().delete(jobDueKey(value)).set(jobKey(id), later)
      .set(jobDueKey(later), value.type);
    await context.store.commit(operation);
  }
}

Deno.test("a version whose end of publication has passed comes back as a draft", async () => {
  await using site = await releaseSite();
  const id = await site.post("Ended", { body: "text", status: "published" });
  const end = seconds(site) + 10;
  await schedule(site, id, { unpublishAt: end });
  const before = seconds(site);
  const { data: [version] } = await site.want(200, "GET", `/versions/document/${id}`);
  await pass(site, 20);
  assertEquals(await statusOf(site, id), ["draft", null]);

  await site.want(200, "POST", `/versions/${version.id}/restore`);
  assertEquals(await statusOf(site, id), ["draft", null], "it is not public for a moment");

  await site.want(202, "POST", "/restore", { timestamp: before });
  await pass(site, 20);
  assertEquals(await statusOf(site, id), ["draft", null]);
});
