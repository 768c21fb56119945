/**
 * Restoring entities that nothing else depends on: tokens, media, packages. Each is one commit.
 *
 * @module
 */
import type { LiveRow } from "../../entities.ts";
import { refuseDuringImport } from "../../backup/import_lock.ts";
import { liveKey, livePrefix } from "../../keys.ts";
import { stageMediaRow } from "../../media/media_list.ts";
import type { EntityType } from "../../model/entity.ts";
import { looksTheSame, type MediaState } from "../../model/media.ts";
import { requestPointingRendering } from "../../pages/rendering_requests.ts";
import type { Entry } from "../../store/operation.ts";
import { versionedWrite } from "../../versioned_write.ts";
import {
  countYoung,
  isYoung,
  leave,
  restorer,
  restoreSummary,
  type Site,
  type Tally,
} from "./site.ts";
import { stateThen } from "./then.ts";

/** The next live rows of a type, in order of id. */
export async function nextEntities(
  { context }: Site,
  type: EntityType,
  after: string,
  limit: number,
): Promise<Entry<LiveRow>[]> {
  const range = { prefix: livePrefix(type), start: liveKey(type, `${after}\0`) };
  return await context.store.listAll<LiveRow>(range, { limit });
}

/** Restores one entity and counts what became of it. */
export async function restorePlain(
  site: Site,
  type: EntityType,
  entry: Entry<LiveRow>,
  tally: Tally,
): Promise<void> {
  const { context, timeline, timestamp } = site;
  const id = entry.key.at(-1) as string;
  const outcome = await versionedWrite(context, restorer(site), async (transaction) => {
    await refuseDuringImport(transaction);
    const head = await transaction.head(type, id);
    if (isYoung(site, head.entry)) return head.entry;
    const then = await stateThen(context, timeline, { type, id, head }, timestamp);
    if (then.kind === "pruned") return "left";
    if (then.kind === "absent" && head.state === null) return "nothing";
    const after = then.kind === "there" ? then.state : null;
    transaction.save(type, id, head, after, { summary: restoreSummary(site) });
    if (type === "media_metadata") {
      const [before, medium] = [head.state as MediaState | null, after as MediaState | null];
      stageMediaRow(transaction.operation, id, medium);
      if (!looksTheSame(before, medium)) {
        requestPointingRendering(transaction.operation, context, id);
      }
    }
    return after === null ? "removed" : "minted";
  }, { known: [entry] });
  if (typeof outcome === "object") await countYoung(site, tally, type, outcome);
  else if (outcome === "left") leave(tally, type, id, "pruned");
  else if (outcome !== "nothing") tally[outcome] += 1;
}
