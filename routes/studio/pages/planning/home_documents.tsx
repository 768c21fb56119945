/**
 * The documents of the overview: drafts to continue, documents scheduled this week, and recently published
 * ones, each with its image and creator.
 *
 * @module
 */
import { isPicture } from "../../../../kv/model/entities/media.ts";
import type { Child } from "@hono/hono/jsx";
import type { StoredDocument } from "../../../../kv/documents/write.ts";
import type { Status } from "../../../../kv/model/entities/document.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Icon } from "../../components/icon.tsx";
import { Time } from "../../components/time.tsx";
import type { Referenced } from "../../controls/referenced.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { cardPictureUrl } from "../../picture_address.ts";
import { thumbnailId } from "../../thumbnail.ts";
import { Face } from "../content/document_face.tsx";
import { nameOf, type Names } from "../../wording/user_names.ts";

/** Documents that each list of the overview shows. */
export const SHOWN = 6;
/** Drafts that are shown as cards. */
const DRAFT_CARDS = 3;
/** Number of drafts searched for the user's own if most belong to others. */
const DRAFTS_READ = 60;
/** "This week" means the next seven days. */
const WEEK_SECONDS = 7 * 86_400;

/** Documents with the details that the list shows. */
export interface OverviewDocuments {
  counts: Record<Status, number>;
  drafts: StoredDocument[];
  published: StoredDocument[];
  scheduled: StoredDocument[];
  people: Names;
  referenced: Referenced;
}

interface DocumentsProps {
  overview: OverviewDocuments;
  visit: Visit;
}

/** The collections in which the user may edit at least their own documents. */
export function writableOf({ documents, readable }: Visit): Visit["readable"] {
  return documents.within("editOwn", readable);
}

/** Drafts that the user may edit, most recently changed first. */
export async function findDrafts(
  { content, reader }: Deps,
  visit: Visit,
): Promise<StoredDocument[]> {
  const collections = writableOf(visit);
  const found: StoredDocument[] = [];
  for (let offset = 0; collections.length > 0 && offset < DRAFTS_READ; offset += SHOWN) {
    const listed = await content.index.list({
      collections,
      statuses: ["draft"],
      sort: [{ by: "updatedAt", descending: true }],
      offset,
      limit: SHOWN,
    });
    const { documents } = await reader.readableOfPage(listed);
    found.push(...documents.filter(({ state }) => visit.documents.on("edit", state)));
    if (found.length >= SHOWN || offset + SHOWN >= listed.total) break;
  }
  return found.slice(0, SHOWN);
}

/** Drafts to continue: the user's own before others', newest first. */
export function DraftCards({ overview, visit }: DocumentsProps) {
  const { drafts, counts } = overview;
  // The user's own before others', starting with those that need changes.
  const rank = ({ state }: StoredDocument) =>
    state.createdBy !== visit.user.id ? 2 : state.review?.state === "returned" ? 0 : 1;
  const shown = drafts.toSorted((a, b) => rank(a) - rank(b));
  return (
    <section>
      <Heading
        text="Continue writing"
        more={["/admin/content?status=draft", counts.draft]}
        isPart
      />
      {drafts.length === 0 && (
        <p class="muted">
          No drafts. A new document starts as a draft and stays private until you publish it.
        </p>
      )}
      <ul class="draft-cards">
        {shown.slice(0, DRAFT_CARDS).map((stored) => (
          <li class="card linked">
            <Image id={thumbnailId(stored.state, visit)} overview={overview} />
            <div>
              <h4>
                <a href={`/admin/documents/${stored.state.id}`} dir="auto">
                  {stored.state.title || "Untitled"}
                </a>
              </h4>
              <p class="muted small with-face">
                {stored.state.createdBy !== undefined && (
                  <Face stored={stored} people={overview.people} />
                )}
                <span>
                  {visit.schema.byId.get(stored.state.collectionId)?.name} ·{" "}
                  <Time at={stored.state.updatedAt} clock={visit} />
                </span>
              </p>
              <Returned stored={stored} people={overview.people} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** That a reviewer has returned it, and why. */
function Returned(
  { stored: { state: { review } }, people }: { stored: StoredDocument; people: Names },
) {
  if (review?.state !== "returned") return null;
  return (
    <p class="small returned">
      <span class="badge warn">Changes requested</span>{" "}
      {review.answer ? `${nameOf(people, review.returnedBy)}: ${review.answer}` : ""}
    </p>
  );
}

/** The documents scheduled for the next seven days, or the next one after them. */
export function ScheduledCard({ overview, visit }: DocumentsProps) {
  const { scheduled, counts } = overview;
  const soon = scheduled.filter(({ state }) => (state.publishAt ?? 0) <= visit.now + WEEK_SECONDS);
  const next = scheduled[0];
  return (
    <DocumentCard
      heading="Scheduled this week"
      documents={soon}
      overview={overview}
      visit={visit}
      at={({ state }) => state.publishAt}
      more={["/admin/schedule", counts.scheduled]}
      empty={next === undefined
        ? "Nothing scheduled this week. To schedule a draft, open it and choose “Publish …”, then “Schedule”."
        : (
          <>
            Nothing in the next seven days. Next:{" "}
            <a href={`/admin/documents/${next.state.id}`} dir="auto">
              {next.state.title || "Untitled"}
            </a>, <Time at={next.state.publishAt ?? visit.now} clock={visit} />.
          </>
        )}
    />
  );
}

/** The most recently published documents. */
export function PublishedCard({ overview, visit }: DocumentsProps) {
  return (
    <DocumentCard
      heading="Recently published"
      documents={overview.published}
      overview={overview}
      visit={visit}
      at={({ state }) => state.publishedAt}
      more={["/admin/content?status=published&sort=-publishedAt", overview.counts.published]}
      empty="Nothing is published yet. Open a draft and choose “Publish …”. A checklist shows what is missing."
    />
  );
}

function Image({ id, overview }: { id: string | null; overview: OverviewDocuments }) {
  const medium = id === null ? undefined : overview.referenced.media.get(id);
  if (medium === undefined || !isPicture(medium.mime)) {
    return (
      <span class="picture" aria-hidden="true">
        <Icon name="document" />
      </span>
    );
  }
  return <img class="picture" src={cardPictureUrl(medium.url)} alt="" loading="lazy" />;
}

/** A part of the overview with its heading. */
export function Card(
  { heading, more, children }: {
    heading: string;
    more: [href: string, count: number | null];
    children: Child;
  },
) {
  return (
    <section class="card">
      <Heading text={heading} more={more} />
      {children}
    </section>
  );
}

/** A heading with a way to everything of its kind; a count of nothing has none. */
function Heading(
  { text, more: [href, count], isPart = false }: {
    text: string;
    more: [href: string, count: number | null];
    /** Whether it is below another heading. */
    isPart?: boolean;
  },
) {
  return (
    <div class="spread overview-head">
      {isPart ? <h3>{text}</h3> : <h2>{text}</h2>}
      {count !== 0 && (
        <a class="small" href={href}>
          {count === null || count <= SHOWN ? "All" : `All ${count.toLocaleString("en")}`}
          <span class="sr">{` ${text.toLowerCase()}`}</span>
        </a>
      )}
    </div>
  );
}

function DocumentCard(
  { heading, documents, overview, visit, at, more, empty }: {
    heading: string;
    documents: StoredDocument[];
    overview: OverviewDocuments;
    visit: Visit;
    at: (stored: StoredDocument) => number | null;
    more: [href: string, count: number];
    empty: Child;
  },
) {
  return (
    <Card heading={heading} more={more}>
      {documents.length === 0 && <p class="muted">{empty}</p>}
      <ul class="document-lines">
        {documents.map((stored) => (
          <li>
            <Image id={thumbnailId(stored.state, visit)} overview={overview} />
            <a href={`/admin/documents/${stored.state.id}`} dir="auto">
              {stored.state.title || "Untitled"}
            </a>
            <span class="muted small">
              {visit.schema.byId.get(stored.state.collectionId)?.name}
            </span>
            <Face stored={stored} people={overview.people} />
            <span class="muted small">
              {at(stored) !== null && <Time at={at(stored)!} clock={visit} />}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
