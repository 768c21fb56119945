/**
 * One job: progress, results of its steps, and actions. A restore of the site lists its changes and can be
 * undone.
 *
 * @module
 */
import { isCancellable } from "../../../../kv/jobs/cancel_job.ts";
import { isFinished, type JobRecord, jobWire } from "../../../../kv/jobs/job.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { EntityType } from "../../../../kv/model/entities/entity_kinds.ts";
import { Icon } from "../../components/icon.tsx";
import { ProgressLine } from "../../components/progress_line.tsx";
import { JobBadge } from "../../components/status.tsx";
import { exactTime, Time } from "../../components/time.tsx";
import { entityName } from "../../wording/entity_names.ts";
import { RESTORE_STEPS, stepName, typeName } from "../../wording/job_words.ts";
import { hasOutcome, JobOutcome, missesMedia } from "./job_outcome.tsx";
import { MissingMedia } from "../../components/forms/missing_media.tsx";
import { ValueList } from "../../components/forms/value_list.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import type { Visit } from "../../serving/studio_env.ts";

/** The state of a job, or that it was canceled. */
export function StateBadge({ job }: { job: JobRecord }) {
  return job.cancelled ? <span class="badge">Canceled</span> : <JobBadge state={job.state} />;
}

/** Another try, or an end. */
export function JobActions({ job, visit }: { job: JobRecord; visit: Visit }) {
  if (!visit.can("jobs.manage")) return null;
  return (
    <>
      {isCancellable(job) && (
        <Button
          variant="danger"
          data-action={`POST /api/admin/jobs/${job.id}/cancel`}
          data-ask={`Cancel this job? Work done so far is kept, and you can retry it.`}
          data-verb="Cancel job"
          data-then="reload"
          data-done="Canceled"
        >
          Cancel job
        </Button>
      )}
      {job.state === "failed" && (
        <Button
          variant="primary"
          data-action={`POST /api/admin/jobs/${job.id}/retry`}
          data-then="reload"
          data-done="Retrying from the step that failed"
          icon="retry"
        >
          Retry
        </Button>
      )}
    </>
  );
}

/** The state of a job, its start, and how far it is until it has finished. */
export function JobProgress({ job, visit }: { job: JobRecord; visit: Visit }) {
  const { progress: { done, total }, createdAt } = jobWire(job);
  return (
    <>
      <div class="spread">
        <span role="status">
          <StateBadge job={job} />
        </span>
        <span class="muted small">
          Started <Time at={createdAt} clock={visit} exact />
        </span>
      </div>
      {!isFinished(job.state) && <ProgressLine done={done} total={total} />}
    </>
  );
}

/** How far a job is; the browser's code keeps it up to date until it is finished. */
export function JobDetails({ job, visit }: { job: JobRecord; visit: Visit }) {
  const wire = jobWire(job);
  return (
    <div
      class="stack narrow"
      data-island="job"
      data-job={job.id}
      data-state={job.state}
      data-step={job.step ?? ""}
    >
      <section class="card">
        <JobProgress job={job} visit={visit} />
        {wire.state === "waiting" && (
          <p class="muted">
            Resumes <Time at={wire.dueAt} clock={visit} exact />
          </p>
        )}
        {wire.error !== null && (
          <pre class={job.cancelled ? "code" : "code bad"} tabindex={0}>{wire.error}</pre>
        )}
        {wire.attempts > 1 && <p class="muted">{`${wire.attempts} attempts.`}</p>}
        <JobOutcome job={job} />
        {job.type === "RESTORE" && <RestoreOutcome job={job} visit={visit} />}
      </section>
      {missesMedia(job) && visit.administrator && <MissingMedia />}
      <section class="card">
        <h2>Steps</h2>
        <Steps job={job} />
      </section>
    </div>
  );
}

function Steps({ job }: { job: JobRecord }) {
  const { type, results, step, state } = job;
  const finished = Object.keys(results);
  const names = type === "RESTORE" ? RESTORE_STEPS.map(([name]) => name) : [
    ...finished,
    ...(step !== null && !isFinished(state) && !finished.includes(step) ? [step] : []),
  ];
  if (names.length === 0) {
    return <p class="muted">{`${typeName(type)}: not started.`}</p>;
  }
  return (
    <ol class="steps">
      {names.map((name) => (
        <li
          class={name in results ? "done" : name === step ? "now" : ""}
          data-step-name={name}
          aria-current={name === step && !isFinished(state) ? "step" : undefined}
        >
          <span class="step-mark">{name in results && <Icon name="check" />}</span>
          <div class="fill">
            <strong>{stepName(type, name)}</strong>
            {type === "RESTORE"
              ? <p class="muted small" data-counts>{countsText(results[name])}</p>
              : results[name] != null && !hasOutcome(type) && <ValueList value={results[name]} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

interface RestoreCounts {
  minted: number;
  removed: number;
  kept: number;
  left: number;
  named: { type: string; id: string; reason: string }[];
}

function countsOf(result: Json | undefined): RestoreCounts | null {
  const counts = result as Partial<RestoreCounts> | null | undefined;
  return typeof counts?.minted === "number" ? counts as RestoreCounts : null;
}

function countsText(result: Json | undefined): string {
  const counts = countsOf(result);
  if (counts === null) return "";
  const parts: [number, string][] = [
    [counts.minted, "restored"],
    [counts.removed, "deleted"],
    [counts.kept, "changed during the restore, kept"],
    [counts.left, "not restored"],
  ];
  const said = parts.filter(([count]) => count > 0)
    .map(([count, words]) => `${count.toLocaleString("en")} ${words}`);
  return said.length === 0 ? "Nothing to do" : said.join(" · ");
}

const REASONS: Record<string, string> = {
  taken: "something that was kept uses its name",
  pruned: "the version is no longer stored",
  revoked: "it was revoked or deleted and stays that way",
  needed: "something that was kept requires it",
};

/** The result of a restore and its undo button. */
function RestoreOutcome({ job, visit }: { job: JobRecord; visit: Visit }) {
  const { timestamp, at } = job.payload as { timestamp: number; at: number };
  const left = Object.values(job.results).flatMap((result) => countsOf(result)?.named ?? []);
  return (
    <>
      <p>
        {`${isFinished(job.state) ? "The site was restored" : "The site is being restored"} to `}
        <strong>{exactTime(timestamp, visit)}</strong>.
      </p>
      {left.length > 0 && (
        <details>
          <summary>{`${left.length} could not be restored`}</summary>
          <ul class="rows">
            {left.map(({ type, id, reason }) => (
              <li>
                <a href={`/admin/versions/${type}/${id}`}>
                  {`${entityName(type as EntityType, true)} ${id}`}
                </a>
                <span class="muted">{REASONS[reason] ?? reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {isFinished(job.state) && visit.administrator && (
        <div class="spread padded">
          <ButtonLink href={`/admin/time-travel?at=${at}`}>
            Preview undo
          </ButtonLink>
          <Button
            variant="primary"
            data-action="POST /api/admin/restore"
            data-body={JSON.stringify({ timestamp: at })}
            data-ask={`Restore the site to the moment before this, ${
              exactTime(at, visit)
            }? Later changes stay in the history.`}
            data-verb="Undo"
            data-then="/admin/jobs/{jobId}"
            data-done="Undoing the restore"
            icon="history"
          >
            Undo restore
          </Button>
        </div>
      )}
    </>
  );
}
