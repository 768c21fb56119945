/**
 * `/api/admin/jobs`: lists background jobs, retries failed ones and cancels others.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { cancelJob } from "../../../kv/jobs/cancel_job.ts";
import { JobPages } from "../../../kv/jobs/job_pages.ts";
import { getJob, retryJob } from "../../../kv/jobs/jobs.ts";
import { jobRuns } from "../../../kv/jobs/job_runs.ts";
import { isJobState, JOB_STATES, jobWire } from "../../../kv/jobs/job.ts";
import { isJobType, JOB_TYPES } from "../../../kv/jobs/job_contracts.ts";
import { mayReadSubjects, visibleJob } from "../../../kv/jobs/visible_results.ts";
import { listLostValues } from "../../../kv/schema/lost_values.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { refuseMisspelled } from "../../query/parameters.ts";
import { parseTogether } from "../../query/read_together.ts";
import { parsePaging } from "../../query/paging.ts";
import { may } from "../admin_env.ts";

/** Dependencies of these routes. */
export interface JobDeps extends Pick<Deps, "content"> {
  people: Pick<Deps["people"], "access">;
}

/** Jobs: list, read, retry, cancel. */
export function jobRoutes({ content: { context }, people }: JobDeps): Hono<AdminEnv> {
  const pages = new JobPages(context.store);
  return new Hono<AdminEnv>()
    .get("/", may("jobs.read"), async (c) => {
      const params = new URL(c.req.url).searchParams;
      const paging = parsePaging(params);
      const { jobs, total } = await pages.read({ ...paging, ...parseFilters(params) });
      const seen = jobs.map((job) => jobWire(visibleJob(job, c.get("session"))));
      return c.json({ data: seen, meta: { ...paging, total } });
    })
    .get(
      "/:id",
      may("jobs.read"),
      async (c) => {
        const job = await getJob(context.store, c.req.param("id"));
        const runs = await jobRuns(context.store, job);
        const seen = jobWire(visibleJob(job, c.get("session")));
        return c.json({ ...seen, ...(runs !== null && { runs }) });
      },
    )
    .get("/:id/lost", may("jobs.read"), async (c) => {
      const job = await getJob(context.store, c.req.param("id"));
      if (!mayReadSubjects(job, c.get("session"))) throw new Refusal("FORBIDDEN");
      const { id } = job;
      const paging = parsePaging(new URL(c.req.url).searchParams);
      const { data, total } = await listLostValues(context.store, id, paging);
      return c.json({ data, meta: { ...paging, total } });
    })
    .post(
      "/:id/retry",
      may("jobs.manage"),
      async (c) => {
        const job = await retryJob(context, c.req.param("id"));
        return c.json(jobWire(visibleJob(job, c.get("session"))));
      },
    )
    .post("/:id/cancel", may("jobs.manage"), async (c) => {
      const { users } = await people.access.current();
      const by = users.get(c.get("session").userId)?.displayName ?? "an administrator";
      const job = await cancelJob(context, c.req.param("id"), by);
      return c.json(jobWire(visibleJob(job, c.get("session"))));
    });
}

function parseFilters(params: URLSearchParams) {
  refuseMisspelled(params.keys(), ["type", "state"]);
  const [type, state] = parseTogether(
    () => parseChoice(params, "type", JOB_TYPES, isJobType),
    () => parseChoice(params, "state", JOB_STATES, isJobState),
  );
  return { ...(type !== null && { type }), ...(state !== null && { state }) };
}

function parseChoice<T extends string>(
  params: URLSearchParams,
  field: string,
  choices: readonly T[],
  isOne: (text: string) => text is T,
): T | null {
  const text = params.get(field);
  if (text === null || isOne(text)) return text;
  throw invalid(field, "INVALID_FILTER_VALUE", `Must be one of ${choices.join(", ")}`);
}
