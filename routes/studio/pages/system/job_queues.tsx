/**
 * The queues: the number of waiting jobs per lane, the throughput, and the remaining time, one row per lane.
 *
 * @module
 */
import type { Context } from "../../../../kv/context.ts";
import type { DueCounter } from "../../../../kv/jobs/due_counter.ts";
import { dueByLane, type DueLane } from "../../../../kv/jobs/due_summary.ts";
import type { Lane } from "../../../../kv/jobs/due.ts";
import { type JobRates, readRates } from "../../../../kv/jobs/job_rates.ts";
import { QUEUED_COUNTED_MAX } from "../../../input/limits.ts";
import { Table } from "../../components/table.tsx";
import { durationOf } from "../../wording/job_words.ts";

const LANE_WORDS: Readonly<Record<Lane, string>> = {
  interactive: "Manual",
  scheduled: "Scheduled",
  retry: "Retries",
  bulk: "Publishing and other bulk work",
  idle: "Maintenance",
  outbound: "Calls to webhooks and plugins",
};

/** The current queues. */
export interface Queues {
  lanes: DueLane[];
  rates: JobRates;
}

/** Reads what waits. */
export async function readQueues(context: Context, counter: DueCounter): Promise<Queues> {
  const now = context.now();
  const [lanes, rates] = await Promise.all([dueByLane(context.store, now, 1), readRates(context)]);
  const counted = lanes.map(async (queue) => {
    if (queue.count === 0) return queue;
    return { ...queue, count: await counter.count(queue.lane, now, QUEUED_COUNTED_MAX) };
  });
  return { lanes: await Promise.all(counted), rates };
}

/** A row for each lane in which something waits; nothing when nothing does. */
export function JobQueues({ queues: { lanes, rates } }: { queues: Queues }) {
  const waiting = lanes.filter(({ count }) => count > 0);
  if (waiting.length === 0) return null;
  const head = (
    <>
      <th scope="col">Queue</th>
      <th scope="col">Waiting or running</th>
      <th scope="col">Oldest</th>
      <th scope="col">Done per minute</th>
      <th scope="col">Time left</th>
    </>
  );
  return (
    <Table head={head} label="Queues">
      {waiting.map(({ lane, count, oldestMs }) => (
        <tr>
          <th scope="row">{LANE_WORDS[lane]}</th>
          <td class="number">
            {count < QUEUED_COUNTED_MAX
              ? count.toLocaleString("en")
              : `over ${QUEUED_COUNTED_MAX.toLocaleString("en")}`}
          </td>
          <td>{durationOf(oldestMs)}</td>
          <td class="number">{rates[lane].toLocaleString("en")}</td>
          <td>{timeLeft(count, rates[lane])}</td>
        </tr>
      ))}
    </Table>
  );
}

/** How long the rest takes at this rate. */
function timeLeft(count: number, rate: number): string {
  if (rate === 0) return "–";
  const least = count < QUEUED_COUNTED_MAX ? "about" : "more than";
  return `${least} ${durationOf(count / rate * 60_000)}`;
}
