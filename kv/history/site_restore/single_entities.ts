/**
 * Restoring entities that belong to no group: tokens, media. Each is one commit.
 *
 * @module
 */
import { seconds } from "../../context.ts";
import { type CurrentRow, type VersionRow, versionState } from "../../versioning/entities.ts";
import { refuseDuringImport } from "../../versioning/import_lock.ts";
import { currentKey, currentPrefix, versionKey } from "../../keys.ts";
import { isValidAgain } from "../../people/tokens.ts";
import type { TokenState } from "../../model/entities/token.ts";
import { kindOf, type SiteType } from "../../model/entities/entity_kinds.ts";
import { requestReferrerRendering } from "../../pages/rendering_requests.ts";
import type { Entry } from "../../store/operation.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
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

/** The next current rows of a type, in order of id. */
export async function nextEntities(
  { context }: RestoreRun,
  type: SiteType,
  after: string,
  limit: number,
): Promise<Entry<CurrentRow>[]> {
  const range = { prefix: currentPrefix(type), start: currentKey(type, `${after}\0`) };
  return await context.store.listAll<CurrentRow>(range, { limit });
}

/** Restores one entity and counts what became of it. */
export async function restoreEntity(
  run: RestoreRun,
  type: SiteType,
  entry: Entry<CurrentRow>,
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
    if (run.keepRevoked && OPENS_AGAIN[type]?.(head.state, after, seconds(context))) {
      return "revoked";
    }
    transaction.save(type, id, head, after, { summary: restoreSummary(run) });
    const { looksTheSame } = kindOf(type);
    if (looksTheSame?.(head.state, after) === false) {
      requestReferrerRendering(transaction.operation, context, id);
    }
    return after === null ? "removed" : "minted";
  }, { known: [entry] });
  if (typeof outcome === "object") await countChanged(run, counts, type, outcome);
  else if (outcome === "skipped") countSkipped(counts, type, id, "pruned");
  else if (outcome === "revoked") countSkipped(counts, type, id, "revoked");
  else if (outcome !== "nothing") counts[outcome] += 1;
  await AFTERWARDS[type]?.(run, counts, id);
}

/** Whether what a restore would make of an entity can be used again, though it was taken away since. */
const OPENS_AGAIN: {
  readonly [type in SiteType]?: (before: unknown, after: unknown, at: number) => boolean;
} = {
  api_token: (before, after, at) =>
    after !== null && isValidAgain(before as TokenState | null, after as TokenState, at),
};

/** Runs after an entity of the type has been restored. */
const AFTERWARDS: { readonly [type in SiteType]?: typeof noteValidAgain } = {
  api_token: noteValidAgain,
};

/** Names a token that this restore has made usable again; a restore that runs on finds its own, too. */
async function noteValidAgain(
  run: RestoreRun,
  counts: RestoreCounts,
  id: string,
): Promise<void> {
  const { context } = run;
  const { value: row } = await context.store.get<CurrentRow>(currentKey("api_token", id));
  if (row === null || row.gone) return;
  const [before, after] = await context.store.getMany([
    versionKey("api_token", id, row.n - 1),
    versionKey("api_token", id, row.n),
  ]) as [Entry<VersionRow>, Entry<VersionRow>];
  if (!after.value?.summary?.startsWith(restorer(run).via)) return;
  const [was, is] = await Promise.all(
    [before, after].map(({ value }) =>
      value === null ? null : versionState(context, "api_token", id, value)
    ),
  );
  if (is == null || !isValidAgain(was ?? null, is, seconds(context))) return;
  counts.validAgain = [...counts.validAgain ?? [], { id, name: is.name }]
    .sort((a, b) => a.id < b.id ? -1 : 1);
}
