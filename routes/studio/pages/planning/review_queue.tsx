/**
 * The review queue on the overview of users who may publish: documents and translations.
 *
 * @module
 */
import { listMarked } from "../../../../kv/documents/lists/marked_list.ts";
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { type DocumentState, STATUSES } from "../../../../kv/model/entities/document.ts";
import { awaitsReviewer } from "../../../../kv/model/entities/review.ts";
import { type ReviewOf, reviewsIn } from "../../../../kv/model/languages/reviews_in.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Time } from "../../components/time.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { type NextReview } from "../content/document_review.tsx";
import { nameOf, type Names } from "../../wording/user_names.ts";
import { reviewHref, titleInLanguage } from "../content/review_target.ts";

/** Documents whose reviews are shown. */
const DOCUMENTS_SHOWN = 20;

/** A review that waits for the user. */
export interface QueuedReview extends ReviewOf {
  documentId: string;
}

/** The reviews that wait for the user, oldest request first; none if the user may not publish. */
export async function findReviewQueue(
  { content, reader, people }: Deps,
  visit: Visit,
): Promise<QueuedReview[]> {
  const collections = visit.documents.within("publish", visit.schema.collections);
  if (collections.length === 0) return [];
  const access = await people.access.current();
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  const waiting = (state: DocumentState) =>
    waitingReviews(state, byId.get(state.collectionId), ({ review, publishIn }) => {
      const mayPublish = (id: string) => access.mayPublish(id, state.collectionId, publishIn);
      const languages = publishIn === undefined ? undefined : [publishIn];
      return visit.documents.allows("publish", state.collectionId, languages) &&
        awaitsReviewer(review, visit.user.id, mayPublish);
    });
  const query = {
    collections,
    statuses: STATUSES,
    sort: [{ by: "updatedAt" as const, descending: false }],
    offset: 0,
    limit: DOCUMENTS_SHOWN,
  };
  const page = await listMarked(content, ["asked"], query, (state) => waiting(state).length > 0);
  const { documents } = await reader.readableOfPage(page);
  return documents.flatMap(({ state }) =>
    waiting(state).map((one) => ({ ...one, documentId: state.id }))
  ).sort((a, b) => a.review.askedAt - b.review.askedAt);
}

/** The requested reviews of a document that `isWanted`. */
function waitingReviews(
  state: DocumentState,
  collection: Collection | undefined,
  isWanted: (one: ReviewOf) => boolean,
): ReviewOf[] {
  if (collection === undefined) return [];
  return reviewsIn(state, collection).filter((one) =>
    one.review.state === "asked" && isWanted(one)
  );
}

/**
 * The review after that of a document, or of its translation, in the user's queue, from its end on at its beginning;
 * null without another one.
 */
export async function findNextReview(
  deps: Deps,
  visit: Visit,
  id: string,
  language?: string,
): Promise<NextReview | null> {
  const queue = await findReviewQueue(deps, visit);
  const isThis = (one: QueuedReview) => one.documentId === id && one.language === language;
  const next = queue[(queue.findIndex(isThis) + 1) % queue.length];
  if (next === undefined || isThis(next)) return null;
  return {
    title: titleInLanguage(next, visit.schema),
    href: reviewHref(next.documentId, next.language),
  };
}

/** The review queue. */
export function ReviewQueue(
  { asked, people, visit }: { asked: QueuedReview[]; people: Names; visit: Visit },
) {
  if (asked.length === 0) return null;
  return (
    <section class="card">
      <div class="spread overview-head">
        <h3>Waiting for your review</h3>
        <a class="small" href="/admin/content?review=asked">
          All<span class="sr">&nbsp;that wait for review</span>
        </a>
      </div>
      <ul class="review-lines">
        {asked.map((one) => {
          const { askedBy, askedAt, note } = one.review;
          return (
            <li>
              <a href={reviewHref(one.documentId, one.language)} dir="auto">
                {titleInLanguage(one, visit.schema)}
              </a>
              <span class="muted small with-face">
                <Avatar id={askedBy ?? ""} name={nameOf(people, askedBy)} size="small" />
                <span>
                  {`Requested by ${nameOf(people, askedBy)} `}
                  <Time at={askedAt} clock={visit} />
                </span>
              </span>
              {note !== "" && <p class="said small">{note}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
