/**
 * The list of jobs by state and type, newest first, with a warning if the scheduler does not run.
 *
 * @module
 */
import { DueCounter } from "../../../../kv/jobs/due_counter.ts";
import { cronSilence, type JobPiece, newestJobs } from "../../../../kv/jobs/job_list.ts";
import { getJob } from "../../../../kv/jobs/jobs.ts";
import { isFinished, isJobState, JOB_STATES, type JobRecord } from "../../../../kv/jobs/job.ts";
import { visibleJob } from "../../../../kv/jobs/visible_results.ts";
import { isJobType, JOB_TYPES } from "../../../../kv/jobs/job_contracts.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Icon } from "../../components/icon.tsx";
import { Time } from "../../components/time.tsx";
import { lengthOf, stepName, typeName } from "../../wording/job_words.ts";
import { ListState } from "../../list_state.ts";
import { page } from "../../serving/page.tsx";
import type { StudioContext, Visit } from "../../serving/studio_env.ts";
import { JobQueues, readQueues } from "./job_queues.tsx";
import { JobActions, JobDetails, StateBadge } from "./job.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { Table } from "../../components/table.tsx";
import { Tabs } from "../../components/navigation/tabs.tsx";
import { isUlid } from "../../../../kv/model/values/ulid.ts";
import type { Handlers } from "../../screens.ts";

/** Jobs on a page. */
const SHOWN = 25;

/** `/jobs` and `/jobs/:id`. */
export function jobScreens(deps: Deps): Handlers<"jobs" | "job"> {
  const { context } = deps.content;
  const counter = new DueCounter(context.store);
  return {
    jobs: (c) => jobList(deps, counter, c),
    job: async (c) => {
      const visit = c.get("visit");
      const job = visibleJob(await getJob(context.store, c.req.param("id")), c.get("session"));
      const facts = {
        title: typeName(job.type),
        crumbs: [{ label: "Jobs", href: "/admin/jobs" }],
        actions: <JobActions job={job} visit={visit} />,
      };
      return await page(c, facts, <JobDetails job={job} visit={visit} />);
    },
  };
}

async function jobList(deps: Deps, counter: DueCounter, c: StudioContext): Promise<Response> {
  const { context } = deps.content;
  const visit = c.get("visit");
  const state = new ListState(visit.url);
  const wantedState = c.req.query("state") ?? "";
  const wantedType = c.req.query("type") ?? "";
  const before = c.req.query("before");
  const piece = await newestJobs(context.store, {
    limit: SHOWN,
    before: isId(before) ? before : undefined,
    state: isJobState(wantedState) ? wantedState : undefined,
    type: isJobType(wantedType) ? wantedType : undefined,
  });
  const queues = await readQueues(context, counter);
  const silence = await cronSilence(context, visit.user.createdAt * 1_000);
  const facts = {
    title: "Jobs",
    intro: "Publishing, schedules, backups and maintenance that run in the background.",
    wide: true,
  };
  const subjects = await subjectsOf(deps, piece.jobs);
  const waits = piece.jobs.some((job) => !isFinished(job.state));
  return await page(
    c,
    facts,
    <div data-island="job-list" data-waits={String(waits)}>
      {silence !== null && <Silence length={lengthOf(silence)} />}
      <JobQueues queues={queues} />
      <JobTools state={state} wantedState={wantedState} wantedType={wantedType} />
      {piece.jobs.length === 0
        ? <NoJobs state={state} piece={piece} isFiltered={(wantedState + wantedType) !== ""} />
        : <JobTable jobs={piece.jobs} subjects={subjects} visit={visit} />}
      <Pieces state={state} piece={piece} isFirst={before === undefined} />
    </div>,
  );
}

/** A cursor is the id of a job. */
function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
}

function Silence({ length }: { length: string }) {
  return (
    <div class="alert warn with-icon" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{`The scheduler has not run for ${length}.`}</strong>
        </p>
        <p>
          Immediate work still runs. Scheduled publishing, retries and nightly backups wait until a
          process runs the crons again. On your own machine, check that “deno task start” is
          running. On Deno Deploy, check that the app's crons are enabled.
        </p>
      </div>
    </div>
  );
}

function JobTools(
  { state, wantedState, wantedType }: {
    state: ListState;
    wantedState: string;
    wantedType: string;
  },
) {
  const firstPage = { page: null, before: null };
  return (
    <>
      <Tabs
        label="By state"
        tabs={[null, ...JOB_STATES].map((name) => ({
          label: name === null ? "All" : name.charAt(0).toUpperCase() + name.slice(1),
          href: state.with({ state: name, ...firstPage }),
          current: (name ?? "") === wantedState,
        }))}
      />
      <form method="get" class="list-tools">
        {wantedState !== "" && <input type="hidden" name="state" value={wantedState} />}
        <label for="job-type" class="sr">Type</label>
        <select id="job-type" name="type" class="short" data-submits>
          <option value="">All types</option>
          {JOB_TYPES.map((type) => (
            <option value={type} selected={type === wantedType}>{typeName(type)}</option>
          ))}
        </select>
        <noscript>
          <Button type="submit">Show</Button>
        </noscript>
      </form>
    </>
  );
}

function NoJobs(
  { state, piece, isFiltered }: { state: ListState; piece: JobPiece; isFiltered: boolean },
) {
  if (piece.next !== null) {
    return (
      <EmptyState icon="jobs" title="No matches so far">
        <p>Older jobs have not been searched yet.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={isFiltered ? "No matches" : "No jobs yet"}
      actions={isFiltered && (
        <ButtonLink href={state.with({ state: null, type: null, before: null })}>
          Show all jobs
        </ButtonLink>
      )}
    >
      <p>Jobs appear here when something is published, scheduled, backed up or converted.</p>
    </EmptyState>
  );
}

/** Onwards to older jobs; how many there are would cost a walk through all of them. */
function Pieces(
  { state, piece, isFirst }: { state: ListState; piece: JobPiece; isFirst: boolean },
) {
  if (isFirst && piece.next === null) return null;
  return (
    <nav class="pagination" aria-label="Pages">
      <span class="muted">Newest first; completed jobs are kept for a week</span>
      <span class="row">
        {!isFirst && (
          <ButtonLink size="small" href={state.with({ before: null })}>Newest</ButtonLink>
        )}
        {piece.next !== null && (
          <ButtonLink size="small" href={state.with({ before: piece.next })} rel="next">
            Older
          </ButtonLink>
        )}
      </span>
    </nav>
  );
}

/** The titles of the documents that jobs concern, by job id. */
async function subjectsOf({ reader }: Deps, jobs: JobRecord[]): Promise<Map<string, string>> {
  const found = await Promise.all(jobs.map(async ({ id, payload }) => {
    const documentId = (payload as { documentId?: unknown } | null)?.documentId;
    const stored = typeof documentId === "string" && isUlid(documentId)
      ? await reader.find(documentId)
      : null;
    return stored === null ? [] : [[id, stored.state.title || "Untitled"] as const];
  }));
  return new Map(found.flat());
}

function JobTable(
  { jobs, subjects, visit }: {
    jobs: JobRecord[];
    subjects: ReadonlyMap<string, string>;
    visit: Visit;
  },
) {
  return (
    <Table
      class="jobs"
      head={
        <>
          <th scope="col">Job</th>
          <th scope="col">State</th>
          <th scope="col">Step</th>
          <th scope="col">Attempts</th>
          <th scope="col">Changed</th>
        </>
      }
    >
      {jobs.map((job) => (
        <tr>
          <th scope="row">
            <a href={`/admin/jobs/${job.id}`}>{typeName(job.type)}</a>
            {subjects.has(job.id) && <p class="muted clip">{subjects.get(job.id)}</p>}
            {job.error !== null && (
              <p class={job.cancelled ? "muted clip" : "error clip"}>{job.error}</p>
            )}
          </th>
          <td>
            <StateBadge job={job} />
          </td>
          <td>
            {job.step === null ? "–" : stepName(job.type, job.step)}
            {job.progress.total > 0 && job.state !== "done" && (
              <span class="muted small">
                {` ${job.progress.done} of ${job.progress.total}`}
              </span>
            )}
          </td>
          <td class="number">{job.attempts}</td>
          <td>
            <Time at={Math.floor(job.updatedAt / 1000)} clock={visit} />
            {job.state === "waiting" && (
              <p class="muted small">
                due <Time at={Math.floor(job.dueAt / 1000)} clock={visit} />
              </p>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
