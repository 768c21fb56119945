/**
 * The form of a translation of a document, and the start of one that does not exist yet.
 *
 * @module
 */
import { readDiscussion } from "../../../../../kv/documents/discussion.ts";
import { openThreads } from "../../../../../kv/model/entities/discussion.ts";
import { localizedPart } from "../../../../../kv/documents/translations/translations.ts";
import { TITLE_CHARS_MAX } from "../../../../../kv/limits/content.ts";
import { codesOf, type Collection } from "../../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../../kv/model/entities/document.ts";
import { checkComplete } from "../../../../../kv/model/input/document_check.ts";
import { toWire } from "../../../../../kv/model/input/document_wire.ts";
import { translationLaidOver } from "../../../../../kv/model/languages/in_language.ts";
import {
  isOff,
  originalOf,
  type Translation,
  translationOf,
} from "../../../../../kv/model/languages/translation.ts";
import { Refusal } from "../../../../../kv/refusals.ts";
import type { Deps } from "../../../../deps/deps.ts";
import { Button } from "../../../components/button.tsx";
import { ApiForm } from "../../../components/forms/api_form.tsx";
import { Field } from "../../../components/forms/field.tsx";
import { controlContextOf } from "../../../controls/control_context.ts";
import { findReferenced, type Referenced } from "../../../controls/referenced.ts";
import { documentPath } from "../../../document_path.ts";
import type { Handlers } from "../../../screens.ts";
import { page } from "../../../serving/page.tsx";
import { type Visit, visitIn } from "../../../serving/studio_env.ts";
import { textPictures } from "../../../text_pictures.ts";
import { languageLabel } from "../../../wording/language_names.ts";
import { crumbsOf, findDocument } from "../document.tsx";
import { LanguageNav } from "./language_nav.tsx";
import { AddToRelease } from "../../planning/add_to_release.tsx";
import { releaseWith } from "../../planning/release_languages.tsx";
import { ReviewDialogs } from "../document_review.tsx";
import { userNames } from "../../../wording/user_names.ts";
import { findReviewers } from "../reviewers.tsx";
import { reviewTarget } from "../review_target.ts";
import { findNextReview } from "../../planning/review_queue.tsx";
import { PublishLanguages } from "./publish_languages.tsx";
import { ownDocument } from "./translation_checks.ts";
import { textLanguage, TranslationForm, type TranslationReview } from "./translation_form.tsx";
import { translatedFields } from "./translation_view.ts";

/** `/documents/:id/translations/:language`. */
export function translationScreens(deps: Deps): Handlers<"translation"> {
  return {
    translation: async (c) => {
      const { id, language: code } = c.req.param();
      const { stored: { state }, collection } = await findDocument(deps, c.get("visit"), id);
      const visit = visitIn(c.get("visit"), state, code);
      if (!visit.schema.languages?.byCode.has(code)) throw new Refusal("NOT_FOUND");
      const isTranslated = codesOf(collection).includes(code) &&
        code !== originalOf(state, collection);
      // A link in this language can lead to a document that is not translated.
      if (!isTranslated) return c.redirect(`/admin${documentPath(id)}`);
      const translation = translationOf(state, code);
      const title = translation?.title ?? state.title;
      const facts = {
        title: `${title || "Untitled"} (${languageLabel(code, visit.schema)})`,
        crumbs: crumbsOf(collection),
        wide: true,
        editing: true,
      };
      const shown: Shown = { state, collection, code, visit };
      return await page(
        c,
        facts,
        translation === undefined
          ? <NewTranslation {...shown} />
          : await drawForm(deps, shown, translation, await findReview(deps, c.get("visit"), shown)),
      );
    },
  };
}

interface Shown {
  state: DocumentState;
  collection: Collection;
  code: string;
  visit: Visit;
}

/** What the form shows of the review of the translation. */
async function findReview(deps: Deps, visitor: Visit, shown: Shown): Promise<TranslationReview> {
  const { state, collection, code, visit } = shown;
  const target = reviewTarget(state, code);
  const [reviewers, next] = await Promise.all([
    findReviewers(deps, visit, collection, code),
    target.review?.state === "asked" ? findNextReview(deps, visitor, state.id, code) : null,
  ]);
  return { target, reviewers, next };
}

async function drawForm(
  deps: Deps,
  shown: Shown,
  stored: Translation,
  review: TranslationReview,
) {
  const { state, collection, code, visit } = shown;
  const translation = translationLaidOver(stored);
  const [referenced, fields, releases, people, discussion] = await Promise.all([
    referencedBy(deps, shown, stored),
    translatedFields(deps, state, collection, code, visit),
    deps.releases.current(),
    userNames(deps),
    readDiscussion(deps.content.context, state.id),
  ]);
  const readOnly = !visit.can("documents.write") || state.status === "trashed" ||
    (translation.status === "scheduled" && !visit.can("documents.publish"));
  const nameOf = (language: string) => languageLabel(language, visit.schema);
  const original = originalOf(state, collection) ?? code;
  const { schema, timezone } = visit;
  return (
    <>
      <TranslationForm
        visit={visit}
        collection={collection}
        state={state}
        translation={stored}
        fields={fields}
        values={toWire(state, collection)}
        controlContext={{
          ...controlContextOf(visit, referenced, readOnly),
          text: textLanguage(code),
        }}
        note={{
          schema,
          timezone,
          referenced,
          id: state.id,
          code,
          original: { code: original, name: nameOf(original) },
          nameOf,
          readOnly,
        }}
        release={releaseWith(releases, state, collection, code)}
        review={review}
        people={people}
        openComments={openThreads(discussion)}
      />
      {visit.can("documents.write") && (
        <ReviewDialogs
          path={review.target.path}
          visit={visit}
          reviewers={review.reviewers}
          next={review.next}
        />
      )}
      {!readOnly && <AddToRelease {...{ state, collection, visit, releases, code }} />}
      {!isOff(state) && <PublishLanguages state={state} collection={collection} schema={schema} />}
    </>
  );
}

/** What the original and the translation refer to. */
function referencedBy(
  deps: Deps,
  { state, collection, visit }: Shown,
  translation: Translation,
): Promise<Referenced> {
  const own = ownDocument(state, translation);
  const references = [
    ...checkComplete(state, collection, visit.schema).references,
    ...checkComplete(own, localizedPart(collection), visit.schema).references,
  ];
  const pictures = [state.data, own.data].flatMap(textPictures)
    .map(({ media: id }) => ({ kind: "media" as const, id }));
  return findReferenced(deps, [...references, ...pictures], visit);
}

/** The first step of a translation: its title, or a copy of the original. */
function NewTranslation({ state, collection, code, visit }: Shown) {
  const language = languageLabel(code, visit.schema);
  const original = originalOf(state, collection) ?? code;
  const path = `/api/admin${documentPath(state.id, code)}`;
  const mayWrite = visit.can("documents.write") && state.status !== "trashed";
  return (
    <div class="stack">
      <LanguageNav
        state={state}
        collection={collection}
        schema={visit.schema}
        current={code}
      />
      <section class="card translation-start">
        <h2>{`Translate into ${language}`}</h2>
        <p class="muted">
          {mayWrite
            ? `Start with the title. The ${language} translation is a draft until you publish it.`
            : `There is no ${language} translation yet.`}
        </p>
        {mayWrite && (
          <>
            <ApiForm to={`PUT ${path}`} after="reload">
              <Field
                label={`Title in ${language}`}
                name="title"
                placeholder={state.title}
                maxlength={TITLE_CHARS_MAX}
                required
                autofocus
              />
              <div class="row">
                <Button type="submit" variant="primary">Start translating</Button>
                <Button
                  icon="copy"
                  data-action={`POST ${path}/copy`}
                  data-body={JSON.stringify({ from: original })}
                  data-then="reload"
                >
                  {`Copy everything from ${languageLabel(original, visit.schema)}`}
                </Button>
              </div>
            </ApiForm>
          </>
        )}
      </section>
    </div>
  );
}
