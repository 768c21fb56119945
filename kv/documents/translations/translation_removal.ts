/**
 * Taking translations away, or the changes of them that are not public yet.
 *
 * @module
 */
import type { Content } from "../content.ts";
import { documentWrite } from "../documents.ts";
import {
  stageTranslation,
  type TranslationChange,
  type TranslationResult,
  type TranslationWriteOptions,
} from "./translations.ts";
import { isForPublic } from "../../model/entities/document.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { Refusal } from "../../refusals.ts";

/** Takes a translation away; it stays in the history. */
export function removeTranslation(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  const removal: TranslationChange = {
    summary: `Translation ${code} removed`,
    change: ({ translation: { status } }) => {
      if (options.draftsOnly && isForPublic(status)) throw new Refusal("FORBIDDEN");
      return null;
    },
  };
  return documentWrite(
    content,
    actor,
    (transaction) => stageTranslation(transaction, content, id, code, removal, options),
    options,
  );
}

/** Discards the working copy of a translation; NOT_FOUND when there is none. */
export function discardTranslationCopy(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  const discarding: TranslationChange = {
    summary: `Changes discarded: ${code}`,
    republish: false,
    change: ({ translation: { workingCopy, ...rest } }) => {
      if (workingCopy === undefined) throw new Refusal("NOT_FOUND");
      return rest;
    },
  };
  return documentWrite(
    content,
    actor,
    (transaction) => stageTranslation(transaction, content, id, code, discarding, options),
    options,
  );
}
