/**
 * The review of a document: its request and answer, and their dialogs.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { REVIEW_NOTE_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { Field } from "../../components/forms/field.tsx";
import { Time } from "../../components/time.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { nameOf, type Names } from "../../wording/user_names.ts";
import type { ReviewTarget } from "./review_target.ts";
import { type Reviewer, ReviewerChoice } from "./reviewers.tsx";

const LIST = new Intl.ListFormat("en");

interface ReviewProps {
  /** The document or translation; null for a document that is not created yet. */
  target: ReviewTarget | null;
  visit: Visit;
}

/** Another document that waits for the user's review. */
export interface NextReview {
  title: string;
  href: string;
}

/** The review request and the requested changes, with their notes; `next` follows in the queue. */
export function ReviewNote(
  { target, people, visit, next = null, children }: ReviewProps & {
    people: Names;
    next?: NextReview | null;
    children?: Child;
  },
) {
  const review = target?.review;
  if (target === null || review === undefined) return null;
  return (
    <section class={`alert ${review.state === "asked" ? "info" : "warn"}`} aria-label="Review">
      <p>
        <strong>{nameOf(people, review.askedBy)}</strong>{" "}
        requested a review{review.reviewers !== undefined &&
          ` from ${LIST.format(review.reviewers.map((id) => nameOf(people, id)))}`}{" "}
        <Time at={review.askedAt} clock={visit} />
        {review.note !== "" && ":"}
      </p>
      {review.note !== "" && <p class="said">{review.note}</p>}
      {review.returnedAt !== null && (
        <>
          <p>
            <strong>{nameOf(people, review.returnedBy)}</strong> requested changes{" "}
            <Time at={review.returnedAt} clock={visit} />
            {review.answer !== "" && ":"}
          </p>
          {review.answer !== "" && <p class="said">{review.answer}</p>}
        </>
      )}
      <div class="row">
        {children}
        <ReviewActions target={target} visit={visit} next={next} />
      </div>
      {next !== null && (
        <p class="small">
          Next in the queue: <a href={next.href} dir="auto">{next.title}</a>
        </p>
      )}
    </section>
  );
}

/** The actions of reviewers and of the requester. */
function ReviewActions(
  { target, visit, next }: { target: ReviewTarget; visit: Visit; next: NextReview | null },
) {
  const { path, title, review } = target;
  const canPublish = visit.can("documents.publish");
  const isOwn = review?.askedBy === visit.user.id;
  if (review?.state !== "asked" || !visit.can("documents.write")) return null;
  return (
    <>
      {canPublish && (
        <Button
          size="small"
          variant="primary"
          data-action={`POST /api/admin${path}/publish`}
          data-then={next?.href ?? "reload"}
          data-done={`Approved and published “${title}”`}
        >
          Approve and publish
        </Button>
      )}
      {canPublish && <Button size="small" data-opens="return-review">Request changes …</Button>}
      {isOwn && (
        <Button
          size="small"
          data-action={`DELETE /api/admin${path}/review`}
          data-then="reload"
          data-done="Review withdrawn"
        >
          Withdraw
        </Button>
      )}
    </>
  );
}

/** The button to request a review, for users who may not publish. */
export function AskForReview({ target, visit }: ReviewProps) {
  const canAsk = visit.can("documents.write") && !visit.can("documents.publish");
  const status = target?.status ?? "draft";
  if (!canAsk || target?.review?.state === "asked") return null;
  if (status !== "draft" && status !== "published") return null;
  return (
    <Button
      variant="primary"
      data-opens="ask-review"
      data-changes={status === "published" ? "" : undefined}
      hidden={target !== null && !target.isReviewable}
    >
      {target?.review === undefined ? "Request review …" : "Request review again …"}
    </Button>
  );
}

/** The dialogs that request a review or changes; requested changes lead to the next review. */
export function ReviewDialogs(
  { path, visit, reviewers, next = null }: {
    /** The path of the document or translation, below `/api/admin`. */
    path: string;
    visit: Visit;
    reviewers: readonly Reviewer[];
    next?: NextReview | null;
  },
) {
  const to = `POST /api/admin${path}/review`;
  return visit.can("documents.publish")
    ? (
      <Dialog id="return-review" title="Request changes">
        <ApiForm
          to={`${to}/return`}
          after={next?.href ?? "reload"}
          done="Changes requested"
        >
          <Note label="What needs to change" help="The author also gets it by email." />
          <DialogFoot>
            <Button data-close>Cancel</Button>
            <Button type="submit" variant="primary">Request changes</Button>
          </DialogFoot>
        </ApiForm>
      </Dialog>
    )
    : (
      <Dialog id="ask-review" title="Request review">
        <ApiForm to={to} after="reload" done="Review requested">
          <ReviewerChoice reviewers={reviewers} />
          <Note
            label="Note"
            help={reviewers.length < 2
              ? "Everyone who can publish gets an email."
              : "What the reviewers should know."}
          />
          <DialogFoot>
            <Button data-close>Cancel</Button>
            <Button type="submit" variant="primary">Request review</Button>
          </DialogFoot>
        </ApiForm>
      </Dialog>
    );
}

function Note({ label, help }: { label: string; help: string }) {
  return (
    <Field
      label={label}
      name="note"
      multiline
      maxlength={REVIEW_NOTE_CHARS_MAX}
      help={help}
    />
  );
}
