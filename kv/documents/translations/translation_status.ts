/**
 * The states of translations: published, unpublished and scheduled language by language, several in one version.
 *
 * @module
 */
import type { Content } from "../content.ts";
import { danglingReferences } from "../dangling_references.ts";
import { afterDueTimes, translationAfterDueTimes } from "../due_times.ts";
import { canExpire } from "../schedule_jobs.ts";
import {
  localizedPart,
  stageTranslation,
  type TranslationChange,
  translationHead,
} from "./translations.ts";
import { schemaOf, stageDocument, stagePublication, type WriteResult } from "../write.ts";
import { documentHead, refuseIncomplete } from "../documents.ts";
import { DETAILS_MAX, INSTANT_SECONDS_MAX } from "../../limits/requests.ts";
import { type Collection, languagesOf, type Schema } from "../../model/entities/collection.ts";
import { type DocumentState, published } from "../../model/entities/document.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { laidOver } from "../../model/entities/working_copy.ts";
import { inLanguage, publicView, translationLaidOver } from "../../model/languages/in_language.ts";
import {
  isOff,
  languagesIn,
  originalOf,
  outdatedRoots,
  ownRoots,
  type Source,
  sourceOf,
  type Translation,
  withTranslation,
} from "../../model/languages/translation.ts";
import { checkComplete } from "../../model/input/document_check.ts";
import { type Detail, invalid, Refusal } from "../../refusals.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";

/** Publishes some languages of a document, or all that it has, in one version: all of them or none. */
export async function publishLanguages(
  content: Content,
  actor: Actor,
  id: string,
  languages: readonly string[] | "*",
  { publishedAt }: { publishedAt?: number } = {},
): Promise<WriteResult> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (isOff(state)) {
      throw new Refusal("CONFLICT", { about: `the document is ${state.status}` });
    }
    const codes = codesToPublish(state, collection, languages);
    const at = Math.max(transaction.at, head.row.at);
    const details: Detail[] = [];
    let next = state;
    for (const code of codes) {
      const found = code === originalOf(state, collection)
        ? await originalPublished(transaction, schema, collection, next, at)
        : await translationPublished(transaction, schema, collection, next, code, at, publishedAt);
      next = found.state;
      details.push(...found.details);
    }
    if (details.length > 0) {
      throw new Refusal("VALIDATION_FAILED", { details: details.slice(0, DETAILS_MAX) });
    }
    const options = { summary: `Published: ${codes.join(", ")}` };
    if (next === state) {
      const { n } = head.row;
      const jobId = stagePublication(transaction, collection, {
        id,
        n,
        before: state,
        after: state,
      });
      return { state, n, jobId };
    }
    return await stageDocument(transaction, content, { collection, head, after: next, options });
  });
}

/** The languages that are named, in order; refuses those that the document does not have. */
function codesToPublish(
  state: DocumentState,
  collection: Collection,
  languages: readonly string[] | "*",
): string[] {
  const own = languagesIn(state, collection);
  if (languages === "*") return own;
  const details = languages.flatMap((code, index): Detail[] =>
    own.includes(code) ? [] : [{
      field: `languages.${index}`,
      code: "INVALID_LANGUAGE",
      message: `The document has no translation in ${code.slice(0, 35)}`,
    }]
  );
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return [...new Set(languages)];
}

/** A document with a language published, and what keeps it from being so. */
interface Attempted {
  state: DocumentState;
  details: Detail[];
}

async function originalPublished(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  given: DocumentState,
  at: number,
): Promise<Attempted> {
  const { state } = afterDueTimes(given, transaction.at);
  const code = originalOf(state, collection);
  const next = state.status === "published" && state.workingCopy === undefined
    ? state
    : published(laidOver(state), at);
  const details = await reasonsOf(() => refuseIncomplete(transaction, next, collection, schema));
  return {
    state: next,
    details: details.map((one) => ({ ...one, field: `${code}.${one.field}` })),
  };
}

async function reasonsOf(check: () => Promise<void>): Promise<Detail[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.facts.details !== undefined) return error.facts.details;
    throw error;
  }
}

async function translationPublished(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  state: DocumentState,
  code: string,
  at: number,
  publishedAt = at,
): Promise<Attempted> {
  const { translation: due, passed } = translationAfterDueTimes(state, code, transaction.at);
  if (due === undefined) throw new Refusal("NOT_FOUND");
  const { workingCopy } = due;
  const details = await incompleteTranslation(transaction, schema, collection, state, code, due);
  if (due.status === "published" && workingCopy === undefined && passed.length === 0) {
    return { state, details };
  }
  const next = publishedTranslation(due, at, publishedAt);
  return { state: withTranslation(state, code, next), details };
}

/** A translation once it is published at `at`; `publishedAt` stands for the time if it was not public before. */
export function publishedTranslation(
  translation: Translation,
  at: number,
  publishedAt = at,
): Translation {
  const { review: _decided, ...laid } = translationLaidOver(translation);
  return {
    ...laid,
    status: "published",
    publishedAt: translation.publishedAt ?? publishedAt,
    publishAt: null,
    updatedAt: at,
  };
}

/** What keeps a translation from being public: fields begin with its code. */
export async function incompleteTranslation(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  state: DocumentState,
  code: string,
  given: Translation,
): Promise<Detail[]> {
  const translation = translationLaidOver(given);
  const own = { ...state, data: translation.data, blocks: translation.blocks ?? [] };
  const { details, references } = checkComplete(own, localizedPart(collection), schema);
  const dangling = await danglingReferences(transaction, schema, references);
  const met = metByFallback(state, collection, code);
  return [...details.filter((one) => one.code !== "REQUIRED" || !met.has(one.field)), ...dangling]
    .map((detail) => ({ ...detail, field: `${code}.${detail.field}` }));
}

/** The fields of which a language with gaps takes the values from others. */
export function metByFallback(
  state: DocumentState,
  collection: Collection,
  code: string,
): Set<string> {
  const language = languagesOf(collection)?.byCode.get(code);
  if (!language?.gaps) return new Set();
  const seen = inLanguage(state, collection, publicView(code, language.fallback ?? []));
  return new Set(Object.keys(seen?.fallback ?? {}));
}

/** A change of the status of a translation. */
interface Move {
  summary: string;
  change: (translation: Translation, at: number) => Translation;
}

async function move(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  { summary, change }: Move,
): Promise<WriteResult> {
  const moved: TranslationChange = {
    summary: `${summary}: ${code}`,
    change: ({ state, head, translation }, at) => {
      if (state.status === "archived") {
        throw new Refusal("CONFLICT", { about: "the document is archived" });
      }
      return { ...change(translation, at), updatedAt: Math.max(at, head.row.at) };
    },
  };
  return await versionedWrite(
    content.context,
    actor,
    (transaction) => stageTranslation(transaction, content, id, code, moved),
  );
}

function refuseUnless(
  { status }: Translation,
  allowed: readonly Translation["status"][],
): void {
  if (allowed.includes(status)) return;
  throw new Refusal("CONFLICT", { about: `the translation is ${status}` });
}

/** Returns a published translation to draft, with what its working copy holds. */
export function unpublishTranslation(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
): Promise<WriteResult> {
  return move(content, actor, id, code, {
    summary: "Unpublished",
    change: (translation) => {
      refuseUnless(translation, ["published"]);
      return unpublishedTranslation(translation);
    },
  });
}

/** A published translation once it is a draft again, with what its working copy holds. */
export function unpublishedTranslation(translation: Translation): Translation {
  const { unpublishAt: _end, ...rest } = translationLaidOver(translation);
  return { ...rest, status: "draft" };
}

/** Sets when a translation is published and unpublished; null returns a scheduled one to draft. */
export function scheduleTranslation(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  { publishAt, unpublishAt }: {
    publishAt?: number | null | undefined;
    unpublishAt?: number | null | undefined;
  },
): Promise<WriteResult> {
  return move(content, actor, id, code, {
    summary: "Schedule changed",
    change: (translation, at) => {
      const { unpublishAt: before, ...rest } = translation;
      const end = unpublishAt === undefined ? before : unpublishAt ?? undefined;
      if (publishAt === null) {
        refuseUnless(translation, ["scheduled", "draft"]);
        return { ...rest, status: "draft", publishAt: null };
      }
      if (publishAt === undefined) {
        if (!canExpire(translation)) refuseUnless(translation, ["published", "scheduled"]);
        if (end !== undefined) refuseEnd(end, Math.max(at, translation.publishAt ?? 0));
        return end === undefined ? rest : { ...rest, unpublishAt: end };
      }
      refuseUnless(translation, ["draft", "scheduled"]);
      if (publishAt <= at) throw invalid("publishAt", "TOO_SMALL", "Must be in the future");
      if (end !== undefined) refuseEnd(end, publishAt);
      return {
        ...rest,
        status: "scheduled",
        publishAt,
        ...(end !== undefined && { unpublishAt: end }),
      };
    },
  });
}

function refuseEnd(unpublishAt: number, earliest: number): void {
  if (unpublishAt <= earliest) {
    const message = "Must be later than now and later than the publication";
    throw invalid("unpublishAt", "TOO_SMALL", message);
  }
  if (unpublishAt > INSTANT_SECONDS_MAX) {
    throw invalid("unpublishAt", "TOO_LARGE", "Must be seconds, not milliseconds");
  }
}

/** Swaps the original: the own values of a translation become those of the document, and the other way around. */
export async function swapOriginal(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
): Promise<WriteResult> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const { head, state, collection, translation } = await translationHead(
      transaction,
      content,
      id,
      code,
      {},
    );
    const original = originalOf(state, collection);
    if (translation === null || original === undefined) throw new Refusal("NOT_FOUND");
    const at = Math.max(transaction.at, head.row.at);
    const after = swapped(state, collection, { code, original, translation }, at);
    const options = { summary: `Original language: ${code}` };
    return await stageDocument(transaction, content, { collection, head, after, options });
  });
}

function swapped(
  state: DocumentState,
  collection: Collection,
  { code, original, translation }: { code: string; original: string; translation: Translation },
  at: number,
): DocumentState {
  const keys = new Set(collection.fields.filter((one) => one.localized).map(({ key }) => key));
  const of = (data: DocumentState["data"], isLocalized: boolean) =>
    Object.fromEntries(Object.entries(data).filter(([key]) => keys.has(key) === isLocalized));
  const { unpublishAt, workingCopy, review, originalLanguage: _was, ...rest } = state;
  const former: Translation = {
    title: state.title,
    slug: state.slug,
    status: isOff(state) ? "draft" : state.status as Translation["status"],
    updatedAt: state.updatedAt,
    publishedAt: state.publishedAt,
    publishAt: state.publishAt,
    data: of(state.data, true),
    ...(state.blocks.length > 0 && { blocks: state.blocks }),
    ...(unpublishAt !== undefined && { unpublishAt }),
    ...(workingCopy !== undefined && { workingCopy }),
    ...(review !== undefined && { review }),
    beside: {},
  };
  const { title, slug, publishedAt, publishAt, data, blocks = [] } = translation;
  const next: DocumentState = {
    ...withTranslation(withTranslation(rest, code, null), original, former),
    title,
    slug,
    status: isOff(state) ? state.status : translation.status,
    publishedAt,
    publishAt,
    updatedAt: at,
    data: { ...of(state.data, false), ...data },
    blocks,
    ...(translation.unpublishAt !== undefined && { unpublishAt: translation.unpublishAt }),
    ...(translation.workingCopy !== undefined && { workingCopy: translation.workingCopy }),
    ...(translation.review !== undefined && { review: translation.review }),
  };
  const site = languagesOf(collection)?.original;
  const rebased = withSourcesMoved(state, next, original);
  return code === site ? rebased : { ...rebased, originalLanguage: code };
}

/** The same with translations beside the new original: what was up to date is so again. */
function withSourcesMoved(
  before: DocumentState,
  after: DocumentState,
  former: string,
): DocumentState {
  let next = after;
  for (const [code, translation] of Object.entries(after.translations ?? {})) {
    const old = code === former ? [] : outdatedRoots(before, translation);
    const beside = Object.fromEntries(
      ownRoots(translation).filter((root) => !old.includes(root)).map((root): [string, Source] => {
        const version = translation.beside[root]?.[1] ?? 0;
        return [root, sourceOf(after, root, version)];
      }),
    );
    next = withTranslation(next, code, {
      ...translation,
      beside: { ...translation.beside, ...beside },
    });
  }
  return next;
}
