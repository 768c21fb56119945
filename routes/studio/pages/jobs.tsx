/**
 * What is done in the background: by state and type, step by step, with another try for what has failed.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { getJob, listJobs } from "../../../kv/jobs.ts";
import { isFinished, type JobRecord, jobWire } from "../../../kv/model/job.ts";
import { isJobState, isJobType, JOB_STATES, JOB_TYPES } from "../../../kv/model/job_type.ts";
import type { Store } from "../../../kv/store/store.ts";
import { may } from "../../admin/admin_env.ts";
import type { Deps } from "../../deps.ts";
import { parsePaging } from "../../v1/list_query.ts";
import { Pages } from "../components/pages.tsx";
import { JobBadge } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { ListState } from "../list_state.ts";
import { page } from "../page.tsx";
import type { StudioContext, StudioEnv, Visit } from "../studio_env.ts";

/** `/jobs` and `/jobs/:id`. */
export function jobPages({ content: { context } }: Deps): Hono<StudioEnv> {
  return new Hono<StudioEnv>()
    .get("/jobs", may("jobs.read"), (c) => jobList(context.store, c))
    .get("/jobs/:id", may("jobs.read"), async (c) => {
      const visit = c.get("visit");
      const job = await getJob(context.store, c.req.param("id"));
      const facts = {
        title: typeName(job.type),
        crumbs: [{ label: "Jobs", href: "/admin/jobs" }],
        ...(job.state === "failed" && visit.can("jobs.manage") && { actions: <Retry job={job} /> }),
      };
      return await page(c, facts, <JobDetails job={job} visit={visit} />);
    });
}

async function jobList(store: Store, c: StudioContext): Promise<Response> {
  const visit = c.get("visit");
  const state = new ListState(visit.url);
  const paging = parsePaging(visit.url.searchParams);
  const wantedState = c.req.query("state") ?? "";
  const wantedType = c.req.query("type") ?? "";
  const { jobs, total } = await listJobs(store, {
    ...paging,
    ...(isJobState(wantedState) && { state: wantedState }),
    ...(isJobType(wantedType) && { type: wantedType }),
  });
  const facts = {
    title: "Jobs",
    intro: "Publishing, schedules, back-ups and repairs, each in steps that are never lost.",
    wide: true,
  };
  return await page(
    c,
    facts,
    <div data-island="job-list" data-waits={String(jobs.some((job) => !isFinished(job.state)))}>
      <JobTools state={state} wantedState={wantedState} wantedType={wantedType} />
      {jobs.length === 0
        ? (
          <div class="empty">
            <h2>No such jobs</h2>
            <p>
              Jobs appear here when something is published, scheduled, backed up or converted.
            </p>
          </div>
        )
        : <JobTable jobs={jobs} visit={visit} />}
      {total > 0 && (
        <Pages
          paging={{ ...paging, total }}
          hrefOf={(number) => state.with({ page: String(number) })}
          what="jobs"
        />
      )}
    </div>,
  );
}

function JobTools(
  { state, wantedState, wantedType }: {
    state: ListState;
    wantedState: string;
    wantedType: string;
  },
) {
  return (
    <>
      <nav class="tabs" aria-label="By state">
        {[null, ...JOB_STATES].map((name) => (
          <a
            href={state.with({ state: name })}
            aria-current={(name ?? "") === wantedState ? "page" : undefined}
          >
            {name === null ? "All" : name[0]!.toUpperCase() + name.slice(1)}
          </a>
        ))}
      </nav>
      <form method="get" class="list-tools">
        {wantedState !== "" && <input type="hidden" name="state" value={wantedState} />}
        <label for="job-type" class="sr">Type</label>
        <select id="job-type" name="type" class="short" data-submits>
          <option value="">All types</option>
          {JOB_TYPES.map((type) => (
            <option value={type} selected={type === wantedType}>{typeName(type)}</option>
          ))}
        </select>
      </form>
    </>
  );
}

function Retry({ job }: { job: JobRecord }) {
  return (
    <button
      type="button"
      class="button primary"
      data-action={`POST /api/admin/jobs/${job.id}/retry`}
      data-then="reload"
      data-done="It begins again at the step that failed"
    >
      Try again
    </button>
  );
}

function JobTable({ jobs, visit }: { jobs: JobRecord[]; visit: Visit }) {
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">State</th>
            <th scope="col">Step</th>
            <th scope="col">Tries</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr>
              <th scope="row">
                <a href={`/admin/jobs/${job.id}`}>{typeName(job.type)}</a>
                {job.error !== null && <p class="error clip">{job.error}</p>}
              </th>
              <td>
                <JobBadge state={job.state} />
              </td>
              <td>{job.step ?? "–"}</td>
              <td class="number">{job.attempts}</td>
              <td>
                <Time at={Math.floor(job.updatedAt / 1000)} clock={visit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function JobDetails({ job, visit }: { job: JobRecord; visit: Visit }) {
  const wire = jobWire(job);
  const { done, total } = wire.progress;
  const steps = Object.keys(wire.result);
  return (
    <div
      class="stack narrow"
      data-island="job"
      data-job={job.id}
      data-state={job.state}
      data-step={job.step ?? ""}
    >
      <section class="card">
        <div class="spread">
          <JobBadge state={job.state} />
          <span class="muted small">
            Begun <Time at={wire.createdAt} clock={visit} exact />
          </span>
        </div>
        {total > 0 && (
          <p class="progress-line">
            <progress value={done} max={total} aria-label="Progress"></progress>
            <span data-progress>{`${done} of ${total}`}</span>
          </p>
        )}
        {wire.state === "waiting" && (
          <p class="muted">
            Goes on <Time at={wire.dueAt} clock={visit} exact />
          </p>
        )}
        {wire.error !== null && <pre class="code bad" tabindex={0}>{wire.error}</pre>}
        {wire.attempts > 1 && <p class="muted">{`Tried ${wire.attempts} times.`}</p>}
      </section>
      <section class="card">
        <h2>Steps</h2>
        <ol class="steps">
          {steps.map((name) => (
            <li class="done">
              <span class="step-mark">✓</span>
              <div class="fill">
                <strong>{name}</strong>
                {wire.result[name] !== null && (
                  <pre class="code" tabindex={0}>{JSON.stringify(wire.result[name], null, 2)}</pre>
                )}
              </div>
            </li>
          ))}
          {wire.step !== null && !isFinished(wire.state) && (
            <li>
              <span class="step-mark"></span>
              <strong>{wire.step}</strong>
            </li>
          )}
          {steps.length === 0 && wire.step === null && <li class="muted">Nothing was done yet.</li>}
        </ol>
      </section>
    </div>
  );
}

/** `REBUILD_SEARCH` as people read it. */
export function typeName(type: string): string {
  const words = type.toLowerCase().replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}
