/**
 * Putting a document back to what it was before a release: whole if nothing has changed since, else the languages of
 * the release if nothing of these has.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { withoutLapsedSchedule } from "../documents/lapsed_schedule.ts";
import { versionKey } from "../keys.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { ReleasePlan } from "../model/entities/release.ts";
import { modernized } from "../model/fields/field_migration.ts";
import {
  changedLanguages,
  translationOf,
  withTranslation,
} from "../model/languages/translation.ts";
import { type VersionRow, versionState } from "../versioning/entities.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { languagesOfPlan, withSide } from "./release_languages.ts";

/** What is put back: the version that a release made, and the one before it. */
export interface PutBack {
  then: number;
  to: number;
}

/** A document as it is put back, or why it is left as it is. */
export async function stateToPutBack(
  { context, at }: Transaction,
  schema: Schema,
  { state, n, collection }: { state: DocumentState; n: number; collection: Collection },
  plan: Pick<ReleasePlan, "languages">,
  { then, to }: PutBack,
): Promise<DocumentState | string> {
  const codes = languagesOfPlan(state, collection, plan);
  if (n !== then && !await isUnchanged(context, state, then, codes)) return "it has changed since";
  const former = await versionAt(context, state.id, to);
  const home = schema.byId.get(former?.collectionId ?? "");
  if (former === null || home === undefined) return "its former version was pruned";
  const back = modernized(withoutLapsedSchedule(former, at).state, home, schema.blocks);
  return n === then ? back : withSidesOf(state, back, codes);
}

/** A version of a document; null if it was pruned. */
export async function versionAt(
  context: Context,
  id: string,
  n: number,
): Promise<DocumentState | null> {
  const { value } = await context.store.get<VersionRow>(versionKey("document", id, n));
  return value === null ? null : await versionState(context, "document", id, value);
}

/** Whether some languages of a document are as they were in a version; the original of one without translations is not. */
async function isUnchanged(
  context: Context,
  state: DocumentState,
  n: number,
  languages: readonly string[],
): Promise<boolean> {
  const then = state.translations === undefined ? null : await versionAt(context, state.id, n);
  if (then === null) return false;
  const changed = changedLanguages(then, state);
  return languages.every((language) => !changed.includes(language));
}

function withSidesOf(
  state: DocumentState,
  from: DocumentState,
  languages: readonly string[],
): DocumentState {
  return languages.reduce((next, language) => {
    const side = language === "" ? from : translationOf(from, language);
    return side ? withSide(next, language, side) : withTranslation(next, language, null);
  }, state);
}
