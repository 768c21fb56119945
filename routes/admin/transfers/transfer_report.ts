/**
 * `GET /api/admin/transfers/{id}/report`: a line for each row of a run.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import type { TransferRecord } from "../../../kv/transfers/transfers.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { isRun } from "../../../jobs/transfers/run/transfer_run.ts";
import { type ReportLine, reportLines } from "../../../jobs/transfers/run/report.ts";
import { pacedAnswer } from "../../answers/paced_answer.ts";
import { parameterInvalid, Parameters } from "../../query/parameters.ts";

const NDJSON = "application/x-ndjson";
const LEVELS = ["failed", "warning", "all"] as const;
const PARAMETERS = ["level", "collection", "run"] as const;

/** Answers the report of the newest run, or of the one that is named. */
export function transferReport(
  context: Context,
  { id, runs }: TransferRecord,
  url: string,
): Response {
  const parameters = new Parameters(new URL(url).search);
  parameters.refuseMisspelled(PARAMETERS);
  const given = parameters.single("level") ?? "all";
  const level = LEVELS.find((one) => one === given);
  if (level === undefined) throw parameterInvalid(`level must be one of ${LEVELS.join(", ")}`);
  const collection = parameters.single("collection");
  const named = parameters.single("run");
  const run = named === undefined
    ? runs.findLast(({ action }) => isRun(action))
    : runs.find(({ jobId }) => jobId === named);
  if (named !== undefined && run === undefined) throw new Refusal("NOT_FOUND");
  const isShown = (line: ReportLine) =>
    (collection === undefined || line.collection === collection) &&
    (level === "all" || line.status === "failed" ||
      level === "warning" && line.problems.length > 0);
  async function* lines(): AsyncGenerator<string> {
    if (run === undefined) return;
    for await (const line of reportLines(context, id, run.jobId)) {
      if (isShown(line)) yield `${JSON.stringify(line)}\n`;
    }
  }
  const stream = ReadableStream.from(lines()).pipeThrough(new TextEncoderStream());
  return new Response(pacedAnswer(stream), {
    headers: { "content-type": NDJSON, "cache-control": "no-store" },
  });
}
