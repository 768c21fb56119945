/**
 * The overview: what waits, what went wrong, what was changed, and what a new site still needs.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Stored } from "../../../kv/documents/write.ts";
import { Timeline } from "../../../kv/history/timeline/timeline.ts";
import { cronSilence, failures } from "../../../kv/jobs/job_list.ts";
import { livePrefix } from "../../../kv/keys.ts";
import { type Status, STATUSES } from "../../../kv/model/document.ts";
import type { Deps } from "../../deps.ts";
import { type Names, namesOf } from "./document_review.tsx";
import { findAsked, ReviewQueue } from "./review_queue.tsx";
import { Icon } from "../components/icon.tsx";
import { Time } from "../components/time.tsx";
import { lengthOf, typeName } from "../job_words.ts";
import { collectionIcon } from "../navigation.ts";
import { page } from "../page.tsx";
import { readableTypes, type RecentChange, recentChanges } from "../recent_changes.ts";
import type { Visit } from "../studio_env.ts";
import { Changes } from "./activity.tsx";
import { FirstSteps } from "./first_steps.tsx";
import { Button, ButtonLink } from "../components/button.tsx";
import { Menu, MenuLink } from "../components/menu.tsx";
import type { EntityType } from "../../../kv/model/entity_kinds.ts";
import { FAILURES_COUNTED_MAX } from "../../limits.ts";
import { findReferenced, type Referenced } from "../controls/referenced.ts";
import { thumbnailField } from "../list_state.ts";
import type { Handlers } from "../screens.ts";

/** Documents that each list of the overview shows. */
const SHOWN = 6;
/** Drafts that are shown as cards. */
const DRAFT_CARDS = 3;
/** Characters of a failure's reason. */
const ERROR_CHARS = 160;

/** `/`. */
export function homeScreens(deps: Deps): Handlers<"overview"> {
  const timeline = new Timeline(deps.content.context.store);
  return {
    overview: async (c) => {
      const visit = c.get("visit");
      const overview = await findOverview(deps, timeline, visit);
      const welcome = c.req.query("welcome") !== undefined;
      const facts = {
        title: welcome ? `Welcome, ${visit.user.displayName}` : greeting(visit),
        intro: <Counts counts={overview.counts} visit={visit} />,
        wide: true,
        actions: <NewDocument visit={visit} />,
      };
      return await page(c, facts, <Overview visit={visit} overview={overview} />);
    },
  };
}

/** By the hour in the site's time zone. */
function greeting({ user, now, timezone }: Visit): string {
  const hour = Number(
    new Intl.DateTimeFormat("en", { hour: "numeric", hourCycle: "h23", timeZone: timezone })
      .format(now * 1000),
  );
  const time = hour < 5 || hour >= 18 ? "evening" : hour < 12 ? "morning" : "afternoon";
  return `Good ${time}, ${user.displayName.split(" ")[0]}`;
}

interface Overview {
  counts: Record<Status, number>;
  drafts: Stored[];
  published: Stored[];
  scheduled: Stored[];
  /** Those whose review is asked for. */
  asked: Stored[];
  people: Names;
  changes: RecentChange[];
  referenced: Referenced;
  failed: Awaited<ReturnType<typeof failures>>;
  /** Milliseconds since the clock last ticked, when that is too long. */
  silence: number | null;
  hasToken: boolean;
}

async function findOverview(deps: Deps, timeline: Timeline, visit: Visit): Promise<Overview> {
  const { content, reader } = deps;
  const { store } = content.context;
  const collections = visit.readable;
  const list = async (status: Status, by: "updatedAt" | "publishAt" | "publishedAt") => {
    if (collections.length === 0) return [];
    const sort = [{ by, descending: by !== "publishAt" }];
    const query = { collections, statuses: [status], sort, offset: 0, limit: SHOWN };
    const found = await reader.readableOfPage(await content.index.list(query));
    return found.documents;
  };
  const page = { before: null, limit: SHOWN + 2 };
  const mayJobs = visit.can("jobs.read");
  const [counts, drafts, published, scheduled, asked, changes, failed, silence, tokens] =
    await Promise.all([
      content.index.countByStatus(collections),
      list("draft", "updatedAt"),
      list("published", "publishedAt"),
      list("scheduled", "publishAt"),
      findAsked(deps, visit),
      visit.can("versions.read")
        ? recentChanges(deps, timeline, visit, { ...page, types: toldTypes(visit) })
        : { changes: [] },
      mayJobs ? failures(store, FAILURES_COUNTED_MAX) : { count: 0, newest: null },
      mayJobs ? cronSilence(content.context, visit.user.createdAt * 1_000) : null,
      store.listAll({ prefix: livePrefix("api_token") }, { limit: 1 }),
    ]);
  const hasToken = tokens.length > 0;
  const images = [...drafts, ...published, ...scheduled].flatMap(({ state }) => {
    const id = thumbnailId(state, visit);
    return id === null ? [] : [{ kind: "media" as const, id }];
  });
  const referenced = await findReferenced(deps, images, visit);
  const people = await namesOf(deps);
  const lists = { drafts, published, scheduled, asked, people, ...changes };
  return { counts, ...lists, referenced, failed, silence, hasToken };
}

/** What people tell one another; that somebody has a role belongs to inviting them. */
function toldTypes(visit: Visit): EntityType[] {
  return readableTypes(visit).filter((type) => type !== "user_role");
}

/** The image that stands for a document. */
function thumbnailId({ collectionId, data }: Stored["state"], { schema }: Visit): string | null {
  const field = thumbnailField(schema.byId.get(collectionId) ?? null);
  const id = field === undefined ? null : data[field.key];
  return typeof id === "string" ? id : null;
}

function NewDocument({ visit }: { visit: Visit }) {
  const collections = visit.documents.within("create", visit.schema.collections)
    .filter(({ singleton }) => !singleton);
  if (collections.length === 0) return null;
  if (collections.length === 1) {
    return (
      <ButtonLink variant="primary" href={`/admin/content/${collections[0]!.slug}/new`} icon="plus">
        New
      </ButtonLink>
    );
  }
  return (
    <>
      <Button variant="primary" popovertarget="new-document" icon="plus">
        New
      </Button>
      <Menu id="new-document">
        {collections.map((collection) => (
          <MenuLink
            icon={collectionIcon(collection)}
            href={`/admin/content/${collection.slug}/new`}
          >
            {collection.name}
          </MenuLink>
        ))}
      </Menu>
    </>
  );
}

function Overview({ visit, overview }: { visit: Visit; overview: Overview }) {
  const { counts, published, scheduled, changes } = overview;
  const isNew = STATUSES.every((status) => counts[status] === 0);
  return (
    <div class="stack">
      <Warnings overview={overview} />
      <ReviewQueue asked={overview.asked} people={overview.people} visit={visit} />
      {isNew && <FirstSteps visit={visit} hasToken={overview.hasToken} />}
      {visit.documents.somewhere("read") && !isNew && (
        <>
          <div class="overview">
            <div class="stack">
              <DraftCards overview={overview} visit={visit} />
              <DocumentCard
                heading="Scheduled"
                documents={scheduled}
                overview={overview}
                visit={visit}
                at={({ state }) => state.publishAt}
                more={["/admin/schedule", counts.scheduled]}
                empty="Nothing waits for its time. Open a draft, choose “Publish …” and then “At a time”: it goes public by itself, and stands here and in the calendar until then."
              />
              <DocumentCard
                heading="Published lately"
                documents={published}
                overview={overview}
                visit={visit}
                at={({ state }) => state.publishedAt}
                more={["/admin/content?status=published&sort=-publishedAt", counts.published]}
                empty="Nothing is public yet. Open a draft and choose “Publish …”: a checklist says what is still missing."
              />
            </div>
            {visit.can("versions.read") && (
              <Card heading="Recent changes" more={["/admin/activity", null]}>
                <Changes changes={changes} visit={visit} />
              </Card>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** What went wrong, and what does not run. */
function Warnings({ overview: { failed, silence } }: { overview: Overview }) {
  const { count, newest } = failed;
  return (
    <>
      {newest !== null && (
        <section class="alert bad with-icon" aria-label="Failed jobs">
          <Icon name="warning" />
          <div class="fill">
            <p>
              <strong>
                {count === 1
                  ? "A job has failed."
                  : `${
                    count === FAILURES_COUNTED_MAX ? `${count} or more` : count
                  } jobs have failed.`}
              </strong>{" "}
              <a href={`/admin/jobs/${newest.id}`}>{typeName(newest.type)}</a>
              {`: ${(newest.error ?? "no reason was given").slice(0, ERROR_CHARS)}`}
            </p>
          </div>
          <ButtonLink size="small" href="/admin/jobs?state=failed">Look at them</ButtonLink>
        </section>
      )}
      {silence !== null && (
        <section class="alert warn with-icon" aria-label="The clock of the service">
          <Icon name="warning" />
          <p class="fill">
            {`The clock of the service has not ticked for ${
              lengthOf(silence)
            }: what is due later waits.`}
          </p>
          <ButtonLink size="small" href="/admin/jobs">What to do</ButtonLink>
        </section>
      )}
    </>
  );
}

/** How much there is of what, each a link to it. */
function Counts({ counts, visit }: { counts: Record<Status, number>; visit: Visit }) {
  const shown = (["draft", "scheduled", "published", "archived"] as const)
    .filter((status) => counts[status] > 0);
  if (!visit.documents.somewhere("read") || shown.length === 0) return null;
  return (
    <span class="counts">
      {shown.map((status) => (
        <a href={`/admin/content?status=${status}`}>
          <b>{counts[status].toLocaleString("en")}</b>
          {` ${countName(status, counts[status])}`}
        </a>
      ))}
    </span>
  );
}

function countName(status: Status, count: number): string {
  if (status !== "draft") return status;
  return count === 1 ? "draft" : "drafts";
}

/** What was begun, newest first, as pages to go on with. */
function DraftCards({ overview, visit }: { overview: Overview; visit: Visit }) {
  const { drafts, counts } = overview;
  return (
    <section>
      <Heading text="Go on writing" more={["/admin/content?status=draft", counts.draft]} />
      {drafts.length === 0 && (
        <p class="muted">
          No drafts: everything that was begun is out. A new document begins as a draft, and nobody
          sees it before you publish it.
        </p>
      )}
      <ul class="draft-cards">
        {drafts.slice(0, DRAFT_CARDS).map(({ state }) => (
          <li class="card linked">
            <Image id={thumbnailId(state, visit)} overview={overview} />
            <div>
              <h3>
                <a href={`/admin/documents/${state.id}`}>{state.title || "Untitled"}</a>
              </h3>
              <p class="muted small">
                {visit.schema.byId.get(state.collectionId)?.name} ·{" "}
                <Time at={state.updatedAt} clock={visit} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Image({ id, overview }: { id: string | null; overview: Overview }) {
  const medium = id === null ? undefined : overview.referenced.media.get(id);
  if (medium === undefined) {
    return (
      <span class="picture" aria-hidden="true">
        <Icon name="document" />
      </span>
    );
  }
  return <img class="picture" src={medium.url} alt="" loading="lazy" />;
}

function Card(
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
  { text, more: [href, count] }: { text: string; more: [href: string, count: number | null] },
) {
  return (
    <div class="spread overview-head">
      <h2>{text}</h2>
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
    documents: Stored[];
    overview: Overview;
    visit: Visit;
    at: (stored: Stored) => number | null;
    more: [href: string, count: number];
    empty: string;
  },
) {
  return (
    <Card heading={heading} more={more}>
      {documents.length === 0 && <p class="muted">{empty}</p>}
      <ul class="document-lines">
        {documents.map((stored) => (
          <li>
            <Image id={thumbnailId(stored.state, visit)} overview={overview} />
            <a href={`/admin/documents/${stored.state.id}`}>{stored.state.title || "Untitled"}</a>
            <span class="muted small">
              {visit.schema.byId.get(stored.state.collectionId)?.name}
            </span>
            <span class="muted small">
              {at(stored) !== null && <Time at={at(stored)!} clock={visit} />}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
