/**
 * Restoring documents to an instant, whatever they are called in between.
 *
 * @module
 */
import { withoutLapsedSchedule } from "../../documents/lapsed_schedule.ts";
import { documentOf } from "../../documents/reservations.ts";
import { schemaOf, stageReserved } from "../../documents/write.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import { sameJson } from "../../model/values/same_json.ts";
import { laidOver } from "../../model/entities/working_copy.ts";
import type { CurrentRow, Head } from "../../versioning/entities.ts";
import type { Collection, Schema } from "../../model/entities/collection.ts";
import { lostCollection } from "../restore/lost_states.ts";
import type { Entry } from "../../store/operation.ts";
import { RESTORE_CHAIN_MAX, RESTORED_TOGETHER_MAX } from "../../tuning.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import { convertLeft } from "./left_documents.ts";
import { type BlockingMove, type Move, stageReservations } from "./reservations.ts";
import {
  countChanged,
  countSkipped,
  isChangedSince,
  type Reason,
  type RestoreCounts,
  restorer,
  type RestoreRun,
  restoreSummary,
} from "./restore_run.ts";
import { stateAtInstant } from "./state_at_instant.ts";

/** The result of one attempt at a document. */
type Outcome =
  | { kind: "minted" | "removed" | "nothing" }
  | { kind: "changed"; entry: Entry<CurrentRow> }
  | { kind: "skipped"; reason: Reason }
  | { kind: "blocked"; by: string[] };

/** A document on its way back, as it stands now. */
interface StagedMove extends Move {
  head: Head<"document">;
  /** Why it differs from its version; null when it does not. */
  lapsed: string | null;
}

/** Which documents a pass is about: those that are there at the instant, or all others. */
export type Pass = "mint" | "remove";

/** Restores one document and counts what became of it. */
export async function restoreDocument(
  run: RestoreRun,
  pass: Pass,
  entry: Entry<CurrentRow>,
  counts: RestoreCounts,
): Promise<void> {
  const id = entry.key.at(-1) as string;
  const outcome = await restoreInOrder(run, pass, id, [entry, ...run.known], []);
  if (["changed", "skipped", "blocked"].includes(outcome.kind)) await convertLeft(run, id);
  switch (outcome.kind) {
    case "changed": {
      // Each is counted by one of the passes.
      const isMine = (outcome.entry.value?.gone === true) === (pass === "remove");
      return isMine ? await countChanged(run, counts, "document", outcome.entry) : undefined;
    }
    case "skipped":
      return countSkipped(counts, "document", id, outcome.reason);
    case "blocked":
      return countSkipped(counts, "document", id, "taken");
    case "minted":
    case "removed":
      counts[outcome.kind] += 1;
  }
}

/** Restores a document after those that hold what it wants; `path` leads to it. */
async function restoreInOrder(
  run: RestoreRun,
  pass: Pass | null,
  id: string,
  known: Entry[],
  path: readonly string[],
): Promise<Outcome> {
  const asked = new Set<string>();
  let together: readonly string[] = [id];
  for (let entries = known;; entries = []) {
    const outcome = await attempt(run, together.length === 1 ? pass : null, together, entries);
    if (outcome.kind !== "blocked" || path.length >= RESTORE_CHAIN_MAX) return outcome;
    const positions = outcome.by.map((other) => path.indexOf(other)).filter((at) => at >= 0);
    if (positions.length > 0) {
      // They wait for one another in a circle.
      together = [...new Set([...path.slice(Math.min(...positions)), ...together])];
      if (together.length > RESTORED_TOGETHER_MAX) return outcome;
      continue;
    }
    for (const other of new Set(outcome.by)) {
      // It has had its turn and still holds the value: it stays as it stands.
      if (asked.has(other)) return outcome;
      asked.add(other);
      await restoreInOrder(run, null, other, [], [...path, ...together]);
    }
  }
}

/** Restores some documents in one commit; the answer is about the last of them. */
async function attempt(
  run: RestoreRun,
  pass: Pass | null,
  ids: readonly string[],
  known: Entry[],
): Promise<Outcome> {
  const { content, context } = run;
  return await versionedWrite(context, restorer(run), async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const moves: StagedMove[] = [];
    let outcome: Outcome = { kind: "nothing" };
    for (const id of ids) {
      const found = await moveOf(transaction, run, pass, id, schema);
      if ("kind" in found) outcome = found;
      else {
        moves.push(found);
        outcome = { kind: found.after === null ? "removed" : "minted" };
      }
    }
    if (moves.length === 0) return outcome;
    const blocked = await stageReservations(transaction, run, moves);
    if (blocked !== null) return refused(blocked);
    const summary = restoreSummary(run);
    for (const { collection, head, before, after, lapsed } of moves) {
      const options = {
        summary: lapsed === null ? summary : `${summary}; ${lapsed}`,
        republish: !sameJson(before, after),
      };
      await stageReserved(transaction, content, { collection, head, after, options });
    }
    return outcome;
  }, { known });
}

/** The change of a document, or the reason to skip it. */
async function moveOf(
  transaction: Transaction,
  run: RestoreRun,
  pass: Pass | null,
  id: string,
  schema: Schema,
): Promise<StagedMove | Outcome> {
  const head = await transaction.head("document", id);
  if (isChangedSince(run, head.entry)) return { kind: "changed", entry: head.entry };
  const { context, timeline, timestamp } = run;
  const then = await stateAtInstant(context, timeline, { type: "document", id, head }, timestamp);
  const isHere = pass === null || (then.kind === "absent") === (pass === "remove");
  if (!isHere || (then.kind === "absent" && head.state === null)) return { kind: "nothing" };
  if (then.kind === "pruned") return { kind: "skipped", reason: "pruned" };
  const before = head.state;
  const past = then.kind === "there" ? withoutLapsedSchedule(then.state, transaction.at) : null;
  const after = past === null ? null : withCopyLaidOver(past.state);
  const collection = await collectionOf(run, schema, documentOf({ before, after }).collectionId);
  return { id, collection, before, after, head, lapsed: past?.lapsed ?? null };
}

/** Only a published document has a working copy. */
function withCopyLaidOver(state: DocumentState): DocumentState {
  return state.status === "published" ? state : laidOver(state);
}

/** The collection of a document; trashed documents outlive theirs. */
async function collectionOf(run: RestoreRun, schema: Schema, id: string): Promise<Collection> {
  const present = schema.byId.get(id) ?? run.lost.get(id);
  if (present !== undefined) return present;
  const lost = await lostCollection(run.context, id);
  run.lost.set(id, lost);
  return lost;
}

function refused({ by, taken }: BlockingMove): Outcome {
  return taken ? { kind: "skipped", reason: "taken" } : { kind: "blocked", by };
}
