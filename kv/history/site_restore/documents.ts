/**
 * Restoring documents to an instant, whatever they are called in between.
 *
 * @module
 */
import { schemaOf, stageClaimed } from "../../documents/write.ts";
import { sameJson } from "../../model/same_json.ts";
import type { Head, LiveRow } from "../../entities.ts";
import type { Collection, Schema } from "../../model/collection.ts";
import type { DocumentState } from "../../model/document.ts";
import { lostCollection } from "../restore/lost_collection.ts";
import type { Entry } from "../../store/operation.ts";
import { type Transaction, versionedWrite } from "../../versioned_write.ts";
import { type Blocked, type Move, stageClaims } from "./claims.ts";
import {
  countYoung,
  isYoung,
  leave,
  type Reason,
  restorer,
  restoreSummary,
  type Site,
  type Tally,
} from "./site.ts";
import { stateThen } from "./then.ts";

/** Documents that swap their slugs or values in one commit: each takes one of its ten checks. */
const TOGETHER_MAX = 8;
/** Documents that one waits for, one behind the other. */
const CHAIN_MAX = 1_000;

/** What became of a document by one attempt. */
type Outcome =
  | { kind: "minted" | "removed" | "nothing" }
  | { kind: "young"; entry: Entry<LiveRow> }
  | { kind: "left"; reason: Reason }
  | { kind: "blocked"; by: string[] };

/** Which documents a pass is about: those that are there at the instant, or all others. */
export type Pass = "mint" | "remove";

/** Restores one document and counts what became of it. */
export async function restoreDocument(
  site: Site,
  pass: Pass,
  entry: Entry<LiveRow>,
  tally: Tally,
): Promise<void> {
  const id = entry.key.at(-1) as string;
  const outcome = await restoreInTurn(site, pass, id, [entry], []);
  switch (outcome.kind) {
    case "young": {
      // Each is counted by one of the passes.
      const isMine = (outcome.entry.value?.gone === true) === (pass === "remove");
      return isMine ? await countYoung(site, tally, "document", outcome.entry) : undefined;
    }
    case "left":
      return leave(tally, "document", id, outcome.reason);
    case "blocked":
      return leave(tally, "document", id, "taken");
    case "minted":
    case "removed":
      tally[outcome.kind] += 1;
  }
}

/** Restores a document after those that hold what it wants; `path` leads to it. */
async function restoreInTurn(
  site: Site,
  pass: Pass | null,
  id: string,
  known: Entry[],
  path: readonly string[],
): Promise<Outcome> {
  const asked = new Set<string>();
  let together: readonly string[] = [id];
  for (let entries = known;; entries = []) {
    const outcome = await attempt(site, together.length === 1 ? pass : null, together, entries);
    if (outcome.kind !== "blocked" || path.length >= CHAIN_MAX) return outcome;
    const places = outcome.by.map((other) => path.indexOf(other)).filter((place) => place >= 0);
    if (places.length > 0) {
      // They wait for one another in a circle.
      together = [...new Set([...path.slice(Math.min(...places)), ...together])];
      if (together.length > TOGETHER_MAX) return outcome;
      continue;
    }
    for (const other of new Set(outcome.by)) {
      // It has had its turn and still holds the value: it stays as it stands.
      if (asked.has(other)) return outcome;
      asked.add(other);
      await restoreInTurn(site, null, other, [], [...path, ...together]);
    }
  }
}

/** Restores some documents in one commit; the answer is about the last of them. */
async function attempt(
  site: Site,
  pass: Pass | null,
  ids: readonly string[],
  known: Entry[],
): Promise<Outcome> {
  const { content, context } = site;
  return await versionedWrite(context, restorer(site), async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const moves: (Move & { head: Head })[] = [];
    let outcome: Outcome = { kind: "nothing" };
    for (const id of ids) {
      const found = await moveOf(transaction, site, pass, id, schema);
      if ("kind" in found) outcome = found;
      else {
        moves.push(found);
        outcome = { kind: found.after === null ? "removed" : "minted" };
      }
    }
    if (moves.length === 0) return outcome;
    const blocked = await stageClaims(transaction, site, moves);
    if (blocked !== null) return refused(blocked);
    const summary = restoreSummary(site);
    for (const { collection, head, before, after } of moves) {
      const options = { summary, republish: !sameJson(before, after) };
      await stageClaimed(transaction, content, collection, head, after, options);
    }
    return outcome;
  }, { known });
}

/** Where a document goes, or why it does not. */
async function moveOf(
  transaction: Transaction,
  site: Site,
  pass: Pass | null,
  id: string,
  schema: Schema,
): Promise<(Move & { head: Head }) | Outcome> {
  const head = await transaction.head("document", id);
  if (isYoung(site, head.entry)) return { kind: "young", entry: head.entry };
  const { context, timeline, timestamp } = site;
  const then = await stateThen(context, timeline, { type: "document", id, head }, timestamp);
  const isHere = pass === null || (then.kind === "absent") === (pass === "remove");
  if (!isHere || (then.kind === "absent" && head.state === null)) return { kind: "nothing" };
  if (then.kind === "pruned") return { kind: "left", reason: "pruned" };
  const before = head.state as DocumentState | null;
  const after = then.kind === "there" ? then.state as unknown as DocumentState : null;
  const collection = await collectionOf(site, schema, (after ?? before)!.collectionId);
  return { id, collection, before, after, head };
}

/** The collection of a document; trashed documents outlive theirs. */
async function collectionOf(site: Site, schema: Schema, id: string): Promise<Collection> {
  const present = schema.byId.get(id) ?? site.lost.get(id);
  if (present !== undefined) return present;
  const lost = await lostCollection(site.context, id);
  site.lost.set(id, lost);
  return lost;
}

function refused({ by, taken }: Blocked): Outcome {
  return taken ? { kind: "left", reason: "taken" } : { kind: "blocked", by };
}
