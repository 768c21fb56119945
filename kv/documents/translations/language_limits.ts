/**
 * Actors that are limited to some languages: what a write does in each language must be allowed there.
 *
 * @module
 */
import { type Collection, languagesOf } from "../../model/entities/collection.ts";
import { type DocumentState, isForPublic } from "../../model/entities/document.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { publicPart } from "../../model/entities/publication.ts";
import { changedLanguages, originalOf, translationOf } from "../../model/languages/translation.ts";
import { sameJson } from "../../model/values/same_json.ts";
import { Refusal } from "../../refusals.ts";

/** What an actor does with a document in a language. */
export type LanguageAction = Parameters<NonNullable<Actor["languagesOn"]>>[0];

/**
 * Refuses a write that changes a language in a way that its author may not. Values that all languages share, and
 * whether the document is in the trash, belong to the original.
 */
export function refuseOtherLanguages(
  actor: Actor,
  collection: Collection,
  before: DocumentState | null,
  after: DocumentState,
): void {
  if (actor.languagesOn === undefined || languagesOf(collection) === undefined) return;
  const document = before ?? after;
  for (const code of changedLanguages(before, after)) {
    refuseLanguageBeyond(actor, collection, document, code, actionIn(code, before, after));
  }
}

/** Whether an actor may do something in a language, `""` for the original, as far as languages limit it. */
export function isWithinLanguages(
  { languagesOn }: Pick<Actor, "languagesOn">,
  collection: Collection,
  document: DocumentState,
  language: string,
  action: LanguageAction,
): boolean {
  const languages = languagesOn?.(action, document) ?? null;
  const code = language === "" ? originalOf(document, collection) : language;
  return languages === null || code === undefined || languages.includes(code);
}

/** Refuses an action in a language, `""` for the original, that the actor may not do there. */
export function refuseLanguageBeyond(
  actor: Actor,
  collection: Collection,
  document: DocumentState,
  language: string,
  action: LanguageAction,
): void {
  if (isWithinLanguages(actor, collection, document, language, action)) return;
  const languages = actor.languagesOn?.(action, document) ?? [];
  const which = languages.length === 0 ? "no language" : `${languages.join(", ")} only`;
  throw new Refusal("FORBIDDEN", { about: `you may do this in ${which}` });
}

/** What a write does in a language, `""` for the original. */
function actionIn(
  language: string,
  before: DocumentState | null,
  after: DocumentState,
): LanguageAction {
  if (language === "" && after.status === "trashed") return "delete";
  const [was, is] = [before, after].map((state) => {
    const side = state === null || language === "" ? state : translationOf(state, language);
    return side && isForPublic(side.status) ? publicPart(side) : null;
  });
  if (!sameJson(was, is)) return "publish";
  return before === null ? "create" : "edit";
}
