/**
 * One transfer, step by step: what was found, the plan beside samples, the dry run, the run and its report.
 *
 * @module
 */
import type { Context } from "../../../../kv/context.ts";
import { findJob } from "../../../../kv/jobs/jobs.ts";
import { Undone } from "../../../../kv/jobs/results.ts";
import type { Plan } from "../../../../kv/model/transfers/plan.ts";
import {
  getTransfer,
  readPlan,
  readProgress,
  type TransferProgress,
  type TransferRecord,
} from "../../../../kv/transfers/transfers.ts";
import { type ReportLine, reportLines } from "../../../../jobs/transfers/run/report.ts";
import { isRun } from "../../../../jobs/transfers/run/transfer_run.ts";
import { writesRows } from "../../../../kv/model/transfers/transfer_state.ts";
import { readFacts, type TransferFacts } from "../../../../jobs/transfers/run/transfer_facts.ts";
import { BadSource } from "../../../../jobs/transfers/reading/source_file.ts";
import { settledTransfer } from "../../../admin/transfers/transfers.ts";
import type { Deps } from "../../../deps/deps.ts";
import { REPORT_LINES_SHOWN } from "../../../input/limits.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import type { Handlers } from "../../screens.ts";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { planChoices } from "./plan_choices.ts";
import type { PlanChoices } from "./plan_mappings.tsx";
import { TransferPlan } from "./transfer_plan.tsx";
import { TransferRuns } from "./transfer_runs.tsx";
import {
  KIND_NAMES,
  Progress,
  TRANSFER_STEPS,
  TransferBadge,
  type TransferStep,
  TransferSteps,
} from "./transfer_parts.tsx";

/** Everything that the steps of a transfer show. */
export interface ShownTransfer {
  record: TransferRecord;
  progress: TransferProgress | null;
  /** Null before the analysis has ended. */
  plan: Plan | null;
  facts: TransferFacts | null;
  /** Lines of the newest run with problems. */
  problems: ReportLine[];
  /** What an undo has left as it is. */
  left: Undone["left"];
  /** Null unless the plan is shown. */
  choices: PlanChoices | null;
  visit: Visit;
}

/** `/transfers/:id`. */
export function transferScreen(deps: Deps): Handlers<"transfer">["transfer"] {
  const { context } = deps.content;
  return async (c) => {
    const record = await settledTransfer(context, await getTransfer(context, c.req.param("id")));
    const [plan, progress] = await Promise.all([
      readPlan(context, record),
      readProgress(context, record.id),
    ]);
    const facts = plan === null ? null : await factsOf(context, record);
    const problems = await problemsOf(context, record);
    const left = await leftByUndo(context, record);
    const step = stepOf(c.req.query("step"), record);
    const visit = c.get("visit");
    const choices = plan !== null && step === "plan"
      ? await planChoices(deps, visit, plan, facts)
      : null;
    const shown = { record, plan, progress, facts, problems, left, choices, visit };
    return await page(
      c,
      {
        title: record.name,
        crumbs: [{ label: "Transfers", href: "/admin/transfers" }],
        actions: <TransferBadge state={record.state} />,
        wide: true,
      },
      <div class="stack">
        <TransferSteps current={step} isPlanned={plan !== null} />
        {record.error !== undefined && <p class="alert bad" role="alert">{record.error}</p>}
        {record.state === "analysing"
          ? (
            <section class="card">
              <h2>Analyzing the source</h2>
              <p class="muted">You can leave this page; the analysis continues.</p>
              <Progress id={record.id} state={record.state} progress={progress} />
            </section>
          )
          : <Step step={step} shown={shown} />}
      </div>,
    );
  };
}

/** What the analysis has found; null while that of newer files has not ended, or once the files are gone. */
async function factsOf(context: Context, record: TransferRecord): Promise<TransferFacts | null> {
  try {
    return await readFacts(context, record);
  } catch (error) {
    if (error instanceof BadSource) return null;
    throw error;
  }
}

/** The step of the address, or the one that the transfer has come to. */
function stepOf(asked: string | undefined, { state, plan, runs }: TransferRecord): TransferStep {
  if (plan === null) return "found";
  const step = TRANSFER_STEPS.find((one) => one === asked);
  if (step !== undefined) return step;
  const action = runs.at(-1)?.action;
  if (action === "dryRun") return "try";
  return state === "planned" || action === "analyse" ? "found" : "run";
}

function Step({ step, shown }: { step: TransferStep; shown: ShownTransfer }) {
  if (shown.plan === null) return null;
  if (step === "found") return <Found shown={shown} />;
  const { record, plan, choices, visit } = shown;
  if (step === "plan" && choices !== null) {
    return <TransferPlan record={record} plan={plan} choices={choices} visit={visit} />;
  }
  return <TransferRuns shown={shown} isDry={step === "try"} />;
}

/** The first lines of the newest run that have problems, failed ones first. */
async function problemsOf(context: Context, { id, runs }: TransferRecord): Promise<ReportLine[]> {
  const run = runs.findLast(({ action }) => isRun(action));
  if (run === undefined) return [];
  const failed: ReportLine[] = [];
  const others: ReportLine[] = [];
  for await (const line of reportLines(context, id, run.jobId)) {
    if (line.problems.length === 0) continue;
    const lines = line.status === "failed" ? failed : others;
    if (lines.length < REPORT_LINES_SHOWN) lines.push(line);
    if (failed.length === REPORT_LINES_SHOWN) break;
  }
  return [...failed, ...others].slice(0, REPORT_LINES_SHOWN);
}

/** What the newest job has left as it is, if it was an undo. */
async function leftByUndo(
  { store }: Context,
  { runs }: TransferRecord,
): Promise<Undone["left"]> {
  const last = runs.at(-1);
  const job = last?.action === "undo" ? await findJob(store, last.jobId) : null;
  return Undone.safeParse(job?.results.undo).data?.left ?? [];
}

/** The rows of the source by kind, and what is left out. */
function Found({ shown: { record, facts } }: { shown: ShownTransfer }) {
  const { names = {}, languages = [], warnings = [] } = facts?.facts ?? {};
  const sources = facts?.sources ?? [];
  return (
    <section class="card">
      <h2>{record.kind === null ? "Content" : `Content from ${KIND_NAMES[record.kind]}`}</h2>
      <p class="muted">
        {record.runs.some(({ action }) => writesRows(action))
          ? "The rows of the newest source."
          : "Nothing has been written yet."}
      </p>
      <Table
        label="What was found"
        head={
          <>
            <th scope="col">Kind</th>
            <th scope="col">Rows</th>
          </>
        }
      >
        {sources.map(({ source, rows }) => (
          <tr>
            <th scope="row">{names[source] ?? source}</th>
            <td>{rows.toLocaleString("en")}</td>
          </tr>
        ))}
      </Table>
      {languages.length > 0 && (
        <p class="padded">{`Languages: ${new Intl.ListFormat("en").format(languages)}`}</p>
      )}
      {warnings.length > 0 && (
        <div class="padded">
          <div class="alert warn">
            <p>Left out:</p>
            <ul>{warnings.map((warning) => <li>{warning}</li>)}</ul>
          </div>
        </div>
      )}
      <p class="row padded">
        <ButtonLink variant="primary" href="?step=plan">Continue to the plan</ButtonLink>
      </p>
    </section>
  );
}
