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
import type { Handlers } from "../screens.ts";

/** Documents that each list of the overview shows. */
const SHOWN = 6;
/** Characters of a failure's reason. */
const ERROR_CHARS = 160;
/** Failed jobs that are counted. */
const FAILURES_MAX = 50;

/** `/`. */
export function homeScreens(deps: Deps): Handlers<"overview"> {
  const timeline = new Timeline(deps.content.context.store);
  return {
    overview: async (c) => {
      const visit = c.get("visit");
      const overview = await findOverview(deps, timeline, visit);
      const welcome = c.req.query("welcome") !== undefined;
      const facts = {
        title: welcome ? `Welcome, ${visit.user.displayName}` : "Overview",
        wide: true,
        actions: <NewDocument visit={visit} />,
      };
      return await page(c, facts, <Overview visit={visit} overview={overview} />);
    },
  };
}

interface Overview {
  counts: Record<Status, number>;
  drafts: Stored[];
  published: Stored[];
  scheduled: Stored[];
  changes: RecentChange[];
  failed: Awaited<ReturnType<typeof failures>>;
  /** Milliseconds since the clock last ticked, when that is too long. */
  silence: number | null;
  hasToken: boolean;
}

async function findOverview(deps: Deps, timeline: Timeline, visit: Visit): Promise<Overview> {
  const { content, reader } = deps;
  const { store } = content.context;
  const { collections } = visit.schema;
  const list = async (status: Status, by: "updatedAt" | "publishAt" | "publishedAt") => {
    if (!visit.can("documents.read")) return [];
    const sort = [{ by, descending: by !== "publishAt" }];
    const query = { collections, statuses: [status], sort, offset: 0, limit: SHOWN };
    const found = await reader.readableOfPage(await content.index.list(query));
    return found.documents;
  };
  const page = { before: null, limit: SHOWN + 2 };
  const mayJobs = visit.can("jobs.read");
  const [counts, drafts, published, scheduled, changes, failed, silence, tokens] = await Promise
    .all([
      content.index.countByStatus(collections),
      list("draft", "updatedAt"),
      list("published", "publishedAt"),
      list("scheduled", "publishAt"),
      visit.can("versions.read")
        ? recentChanges(deps, timeline, readableTypes(visit), page)
        : { changes: [] },
      mayJobs ? failures(store, FAILURES_MAX) : { count: 0, newest: null },
      mayJobs ? cronSilence(content.context, visit.user.createdAt * 1_000) : null,
      store.listAll({ prefix: livePrefix("api_token") }, { limit: 1 }),
    ]);
  const hasToken = tokens.length > 0;
  return { counts, drafts, published, scheduled, ...changes, failed, silence, hasToken };
}

function NewDocument({ visit }: { visit: Visit }) {
  const { collections } = visit.schema;
  if (!visit.can("documents.write") || collections.length === 0) return null;
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
  const { counts, drafts, published, scheduled, changes } = overview;
  const isNew = STATUSES.every((status) => counts[status] === 0);
  return (
    <div class="stack">
      <Warnings overview={overview} />
      {isNew && <FirstSteps visit={visit} hasToken={overview.hasToken} />}
      {visit.can("documents.read") && !isNew && (
        <>
          <Counts counts={counts} />
          <div class="overview">
            <div class="stack">
              <DocumentCard
                heading="Drafts"
                documents={drafts}
                visit={visit}
                at={({ state }) => state.updatedAt}
                more={["/admin/content?status=draft", counts.draft]}
                empty="No drafts: everything that was begun is out. A new document begins as a draft, and nobody sees it before you publish it."
              />
              <DocumentCard
                heading="Scheduled"
                documents={scheduled}
                visit={visit}
                at={({ state }) => state.publishAt}
                more={["/admin/schedule", counts.scheduled]}
                empty="Nothing waits for its time. Open a draft, choose “Publish …” and then “At a time”: it goes public by itself, and stands here and in the calendar until then."
              />
              <DocumentCard
                heading="Last published"
                documents={published}
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
                  : `${count === FAILURES_MAX ? `${count} or more` : count} jobs have failed.`}
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

function Counts({ counts }: { counts: Record<Status, number> }) {
  const shown: [Status, string][] = [
    ["draft", "Drafts"],
    ["scheduled", "Scheduled"],
    ["published", "Published"],
    ["archived", "Archived"],
  ];
  return (
    <ul class="tiles">
      {shown.map(([status, label]) => (
        <li>
          <a class="tile" href={`/admin/content?status=${status}`}>
            <strong>{counts[status].toLocaleString("en")}</strong>
            <span>{label}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Card(
  { heading, more: [href, count], children }: {
    heading: string;
    more: [href: string, count: number | null];
    children: Child;
  },
) {
  return (
    <section class="card">
      <div class="spread">
        <h2>{heading}</h2>
        {count !== 0 && (
          <a class="small" href={href}>
            {count === null || count <= SHOWN ? "All" : `All ${count.toLocaleString("en")}`}
            <span class="sr">{` ${heading.toLowerCase()}`}</span>
          </a>
        )}
      </div>
      {children}
    </section>
  );
}

function DocumentCard(
  { heading, documents, visit, at, more, empty }: {
    heading: string;
    documents: Stored[];
    visit: Visit;
    at: (stored: Stored) => number | null;
    more: [href: string, count: number];
    empty: string;
  },
) {
  return (
    <Card heading={heading} more={more}>
      {documents.length === 0 && <p class="muted">{empty}</p>}
      <ul class="lines">
        {documents.map((stored) => (
          <li>
            <a href={`/admin/documents/${stored.state.id}`}>{stored.state.title || "Untitled"}</a>
            <span class="muted small">
              {visit.schema.byId.get(stored.state.collectionId)?.name}
              {at(stored) !== null && (
                <>
                  {" · "}
                  <Time at={at(stored)!} clock={visit} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
