/**
 * The review queue on the overview of users who may publish.
 *
 * @module
 */
import { listMarked } from "../../../../kv/documents/lists/marked_list.ts";
import type { StoredDocument } from "../../../../kv/documents/write.ts";
import { STATUSES } from "../../../../kv/model/entities/document.ts";
import { awaitsReviewer } from "../../../../kv/model/entities/review.ts";
import { laidOver } from "../../../../kv/model/entities/working_copy.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Time } from "../../components/time.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { nameOf, type Names, type NextReview } from "../content/document_review.tsx";

/** Reviews that are shown. */
const REVIEWS_SHOWN = 20;

/** Documents waiting for the user's review, oldest request first; none if the user may not publish. */
export async function findReviewQueue(
  { content, reader, people }: Deps,
  visit: Visit,
): Promise<StoredDocument[]> {
  const collections = visit.documents.within("publish", visit.schema.collections);
  if (collections.length === 0) return [];
  const access = await people.access.current();
  const query = {
    collections,
    statuses: STATUSES,
    sort: [{ by: "updatedAt" as const, descending: false }],
    offset: 0,
    limit: REVIEWS_SHOWN,
  };
  const page = await listMarked(content, ["asked"], query, ({ review, collectionId }) => {
    const mayPublish = (id: string) => access.mayPublish(id, collectionId);
    return review !== undefined && awaitsReviewer(review, visit.user.id, mayPublish);
  });
  return (await reader.readableOfPage(page)).documents;
}

/** The document after this one in the user's queue, from its end on at its beginning; null without another one. */
export async function findNextReview(
  deps: Deps,
  visit: Visit,
  id: string,
): Promise<NextReview | null> {
  const queue = await findReviewQueue(deps, visit);
  const at = queue.findIndex(({ state }) => state.id === id);
  const next = queue[(at + 1) % queue.length];
  if (next === undefined || next.state.id === id) return null;
  return {
    title: laidOver(next.state).title || "Untitled",
    href: `/admin/documents/${next.state.id}/changes`,
  };
}

/** The review queue. */
export function ReviewQueue(
  { asked, people, visit }: { asked: StoredDocument[]; people: Names; visit: Visit },
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
        {asked.map(({ state }) =>
          state.review !== undefined && (
            <li>
              <a href={`/admin/documents/${state.id}/changes`} dir="auto">
                {laidOver(state).title || "Untitled"}
              </a>
              <span class="muted small with-face">
                <Avatar
                  id={state.review.askedBy ?? ""}
                  name={nameOf(people, state.review.askedBy)}
                  size="small"
                />
                <span>
                  {`Requested by ${nameOf(people, state.review.askedBy)} `}
                  <Time at={state.review.askedAt} clock={visit} />
                </span>
              </span>
              {state.review.note !== "" && <p class="said small">{state.review.note}</p>}
            </li>
          )
        )}
      </ul>
    </section>
  );
}
