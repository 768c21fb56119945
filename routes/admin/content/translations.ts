/**
 * `/api/admin/documents/{id}/translations…`: the translations of a document with their states, and the languages
 * that it is published in.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import { seconds } from "../../../kv/context.ts";
import {
  acceptTranslation,
  copyTranslation,
} from "../../../kv/documents/translations/translation_sources.ts";
import {
  publishLanguages,
  scheduleTranslation,
  swapOriginal,
  unpublishTranslation,
} from "../../../kv/documents/translations/translation_status.ts";
import {
  discardTranslationCopy,
  removeTranslation,
} from "../../../kv/documents/translations/translation_removal.ts";
import {
  type TranslationWriteOptions,
  writeTranslation,
} from "../../../kv/documents/translations/translations.ts";
import { askForReview, returnReview, withdrawReview } from "../../../kv/documents/review.ts";
import { ReviewBody, ReviewRequestBody } from "../../../kv/model/entities/review.ts";
import { FIELDS_MAX, LANGUAGE_CODE_CHARS_MAX } from "../../../kv/limits/content.ts";
import { INSTANT_SECONDS_MAX } from "../../../kv/limits/requests.ts";
import { type Collection, languagesOf } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { publishedLanguages } from "../../../kv/model/languages/language.ts";
import { translationLaidOver } from "../../../kv/model/languages/in_language.ts";
import {
  originalOf,
  translationOf,
  withTranslation,
} from "../../../kv/model/languages/translation.ts";
import { ownWire, translationRows } from "../../../kv/model/languages/translation_view.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject, readOptionalObject } from "../../input/body.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { languageCondition, languageTag, NO_TRANSFORM } from "../../v1/reading/etag.ts";
import { actorOf } from "../admin_env.ts";
import { draftsOnly, mayDocument } from "./document_access.ts";
import { answer, idOf } from "./document_answer.ts";
import { postPreview } from "./previews.ts";

/** The languages that a publication names; without any it is about the original alone. */
export const Publication = z.strictObject({ languages: publishedLanguages.optional() });

const names = z.array(z.string()).min(1).max(FIELDS_MAX).optional();
/** Fields whose translation still holds; all without it. */
export const Acceptance = z.strictObject({ fields: names });
/** The language to copy from, and which fields. */
export const Copy = z.strictObject({
  from: z.string().max(LANGUAGE_CODE_CHARS_MAX),
  fields: names,
});
/** The language that becomes the original. */
export const Original = z.strictObject({ language: z.string().max(LANGUAGE_CODE_CHARS_MAX) });

/** When a document or a translation is public; `at` is the current time in seconds, and times must be later. */
export function scheduledTimes(at: number) {
  const instant = z.int().min(at + 1, "Must be in the future")
    .max(INSTANT_SECONDS_MAX, "Must be seconds, not milliseconds").nullable().optional();
  return z.strictObject({ publishAt: instant, unpublishAt: instant });
}

/** Times of a translation, at least one. */
function translationTimes(at: number) {
  return scheduledTimes(at).refine(
    ({ publishAt, unpublishAt }) => publishAt !== undefined || unpublishAt !== undefined,
    { path: ["publishAt"], message: "Give a time", params: { code: "REQUIRED" } },
  );
}

/** The translations of a document. */
export function adminTranslationRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  const write = (replaces: boolean) => async (c: HttpContext<AdminEnv>) => {
    const body = await readJsonObject(c.req.raw);
    const options = { ...await optionsOf(deps, c), replaces, trashed: true };
    const written = await writeTranslation(content, actorOf(c), idOf(c), codeOf(c), body, options);
    return answerTranslation(c, written.state, written.collection, {
      status: written.created ? 201 : 200,
    });
  };
  return new Hono<AdminEnv>()
    .get("/:id/translations", mayDocument(deps, "read"), async (c) => {
      const { state, collection } = await documentOf(deps, c);
      const rows = translationRows(state, collection, { drafts: true, isKnown: () => true });
      return c.json({ data: rows.map((row) => withEditing(state, row)) });
    })
    .get("/:id/translations/:language", mayDocument(deps, "read"), async (c) => {
      const { state, collection } = await documentOf(deps, c);
      return answerTranslation(c, state, collection);
    })
    .put("/:id/translations/:language", mayDocument(deps, "edit"), write(true))
    .patch("/:id/translations/:language", mayDocument(deps, "edit"), write(false))
    .delete("/:id/translations/:language", mayDocument(deps, "edit"), async (c) => {
      const options = await optionsOf(deps, c);
      await removeTranslation(content, actorOf(c), idOf(c), codeOf(c), options);
      return c.body(null, 204);
    })
    .route("/", workingCopyRoutes(deps))
    .route("/", statusRoutes(deps));
}

/** The unpublished changes of a published translation. */
function workingCopyRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  const path = "/:id/translations/:language/working-copy";
  return new Hono<AdminEnv>()
    .get(path, mayDocument(deps, "read"), async (c) => {
      const { state, collection } = await documentOf(deps, c);
      if (translationOf(state, codeOf(c))?.workingCopy === undefined) {
        throw new Refusal("NOT_FOUND");
      }
      return answerTranslation(c, state, collection, { isWorkingCopy: true });
    })
    .patch(path, mayDocument(deps, "edit"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const { state } = await documentOf(deps, c);
      const translation = translationOf(state, codeOf(c));
      if (translation === undefined) throw new Refusal("NOT_FOUND");
      if (translation.status !== "published") {
        throw new Refusal("CONFLICT", { about: `the translation is ${translation.status}` });
      }
      const options = { ...await optionsOf(deps, c), toWorkingCopy: true };
      const written = await writeTranslation(
        content,
        actorOf(c),
        idOf(c),
        codeOf(c),
        body,
        options,
      );
      return answerTranslation(c, written.state, written.collection, { isWorkingCopy: true });
    })
    .delete(path, mayDocument(deps, "edit"), async (c) => {
      await discardTranslationCopy(
        content,
        actorOf(c),
        idOf(c),
        codeOf(c),
        await optionsOf(deps, c),
      );
      return c.body(null, 204);
    });
}

/** The moves of a translation between its states, and what it is made from. */
function statusRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  const path = "/:id/translations/:language" as const;
  return new Hono<AdminEnv>()
    .post(`${path}/publish`, mayDocument(deps, "publish"), async (c) => {
      const { state } = await documentOf(deps, c);
      if (translationOf(state, codeOf(c)) === undefined) throw new Refusal("NOT_FOUND");
      const { jobId } = await publishLanguages(content, actorOf(c), idOf(c), [codeOf(c)]);
      return c.json({ status: "queued", jobId }, 202);
    })
    .post(`${path}/unpublish`, mayDocument(deps, "publish"), async (c) => {
      const { jobId } = await unpublishTranslation(content, actorOf(c), idOf(c), codeOf(c));
      return c.json({ status: "queued", jobId }, 202);
    })
    .post(`${path}/schedule`, mayDocument(deps, "publish"), async (c) => {
      const times = parseBody(
        translationTimes(seconds(content.context)),
        await readJsonObject(c.req.raw),
      );
      await scheduleTranslation(content, actorOf(c), idOf(c), codeOf(c), times);
      const { state, collection } = await documentOf(deps, c);
      return answerTranslation(c, state, collection);
    })
    .post(`${path}/accept`, mayDocument(deps, "edit"), async (c) => {
      const { fields = null } = parseBody(Acceptance, await readOptionalObject(c.req.raw));
      const options = await optionsOf(deps, c);
      const written = await acceptTranslation(
        content,
        actorOf(c),
        idOf(c),
        codeOf(c),
        fields,
        options,
      );
      return answerTranslation(c, written.state, written.collection);
    })
    .post(`${path}/copy`, mayDocument(deps, "edit"), async (c) => {
      const { from, fields = null } = parseBody(Copy, await readJsonObject(c.req.raw));
      const source = { from, fields };
      const options = await optionsOf(deps, c);
      const written = await copyTranslation(
        content,
        actorOf(c),
        idOf(c),
        codeOf(c),
        source,
        options,
      );
      return answerTranslation(c, written.state, written.collection, {
        status: written.created ? 201 : 200,
        isWorkingCopy: true,
      });
    })
    .route("/", translationReviewRoutes(deps))
    .post(`${path}/preview`, mayDocument(deps, "edit"), async (c) => {
      const { state } = await documentOf(deps, c);
      if (translationOf(state, codeOf(c)) === undefined) throw new Refusal("NOT_FOUND");
      return await postPreview(deps, c, idOf(c), codeOf(c));
    })
    .post("/:id/original", mayDocument(deps, "publish"), async (c) => {
      const { language } = parseBody(Original, await readJsonObject(c.req.raw));
      const { state, collection } = await documentOf(deps, c);
      const isSame = originalOf(state, collection) === language;
      if (!isSame && translationOf(state, language) === undefined) throw new Refusal("NOT_FOUND");
      if (!isSame) await swapOriginal(content, actorOf(c), idOf(c), language);
      const stored = await deps.reader.find(idOf(c));
      if (stored === null) throw new Refusal("NOT_FOUND");
      return await answer(deps, c, stored);
    });
}

/** Reviews of translations. */
function translationReviewRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  const path = "/:id/translations/:language/review" as const;
  const answerChanged = async (c: HttpContext<AdminEnv>) => {
    const { state, collection } = await documentOf(deps, c);
    return answerTranslation(c, state, collection);
  };
  return new Hono<AdminEnv>()
    .post(path, mayDocument(deps, "edit"), async (c) => {
      const request = parseBody(ReviewRequestBody, await readOptionalObject(c.req.raw));
      await optionsOf(deps, c);
      const requester = { actor: actorOf(c), access: await deps.people.access.current() };
      await askForReview(content, requester, idOf(c), request, codeOf(c));
      return await answerChanged(c);
    })
    .post(`${path}/return`, mayDocument(deps, "publish"), async (c) => {
      const { note } = parseBody(ReviewBody, await readOptionalObject(c.req.raw));
      await optionsOf(deps, c);
      await returnReview(content, actorOf(c), idOf(c), note, codeOf(c));
      return await answerChanged(c);
    })
    .delete(path, mayDocument(deps, "edit"), async (c) => {
      const { draftsOnly } = await optionsOf(deps, c);
      const options = { mayPublish: !draftsOnly, language: codeOf(c) };
      await withdrawReview(content, actorOf(c), idOf(c), options);
      return c.body(null, 204);
    });
}

function codeOf(c: HttpContext<AdminEnv>): string {
  return pathParameter(c, "language");
}

/** The document of the path; without languages there are no such routes. */
async function documentOf({ content, reader }: Deps, c: HttpContext<AdminEnv>) {
  const schema = await content.schema.current();
  const stored = schema.languages === undefined ? null : await reader.find(idOf(c));
  const collection = schema.byId.get(stored?.state.collectionId ?? "");
  if (stored === null || collection === undefined) throw new Refusal("NOT_FOUND");
  return { state: stored.state, collection };
}

async function optionsOf(deps: Deps, c: HttpContext<AdminEnv>): Promise<TranslationWriteOptions> {
  const { languages } = await deps.content.schema.current();
  const code = codeOf(c);
  if (!languages?.byCode.has(code)) throw new Refusal("NOT_FOUND");
  const condition = languageCondition(c.req.header("if-match") ?? null, code);
  return {
    blocks: "accept",
    draftsOnly: await draftsOnly(deps, c),
    ...(condition && { condition }),
  };
}

/** A translation as editors see it; `isWorkingCopy` shows its changes that are not public yet. */
function answerTranslation(
  c: HttpContext<AdminEnv>,
  state: DocumentState,
  collection: Collection,
  { status = 200, isWorkingCopy = false }: { status?: 200 | 201; isWorkingCopy?: boolean } = {},
): Response {
  const code = codeOf(c);
  if (!languagesOf(collection)?.byCode.has(code)) throw new Refusal("NOT_FOUND");
  const stored = translationOf(state, code);
  const seen = isWorkingCopy && stored !== undefined
    ? withTranslation(state, code, translationLaidOver(stored))
    : state;
  const wire = ownWire(seen, collection, code);
  if (wire === null) throw new Refusal("NOT_FOUND");
  const body = withEditing(state, { ...wire, language: code });
  const { language: _code, ...shown } = body;
  const etag = languageTag(state, collection, code, JSON.stringify(shown));
  const headers = { etag, "cache-control": `no-store, ${NO_TRANSFORM}` };
  const location = `/api/admin/documents/${state.id}/translations/${code}`;
  return c.json(shown, status, status === 201 ? { ...headers, location } : headers);
}

/** Adds to a language of a document what only editors see. */
function withEditing(
  state: DocumentState,
  row: Record<string, Json>,
): Record<string, Json> {
  const translation = translationOf(state, String(row.language));
  if (translation === undefined) return row;
  const { publishAt, unpublishAt, workingCopy, review } = translation;
  return {
    ...row,
    publishAt,
    ...(unpublishAt !== undefined && { unpublishAt }),
    hasWorkingCopy: workingCopy !== undefined,
    ...(review !== undefined && { _review: { ...review } }),
  };
}
