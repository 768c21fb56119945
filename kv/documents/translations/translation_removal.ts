/**
 * Taking translations away, or the changes of them that are not public yet.
 *
 * @module
 */
import type { Content } from "../content.ts";
import { documentWrite } from "../documents.ts";
import {
  translationHead,
  type TranslationResult,
  type TranslationWriteOptions,
} from "./translations.ts";
import { stageDocument } from "../write.ts";
import { isForPublic } from "../../model/entities/document.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { withTranslation } from "../../model/languages/translation.ts";
import { Refusal } from "../../refusals.ts";

/** Takes a translation away; it stays in the history. */
export function removeTranslation(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  return documentWrite(content, actor, async (transaction) => {
    const { head, state, collection, translation } = await translationHead(
      transaction,
      content,
      id,
      code,
      options,
    );
    if (translation === null) throw new Refusal("NOT_FOUND");
    if (options.draftsOnly && isForPublic(translation.status)) throw new Refusal("FORBIDDEN");
    if (options.condition !== undefined && !options.condition(state, collection)) {
      throw new Refusal("PRECONDITION_FAILED");
    }
    const after = withTranslation(state, code, null);
    const written = await stageDocument(transaction, content, {
      collection,
      head,
      after,
      options: { summary: `Translation ${code} removed` },
    });
    return { ...written, collection };
  }, options);
}

/** Discards the working copy of a translation; NOT_FOUND when there is none. */
export function discardTranslationCopy(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  return documentWrite(content, actor, async (transaction) => {
    const { head, state, collection, translation } = await translationHead(
      transaction,
      content,
      id,
      code,
      options,
    );
    if (translation?.workingCopy === undefined) throw new Refusal("NOT_FOUND");
    if (options.condition !== undefined && !options.condition(state, collection)) {
      throw new Refusal("PRECONDITION_FAILED");
    }
    const { workingCopy: _discarded, ...rest } = translation;
    const saved = { summary: `Changes discarded: ${code}`, republish: false };
    const after = withTranslation(state, code, rest);
    const write = { collection, head, after, options: saved };
    return { ...await stageDocument(transaction, content, write), collection };
  }, options);
}
