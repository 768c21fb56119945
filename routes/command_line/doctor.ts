/**
 * `cms doctor`: examines the store, and repairs what can be rebuilt.
 *
 * @module
 */
import { examine } from "../../kv/doctor/doctor.ts";
import type { DoctorOptions, Finding } from "../../kv/doctor/finding.ts";
import { runNow } from "../../jobs/run_now.ts";
import type { Command } from "./command_context.ts";
import { parseOptions } from "./options.ts";

/** Runs `cms doctor`. */
export const doctorCommand: Command = async (context, args) => {
  const { content, search, runner, print, checkConfiguration } = context;
  const { flags } = parseOptions(args, { repair: "boolean" });
  const rebuildSearch: DoctorOptions["rebuildSearch"] = async (only) => {
    const payload = { force: true, ...only };
    await runNow(content.context, runner, { type: "REBUILD_SEARCH", payload });
  };
  let left = 0;
  let repaired = 0;
  const findings = async function* () {
    yield* examine({ content, search, rebuildSearch });
    if (checkConfiguration !== undefined) yield* checkConfiguration();
  };
  for await (const finding of findings()) {
    const done = flags.repair && await repair(finding);
    if (done) repaired += 1;
    else left += 1;
    const note = done ? " (repaired)" : finding.repair === undefined ? "" : " (can be repaired)";
    print(`${finding.check}: ${finding.subject}: ${finding.problem}${note}`);
  }
  print(`${left + repaired} problems found, ${repaired} repaired, ${left} remaining`);
  return left === 0 ? 0 : 1;
};

async function repair({ repair }: Finding): Promise<boolean> {
  return repair !== undefined && await repair();
}
