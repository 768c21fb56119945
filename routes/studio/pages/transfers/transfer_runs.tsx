/**
 * The dry run and the run of a transfer: how it goes, how it ended, and what can be done about it.
 *
 * @module
 */
import { isResting, writesRows } from "../../../../kv/model/transfers/transfer_state.ts";
import { NO_ROWS } from "../../../../kv/transfers/transfers.ts";
import type { ReportLine } from "../../../../jobs/transfers/run/report.ts";
import { isRun } from "../../../../jobs/transfers/run/transfer_run.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Dialog } from "../../components/overlays/dialog.tsx";
import { Table } from "../../components/table.tsx";
import type { ShownTransfer } from "./transfer.tsx";
import { Outcome, Progress } from "./transfer_parts.tsx";
import { SourceForm } from "./source_form.tsx";

/** The step of the dry run, or of the run. */
export function TransferRuns({ shown, isDry }: { shown: ShownTransfer; isDry: boolean }) {
  const { record: { id, state, runs }, progress } = shown;
  const isAtRest = isResting(state);
  const last = runs.findLast(({ action }) => isRun(action));
  const hasReport = last !== undefined && writesRows(last.action) !== isDry;
  const report = progress?.jobId === last?.jobId ? progress?.report : undefined;
  return (
    <>
      <section class="card">
        <h2>{isDry ? "Dry run" : "Run"}</h2>
        <p class="muted">
          {isDry
            ? "Goes through every row with every check, and writes nothing."
            : "Writes documents, files, collections and redirects. You can undo all of it."}
        </p>
        {!isAtRest && <Progress id={id} state={state} progress={progress} />}
        {isAtRest && hasReport && <Outcome report={report ?? NO_ROWS} />}
        {!isDry && shown.left.length > 0 && <Left left={shown.left} />}
        <Actions shown={shown} isDry={isDry} hasReport={hasReport} />
      </section>
      {hasReport && <Problems shown={shown} />}
      {!isDry && isAtRest && (
        <Dialog id="newer-files" title="Transfer a later export">
          <p class="muted">
            The same plan runs with the new files. Only differences are written.
          </p>
          <SourceForm to={`/api/admin/transfers/${id}/files`} />
        </Dialog>
      )}
    </>
  );
}

/** What an undo did not take back. */
function Left({ left }: Pick<ShownTransfer, "left">) {
  return (
    <div class="alert warn">
      <p>These were changed since and stay as they are:</p>
      <ul>
        {left.map(({ id, title, reason }) => (
          <li>
            <span dir="auto">{title || id}</span>
            {`: ${reason}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Actions(
  { shown: { record: { id, state, runs, isLive } }, isDry, hasReport }: {
    shown: ShownTransfer;
    isDry: boolean;
    hasReport: boolean;
  },
) {
  const to = (verb: string) => actionOf(id, verb);
  const hasRun = runs.some(({ action }) => writesRows(action));
  const hasEnded = state === "done" || state === "failed" || state === "cancelled";
  if (!isResting(state)) {
    return (
      <p class="row padded">
        {state === "paused"
          ? <Button variant="primary" {...to("resume")}>Resume</Button>
          : <Button {...to("pause")}>Pause</Button>}
        <Button
          variant="danger"
          {...to("cancel")}
          data-ask="Cancel the run? Documents already written stay; you can undo them."
        >
          Cancel run
        </Button>
      </p>
    );
  }
  if (isDry) return <DryRunActions id={id} hasReport={hasReport} />;
  return (
    <p class="row padded">
      <Button
        variant={hasReport ? "plain" : "primary"}
        {...to("run")}
        data-then={`/admin/transfers/${id}?step=run`}
      >
        {hasReport ? "Run again" : "Run transfer"}
      </Button>
      {hasRun && isLive && (
        <Button {...to("files")} data-body="{}" icon="retry">Read the source again and run</Button>
      )}
      {hasRun && <Button data-opens="newer-files" icon="upload">Transfer a later export …</Button>}
      {hasReport && hasEnded && (
        <Button {...to("retry")} data-body={JSON.stringify({ failed: true })} icon="retry">
          Retry failed rows
        </Button>
      )}
      {hasRun && hasEnded && (
        <Button
          variant="danger"
          {...to("undo")}
          data-ask="Undo this transfer? Documents that it created are moved to the trash, and those that it updated are restored to their previous version, unless they were changed since."
        >
          Undo transfer
        </Button>
      )}
    </p>
  );
}

/** The attributes of a button that asks for a job. */
function actionOf(id: string, verb: string) {
  return { "data-action": `POST /api/admin/transfers/${id}/${verb}`, "data-then": "reload" };
}

function DryRunActions({ id, hasReport }: { id: string; hasReport: boolean }) {
  return (
    <p class="row padded">
      <Button
        variant={hasReport ? "plain" : "primary"}
        {...actionOf(id, "run")}
        data-body={JSON.stringify({ dryRun: true })}
        data-then={`/admin/transfers/${id}?step=try`}
      >
        {hasReport ? "Repeat dry run" : "Start dry run"}
      </Button>
      <ButtonLink variant={hasReport ? "primary" : "plain"} href="?step=run">
        Continue to the run
      </ButtonLink>
    </p>
  );
}

/** The first rows that failed or have warnings. */
function Problems({ shown: { record, problems } }: { shown: ShownTransfer }) {
  const report = `/api/admin/transfers/${record.id}/report`;
  return (
    <section class="card">
      <div class="spread padded">
        <h2>Report</h2>
        <ButtonLink
          size="small"
          href={`${report}?level=all`}
          download="report.ndjson"
          icon="download"
        >
          Download
        </ButtonLink>
      </div>
      {problems.length === 0 ? <p class="muted">No problems.</p> : (
        <Table
          label="Rows with problems"
          head={["Row", "Outcome", "Problems"].map((name) => <th scope="col">{name}</th>)}
        >
          {problems.map(({ source, sourceId, id, status, problems }) => (
            <tr>
              <th scope="row">
                {id === undefined
                  ? `${source} ${sourceId}`
                  : <a href={`/admin/documents/${id}`}>{`${source} ${sourceId}`}</a>}
              </th>
              <td>
                <span class={status === "failed" ? "badge bad" : "badge"}>{status}</span>
              </td>
              <td class="wrapped">
                <ul>{problemTexts(problems).map((text) => <li>{text}</li>)}</ul>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** Problems in words, equal ones once with their number. */
function problemTexts(problems: ReportLine["problems"]): string[] {
  const texts = problems.map(({ path, message }) => path === "" ? message : `${path}: ${message}`);
  return [...Map.groupBy(texts, (text) => text)]
    .map(([text, { length }]) => length === 1 ? text : `${text} (${length} times)`);
}
