/**
 * Restoring entities that belong to no group: tokens, media. Each is one commit.
 *
 * @module
 */
import type { LiveRow } from "../../entities.ts";
import { refuseDuringImport } from "../../backup/import_lock.ts";
import { liveKey, livePrefix } from "../../keys.ts";
import { kindOf, type SiteType } from "../../model/entity_kinds.ts";
import { requestReferrerRendering } from "../../pages/rendering_requests.ts";
import type { Entry } from "../../store/operation.ts";
import { versionedWrite } from "../../versioned_write.ts";
import {
  countChanged,
  countSkipped,
  isChangedSince,
  type RestoreCounts,
  restorer,
  type RestoreRun,
  restoreSummary,
} from "./restore_run.ts";
import { stateAtInstant } from "./state_at_instant.ts";

/** The next live rows of a type, in order of id. */
export async function nextEntities(
  { context }: RestoreRun,
  type: SiteType,
  after: string,
  limit: number,
): Promise<Entry<LiveRow>[]> {
  const range = { prefix: livePrefix(type), start: liveKey(type, `${after}\0`) };
  return await context.store.listAll<LiveRow>(range, { limit });
}

/** Restores one entity and counts what became of it. */
export async function restoreEntity(
  run: RestoreRun,
  type: SiteType,
  entry: Entry<LiveRow>,
  counts: RestoreCounts,
): Promise<void> {
  const { context, timeline, timestamp } = run;
  const id = entry.key.at(-1) as string;
  const outcome = await versionedWrite(context, restorer(run), async (transaction) => {
    await refuseDuringImport(transaction);
    const head = await transaction.head(type, id);
    if (isChangedSince(run, head.entry)) return head.entry;
    const then = await stateAtInstant(context, timeline, { type, id, head }, timestamp);
    if (then.kind === "pruned") return "skipped";
    if (then.kind === "absent" && head.state === null) return "nothing";
    const after = then.kind === "there" ? then.state : null;
    transaction.save(type, id, head, after, { summary: restoreSummary(run) });
    const { looksTheSame } = kindOf(type);
    if (looksTheSame?.(head.state, after) === false) {
      requestReferrerRendering(transaction.operation, context, id);
    }
    return after === null ? "removed" : "minted";
  }, { known: [entry] });
  if (typeof outcome === "object") await countChanged(run, counts, type, outcome);
  else if (outcome === "skipped") countSkipped(counts, type, id, "pruned");
  else if (outcome !== "nothing") counts[outcome] += 1;
}
