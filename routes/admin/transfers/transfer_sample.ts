/**
 * `GET /api/admin/transfers/{id}/sample`: what some rows would become.
 *
 * @module
 */
import { TRANSFER_SAMPLE_MAX } from "../../../kv/limits/transfers.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { readPlan, type TransferRecord } from "../../../kv/transfers/transfers.ts";
import { targetSlug } from "../../../kv/model/transfers/plan.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { TransferDeps } from "../../../jobs/transfers/run/transfer_deps.ts";
import { sampleRows } from "../../../jobs/transfers/run/sample.ts";
import { parameterInvalid, Parameters } from "../../query/parameters.ts";

/** Rows of a sample unless asked for. */
const INITIAL_ROWS = 10;

/** The documents that the first rows of a collection would become. */
export async function transferSample(
  deps: TransferDeps,
  record: TransferRecord,
  url: string,
): Promise<{ data: Json[] }> {
  const parameters = new Parameters(new URL(url).search);
  parameters.refuseMisspelled(["collection", "limit"]);
  const plan = await readPlan(deps.content.context, record);
  if (plan === null) throw new Refusal("CONFLICT", { about: `the transfer is ${record.state}` });
  const limit = parameters.single("limit") ?? String(INITIAL_ROWS);
  if (!/^\d{1,9}$/.test(limit) || Number(limit) < 1) {
    throw parameterInvalid("limit must be an integer of at least 1");
  }
  const slug = parameters.single("collection");
  const collection = plan.collections.find((one) => slug === undefined || targetSlug(one) === slug);
  if (collection === undefined) throw parameterInvalid("collection must be a target of the plan");
  const count = Math.min(Number(limit), TRANSFER_SAMPLE_MAX);
  return { data: await sampleRows(deps, record, plan, collection, count) };
}
