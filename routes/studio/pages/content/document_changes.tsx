/**
 * The unpublished changes of a document: its working copy next to the published state, field by field, with
 * the actions of a reviewer.
 *
 * @module
 */
import { codesOf, type Collection } from "../../../../kv/model/entities/collection.ts";
import { translationLaidOver } from "../../../../kv/model/languages/in_language.ts";
import { reviewLanguage } from "../../../../kv/model/languages/reviews_in.ts";
import {
  originalOf,
  type Translation,
  translationOf,
} from "../../../../kv/model/languages/translation.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { isUlid } from "../../../../kv/model/values/ulid.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { hasWorkingCopy, laidOver } from "../../../../kv/model/entities/working_copy.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { ChangeList } from "../../components/comparison/change_list.tsx";
import { Time } from "../../components/time.tsx";
import { contentChanges } from "../../history/content_changes.ts";
import { countChanges } from "../../history/unchanged_passages.ts";
import { page } from "../../serving/page.tsx";
import type { Handlers } from "../../screens.ts";
import { type Visit, visitIn } from "../../serving/studio_env.ts";
import { crumbsOf, findDocument } from "./document.tsx";
import { findNextReview } from "../planning/review_queue.tsx";
import { findReviewers } from "./reviewers.tsx";
import { type ReviewTarget, reviewTarget, titleInLanguage } from "./review_target.ts";
import { AskForReview, ReviewDialogs, ReviewNote } from "./document_review.tsx";
import { userNames } from "../../wording/user_names.ts";

/** `/documents/:id/changes`. */
export function documentChangesScreens(deps: Deps): Handlers<"documentChanges"> {
  return {
    documentChanges: async (c) => {
      const id = c.req.param("id");
      if (isUlid(id)) await deps.live.flush(id);
      const { stored: { state }, collection } = await findDocument(deps, c.get("visit"), id);
      const language = translatedLanguage(state, collection, c.req.query("language"));
      const publishIn = reviewLanguage(state, collection, language);
      const visit = visitIn(c.get("visit"), state, publishIn);
      const target = reviewTarget(state, language);
      const { stored, edited } = comparedStates(state, language);
      const isPublic = target.status === "published";
      const changes = await contentChanges(deps, isPublic ? stored : null, edited, visit);
      const people = await userNames(deps);
      const next = target.review?.state === "asked"
        ? await findNextReview(deps, c.get("visit"), id, language)
        : null;
      const title = titleInLanguage({ ...target, ...(language && { language }) }, visit.schema);
      return await page(
        c,
        {
          title: isPublic ? `Changes to “${title}”` : title,
          crumbs: [...crumbsOf(collection), { label: title, href: `/admin${target.path}` }],
          actions: <ButtonLink icon="edit" href={`/admin${target.path}`}>Edit</ButtonLink>,
        },
        <div class="stack">
          <ReviewNote target={target} people={people} visit={visit} next={next} />
          <section class="card">
            <h2>{isPublic ? "Changes" : language === undefined ? "Document" : "Translation"}</h2>
            <p class="muted">
              {isPublic
                ? (
                  <>
                    {sentenceOf(countChanges(changes))} Published{" "}
                    <Time at={stored.publishedAt ?? 0} clock={visit} />.
                  </>
                )
                : `This ${
                  language === undefined ? "document" : "translation"
                } has never been published. All of its content is shown.`}
            </p>
            <ChangeList changes={changes} />
          </section>
          <Decisions target={target} hasChanges={hasWorkingCopy(stored)} visit={visit} />
          <ReviewDialogs
            path={target.path}
            visit={visit}
            reviewers={await findReviewers(deps, visit, collection, publishIn)}
            next={next}
          />
        </div>,
      );
    },
  };
}

/** The language of the translation that a query names; undefined for the original. */
function translatedLanguage(
  state: DocumentState,
  collection: Collection,
  given: string | undefined,
): string | undefined {
  if (given === undefined || given === originalOf(state, collection)) return undefined;
  if (!codesOf(collection).includes(given) || translationOf(state, given) === undefined) {
    throw new Refusal("NOT_FOUND");
  }
  return given;
}

/** A document as it is stored and as it is edited; a translation has its own values in the place of the original's. */
function comparedStates(state: DocumentState, language?: string) {
  const translation = language === undefined ? undefined : translationOf(state, language);
  if (translation === undefined) return { stored: state, edited: laidOver(state) };
  const asDocument = (side: Translation): DocumentState => {
    const { title, slug, status, publishedAt, data, blocks = [], workingCopy } = side;
    const { workingCopy: _original, ...rest } = state;
    const own = { title, slug, status, publishedAt, data, blocks };
    return { ...rest, ...own, ...(workingCopy && { workingCopy }) };
  };
  return { stored: asDocument(translation), edited: asDocument(translationLaidOver(translation)) };
}

function sentenceOf(count: number): string {
  if (count === 0) return "No unpublished changes.";
  return count === 1 ? "1 unpublished change." : `${count} unpublished changes.`;
}

function Decisions(
  { target, hasChanges, visit }: { target: ReviewTarget; hasChanges: boolean; visit: Visit },
) {
  const canPublish = visit.can("documents.publish");
  const { path, status } = target;
  if (status !== "draft" && !hasChanges) return null;
  return (
    <div class="row">
      {canPublish && (
        <Button
          variant="primary"
          data-action={`POST /api/admin${path}/publish`}
          data-then={`/admin${path}?job={jobId}`}
        >
          {status === "published" ? "Publish changes" : "Publish"}
        </Button>
      )}
      <AskForReview target={target} visit={visit} />
      {hasChanges && visit.can("documents.write") && (
        <Button
          variant="quiet"
          data-action={`DELETE /api/admin${path}/working-copy`}
          data-then={`/admin${path}`}
          data-done="Changes discarded"
          data-ask="Discard the unpublished changes? They stay in the history."
        >
          Discard changes
        </Button>
      )}
    </div>
  );
}
