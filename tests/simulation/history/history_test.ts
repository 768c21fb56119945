import { assert } from "@std/assert";
import { SITE_TYPES } from "../../../kv/model/entities/entity_kinds.ts";
import { isWholeRun, seedCount } from "../../support/harness/whole_run.ts";
import { simulateHistory } from "./history.ts";

const SEEDS = seedCount(3, 16);
/** The most seeds of a whole run, which continues until releases have been reverted. */
const SEEDS_MAX = 64;

Deno.test("history over HTTP is what a reference model says, through restores, prunes, sweeps and crashes", async () => {
  const counts: Record<string, number> = {};
  const hasReverts = () => (counts["releases reverted"] ?? 0) > 1;
  for (let seed = 1; seed <= SEEDS || isWholeRun && !hasReverts() && seed <= SEEDS_MAX; seed++) {
    try {
      for (const [what, count] of Object.entries(await simulateHistory(seed))) {
        counts[what] = (counts[what] ?? 0) + count;
      }
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }

  assert(counts.accepted! > 6 * SEEDS && counts.restores! > 0, JSON.stringify(counts));
  // What happens seldom needs all seeds; every change of the service changes what a seed leads to.
  if (!isWholeRun) return;
  assert(counts.restores! > 10, JSON.stringify(counts));
  assert(counts["content restores"]! > 0, JSON.stringify(counts));
  assert(counts["lapsed schedules"]! > 0, JSON.stringify(counts));
  assert(counts["times due together"]! > 0, JSON.stringify(counts));
  assert(
    counts["releases published"]! > 5 && hasReverts(),
    JSON.stringify(counts),
  );
  assert(counts["whole journeys"]! > 10 && counts.deaths! > 5, JSON.stringify(counts));
  assert(
    counts.typed! > 10 && counts.gaps! > 10 && counts["cut off"]! > 10,
    JSON.stringify(counts),
  );
  assert(counts.grown! > 10, JSON.stringify(counts));
  assert(counts["published translations"]! > 0, JSON.stringify(counts));
  assert(counts.discussion! > 0, JSON.stringify(counts));
  for (const type of SITE_TYPES) assert(counts[type]! > 0, `there was no ${type}`);
});
