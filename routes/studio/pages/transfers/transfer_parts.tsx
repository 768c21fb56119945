/**
 * Parts of the screens of transfers: the state, the steps, the progress and the outcome of a run.
 *
 * @module
 */
import type { TransferKind } from "../../../../kv/model/transfers/plan.ts";
import type { TransferState } from "../../../../kv/model/transfers/transfer_state.ts";
import type { TransferCounts, TransferProgress } from "../../../../kv/transfers/transfers.ts";
import { ProgressLine } from "../../components/progress_line.tsx";
import { counted } from "../../wording/words.ts";

/** The names of the kinds of sources. */
export const KIND_NAMES: Readonly<Record<TransferKind, string>> = {
  csv: "CSV",
  tsv: "TSV",
  json: "JSON",
  ndjson: "NDJSON",
  markdown: "Markdown",
  wxr: "WordPress",
  ghost: "Ghost",
  contentful: "Contentful",
  sanity: "Sanity",
  strapi: "Strapi",
  directus: "Directus",
  payload: "Payload",
  cms: "This CMS",
};

const STATES: Readonly<Record<TransferState, [look: string, text: string]>> = {
  analysing: ["job-running", "Analyzing"],
  planned: ["", "Planned"],
  running: ["job-running", "Running"],
  paused: ["warn", "Paused"],
  done: ["good", "Done"],
  failed: ["bad", "Failed"],
  cancelled: ["warn", "Canceled"],
  undone: ["", "Undone"],
};

/** The state of a transfer. */
export function TransferBadge({ state }: { state: TransferState }) {
  const [look, text] = STATES[state];
  return <span class={`badge ${look}`}>{text}</span>;
}

/** The steps of a transfer after its source. */
export const TRANSFER_STEPS = ["found", "plan", "try", "run"] as const;

/** A step after the source. */
export type TransferStep = typeof TRANSFER_STEPS[number];

const STEP_NAMES: Readonly<Record<TransferStep, string>> = {
  found: "What was found",
  plan: "Plan",
  try: "Dry run",
  run: "Run and report",
};

/** The five steps; those that can be opened are links. */
export function TransferSteps(
  { current, isPlanned }: { current: TransferStep; isPlanned: boolean },
) {
  const at = TRANSFER_STEPS.indexOf(current);
  return (
    <nav class="wizard-steps" aria-label="Steps">
      <ol class="steps">
        <li class="done">
          <span class="step-mark"></span>
          <span>Source</span>
        </li>
        {TRANSFER_STEPS.map((step, index) => (
          <li
            class={index < at ? "done" : index === at ? "now" : ""}
            aria-current={index === at ? "step" : undefined}
          >
            <span class="step-mark"></span>
            {isPlanned ? <a href={`?step=${step}`}>{STEP_NAMES[step]}</a> : STEP_NAMES[step]}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Phases of jobs in words. */
const PHASES: Readonly<Record<string, string>> = {
  download: "Reading the API",
  analyse: "Reading the source",
  schema: "Creating collections and fields",
  media: "Fetching files",
  documents: "Writing documents",
  references: "Connecting references",
  publish: "Publishing",
  redirects: "Keeping former addresses",
  undo: "Undoing",
};

/** The name of a phase. */
function phaseName(phase: string): string {
  return PHASES[phase] ?? phase;
}

/** How far a job has come; the browser's code keeps it current. */
export function Progress(
  { id, state, progress }: {
    id: string;
    state: TransferState;
    progress: TransferProgress | null;
  },
) {
  const { phase = "analyse", done = 0, total = 0 } = progress ?? {};
  return (
    <div data-island="transfer-progress" data-transfer={id} data-state={state}>
      <p role="status" data-phase data-phases={JSON.stringify(PHASES)}>{phaseName(phase)}</p>
      <ProgressLine done={done} total={total} uncounted={counted(done, "row")} />
    </div>
  );
}

const OUTCOMES: readonly [key: keyof TransferCounts, label: string][] = [
  ["created", "created"],
  ["updated", "updated"],
  ["unchanged", "unchanged"],
  ["skipped", "skipped"],
  ["failed", "failed"],
  ["warnings", "with warnings"],
];

/** How many rows ended how. */
export function Outcome({ report }: { report: TransferCounts }) {
  return (
    <ul class="outcome">
      {OUTCOMES.map(([key, label]) => (
        <li class={key === "failed" && report.failed > 0 ? "bad" : ""}>
          <b>{report[key].toLocaleString("en")}</b> {label}
        </li>
      ))}
    </ul>
  );
}
