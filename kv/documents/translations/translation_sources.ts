/**
 * What translations are made from: confirming that one still holds although the original has changed, and copying
 * the values of another language.
 *
 * @module
 */
import type { Content } from "../content.ts";
import { documentWrite } from "../documents.ts";
import {
  decideTranslation,
  refuseLanguageOf,
  stageTranslation,
  type TranslationChange,
  translationHead,
  type TranslationResult,
  type TranslationWriteOptions,
} from "./translations.ts";
import type { Collection } from "../../model/entities/collection.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import type { Actor, Json } from "../../model/entities/entity.ts";
import {
  originalOf,
  outdatedRoots,
  sourceOf,
  translationOf,
} from "../../model/languages/translation.ts";
import { ownValue } from "../../model/primitives/own_value.ts";
import { invalid, Refusal } from "../../refusals.ts";

/** Records today's original as what a translation was made from, in all its fields or some. */
export function acceptTranslation(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  names: readonly string[] | null,
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  const acceptance: TranslationChange = {
    summary: `Translation ${code} confirmed`,
    republish: false,
    change: ({ state, head, collection, translation }) => {
      const roots = rootsOf(collection, names);
      const accepted = outdatedRoots(state, translation)
        .filter((root) => roots === null || roots.includes(root));
      if (accepted.length === 0) return translation;
      const version = state.originalVersion ?? head.row.n;
      const beside = { ...translation.beside };
      for (const root of accepted) beside[root] = sourceOf(state, root, version);
      return { ...translation, beside };
    },
  };
  return documentWrite(
    content,
    actor,
    (transaction) => stageTranslation(transaction, content, id, code, acceptance, options),
    options,
  );
}

/** The roots of the localized fields that a body names; null for all. */
function rootsOf(collection: Collection, names: readonly string[] | null): string[] | null {
  return names?.map((name, index) => rootOf(collection, name, `fields.${index}`)) ?? null;
}

/** The root of a localized field by its name. */
function rootOf({ fields }: Collection, name: string, path: string): string {
  if (name === "title" || name === "blocks") return name;
  const field = fields.find((one) => one.name === name && one.localized);
  if (field !== undefined) return field.key;
  throw invalid(path, "INVALID_CHOICE", "Is not a localized field");
}

/** Copies own values of another language, all or some, into a translation or, if it is published, its working copy. */
export function copyTranslation(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  { from, fields }: { from: string; fields: readonly string[] | null },
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  return documentWrite(content, actor, async (transaction) => {
    const found = await translationHead(transaction, content, id, code, options);
    const { state, collection, translation } = found;
    refuseLanguageOf(collection, from, "from");
    const body = copiedValues(state, collection, from, rootsOf(collection, fields));
    if (translation === null && body.title === undefined) {
      throw invalid("title", "REQUIRED", "The other language has none to copy");
    }
    const how = { ...options, blocks: "accept" as const, summary: `Copied from ${from}: ${code}` };
    const toCopy = translation?.status === "published";
    return await decideTranslation(transaction, content, id, code, body, {
      ...how,
      ...(toCopy && { toWorkingCopy: true }),
    });
  }, options);
}

/** The own values of a document in a language, as a body has them. */
function copiedValues(
  state: DocumentState,
  collection: Collection,
  from: string,
  roots: readonly string[] | null,
): Record<string, Json> {
  const isOriginal = originalOf(state, collection) === from;
  const side = isOriginal ? state : translationOf(state, from);
  if (side === undefined) throw new Refusal("NOT_FOUND");
  const wanted = (root: string) => roots === null || roots.includes(root);
  const values = collection.fields.filter(({ localized, key }) => localized && wanted(key))
    .flatMap(({ key, name }) => {
      const value = ownValue(side.data, key);
      return value === undefined ? [] : [[name, value] as const];
    });
  return {
    ...(wanted("title") && { title: side.title }),
    ...(wanted("blocks") && side.blocks !== undefined && { blocks: side.blocks }),
    ...Object.fromEntries(values),
  };
}
