/**
 * The unpublished changes of a document: its working copy next to the published state, field by field, with
 * the actions of a reviewer.
 *
 * @module
 */
import { isUlid } from "../../../../kv/model/values/ulid.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import type { State } from "../../../../kv/model/entities/entity.ts";
import { asJson } from "../../../../kv/model/entities/entity_kinds.ts";
import { hasWorkingCopy, laidOver } from "../../../../kv/model/entities/working_copy.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { ChangeList } from "../../components/comparison/change_list.tsx";
import { Time } from "../../components/time.tsx";
import { compareFields, type FieldChange } from "../../history/field_changes.ts";
import { countChanges } from "../../history/unchanged_passages.ts";
import { page } from "../../serving/page.tsx";
import type { Handlers } from "../../screens.ts";
import { type Visit, visitOf } from "../../serving/studio_env.ts";
import { crumbsOf, findDocument } from "./document.tsx";
import { findNextReview } from "../planning/review_queue.tsx";
import { findReviewers } from "./reviewers.tsx";
import { AskForReview, ReviewDialogs, ReviewNote, userNames } from "./document_review.tsx";

/** Properties that a comparison of content leaves out. */
const NOT_COMPARED = ["status", "publishAt", "publishedAt", "updatedAt", "review", "workingCopy"];

/** `/documents/:id/changes`. */
export function documentChangesScreens(deps: Deps): Handlers<"documentChanges"> {
  return {
    documentChanges: async (c) => {
      const id = c.req.param("id");
      if (isUlid(id)) await deps.live.flush(id);
      const { stored: { state }, collection } = await findDocument(deps, c.get("visit"), id);
      const visit = visitOf(c.get("visit"), state);
      const edited = laidOver(state);
      const isPublic = state.status === "published";
      const changes = await contentChanges(deps, isPublic ? state : null, edited, visit);
      const people = await userNames(deps);
      const next = state.review?.state === "asked"
        ? await findNextReview(deps, c.get("visit"), id)
        : null;
      const title = edited.title || "Untitled";
      return await page(
        c,
        {
          title: isPublic ? `Changes to “${title}”` : title,
          crumbs: [...crumbsOf(collection), { label: title, href: `/admin/documents/${id}` }],
          actions: <ButtonLink icon="edit" href={`/admin/documents/${id}`}>Edit</ButtonLink>,
        },
        <div class="stack">
          <ReviewNote state={state} people={people} visit={visit} next={next} />
          <section class="card">
            <h2>{isPublic ? "Changes" : "Document"}</h2>
            <p class="muted">
              {isPublic
                ? (
                  <>
                    {sentenceOf(countChanges(changes))} Published{" "}
                    <Time at={state.publishedAt!} clock={visit} />.
                  </>
                )
                : "This document has never been published. All of its content is shown."}
            </p>
            <ChangeList changes={changes} />
          </section>
          <Decisions state={state} visit={visit} />
          <ReviewDialogs
            id={id}
            visit={visit}
            reviewers={await findReviewers(deps, visit, state)}
            next={next}
          />
        </div>,
      );
    },
  };
}

/** Differences between the content of two states. */
async function contentChanges(
  deps: Deps,
  before: DocumentState | null,
  after: DocumentState,
  visit: Visit,
): Promise<FieldChange[]> {
  const contentOf = (state: DocumentState) => {
    const content = { ...asJson(state) };
    for (const key of NOT_COMPARED) delete content[key];
    return content;
  };
  const compare = (was: State, is: State) => compareFields(deps, "document", was, is, visit);
  if (before !== null) return await compare(contentOf(before), contentOf(after));
  // A boolean that was never turned on is not content.
  const written = Object.entries(after.data).filter(([, value]) => value !== false);
  const whole = { ...contentOf(after), data: Object.fromEntries(written) };
  const empty = { ...whole, title: "", slug: "", data: {}, blocks: [] };
  return await compare(empty, whole);
}

function sentenceOf(count: number): string {
  if (count === 0) return "No unpublished changes.";
  return count === 1 ? "1 unpublished change." : `${count} unpublished changes.`;
}

function Decisions({ state, visit }: { state: DocumentState; visit: Visit }) {
  const canPublish = visit.can("documents.publish");
  const isOpen = state.status === "draft" || hasWorkingCopy(state);
  if (!isOpen) return null;
  return (
    <div class="row">
      {canPublish && (
        <Button
          variant="primary"
          data-action={`POST /api/admin/documents/${state.id}/publish`}
          data-then={`/admin/documents/${state.id}?job={jobId}`}
        >
          {state.status === "published" ? "Publish changes" : "Publish"}
        </Button>
      )}
      <AskForReview state={state} visit={visit} />
      {hasWorkingCopy(state) && visit.can("documents.write") && (
        <Button
          variant="quiet"
          data-action={`DELETE /api/admin/documents/${state.id}/working-copy`}
          data-then={`/admin/documents/${state.id}`}
          data-done="Changes discarded"
          data-ask="Discard the unpublished changes? They stay in the history."
        >
          Discard changes
        </Button>
      )}
    </div>
  );
}
