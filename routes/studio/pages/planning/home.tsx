/**
 * The overview: pending work, problems, recent changes, and the first steps of a new site.
 *
 * @module
 */
import { findNotifications, type Notification } from "../../../../kv/documents/notifications.ts";
import { Timeline } from "../../../../kv/history/timeline/timeline.ts";
import { cronSilence, failures } from "../../../../kv/jobs/job_list.ts";
import { currentPrefix } from "../../../../kv/keys.ts";
import { type Status, STATUSES } from "../../../../kv/model/entities/document.ts";
import type { Deps } from "../../../deps/deps.ts";
import { thumbnailId } from "../../thumbnail.ts";
import { userNames } from "../../wording/user_names.ts";
import {
  Card,
  DraftCards,
  findDrafts,
  type OverviewDocuments,
  PublishedCard,
  ScheduledCard,
  SHOWN,
  writableOf,
} from "./home_documents.tsx";
import { MyWork } from "./my_work.tsx";
import { findReviewQueue, type QueuedReview } from "./review_queue.tsx";
import { Icon } from "../../components/icon.tsx";
import { lengthOf, typeName } from "../../wording/job_words.ts";
import { newButtonLabel } from "../../wording/new_document.ts";
import { collectionIcon, collectionsToAddTo } from "../../navigation.ts";
import { page } from "../../serving/page.tsx";
import { readableTypes, type RecentChange, recentChanges } from "../../wording/recent_changes.ts";
import { mergeEditSessions } from "../../wording/edit_sessions.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { Changes } from "../system/activity.tsx";
import type { TranslationCounts } from "../../../../kv/documents/lists/translation_counts.ts";
import { findTranslationCounts, TranslationMatrix } from "./translation_matrix.tsx";
import { FirstSteps } from "./first_steps.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Menu, MenuLink } from "../../components/overlays/menu.tsx";
import type { EntityType } from "../../../../kv/model/entities/entity_kinds.ts";
import { FAILURES_COUNTED_MAX } from "../../../input/limits.ts";
import { findReferenced } from "../../controls/referenced.ts";
import type { Handlers } from "../../screens.ts";

/** Characters of a failure's reason. */
const ERROR_CHARS = 160;

/** Number of changes shown, and of versions read for them: an edit session consists of many versions. */
const CHANGES_SHOWN = SHOWN + 2;
const CHANGES_READ = 3 * CHANGES_SHOWN;

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

/** Greeting by the hour in the site's time zone. */
function greeting({ user, now, timezone }: Visit): string {
  const hour = Number(
    new Intl.DateTimeFormat("en", { hour: "numeric", hourCycle: "h23", timeZone: timezone })
      .format(now * 1000),
  );
  const time = hour < 5 || hour >= 18 ? "evening" : hour < 12 ? "morning" : "afternoon";
  return `Good ${time}, ${user.displayName.split(" ")[0]}`;
}

interface Overview extends OverviewDocuments {
  /** The reviews that wait for the user. */
  asked: QueuedReview[];
  notifications: Notification[];
  changes: RecentChange[];
  failed: Awaited<ReturnType<typeof failures>>;
  /** Milliseconds since the clock last ticked, when that is too long. */
  silence: number | null;
  hasToken: boolean;
  translations: TranslationCounts[];
}

async function findOverview(deps: Deps, timeline: Timeline, visit: Visit): Promise<Overview> {
  const { content, reader } = deps;
  const { store } = content.context;
  const collections = visit.readable;
  const list = async (status: Status, by: "publishAt" | "publishedAt") => {
    if (collections.length === 0) return [];
    const sort = [{ by, descending: by !== "publishAt" }];
    const query = { collections, statuses: [status], sort, offset: 0, limit: SHOWN };
    const found = await reader.readableOfPage(await content.index.list(query));
    return found.documents;
  };
  const page = { before: null, limit: CHANGES_READ };
  const mayJobs = visit.can("jobs.read");
  const access = await deps.people.access.current();
  const [
    counts,
    drafts,
    published,
    scheduled,
    asked,
    { all: notifications },
    changes,
    failed,
    silence,
    tokens,
    translations,
  ] = await Promise.all([
    content.index.countByStatus(collections),
    findDrafts(deps, visit),
    list("published", "publishedAt"),
    list("scheduled", "publishAt"),
    findReviewQueue(deps, visit),
    findNotifications(content, access, visit.user.id),
    visit.can("versions.read")
      ? recentChanges(deps, timeline, visit, { ...page, types: homeTypes(visit) })
      : { changes: [] },
    mayJobs ? failures(store, FAILURES_COUNTED_MAX) : { count: 0, newest: null },
    mayJobs ? cronSilence(content.context, visit.user.createdAt * 1_000) : null,
    store.listAll({ prefix: currentPrefix("api_token") }, { limit: 1 }),
    findTranslationCounts(deps, visit),
  ]);
  const hasToken = tokens.length > 0;
  const images = [...drafts, ...published, ...scheduled].flatMap(({ state }) => {
    const id = thumbnailId(state, visit);
    return id === null ? [] : [{ kind: "media" as const, id }];
  });
  const referenced = await findReferenced(deps, images, visit);
  const people = await userNames(deps);
  const merged = mergeEditSessions(changes.changes).slice(0, CHANGES_SHOWN);
  const lists = { drafts, published, scheduled, asked, notifications, people, changes: merged };
  return { counts, ...lists, referenced, failed, silence, hasToken, translations };
}

/** Types that the overview leaves out: permissions, and parts of other changes. */
const OMITTED_TYPES: ReadonlySet<EntityType> = new Set([
  "role",
  "user_role",
  "field_definition",
  "plugin_config",
]);

/** The types of the overview; Activity shows the rest. */
function homeTypes(visit: Visit): EntityType[] {
  return readableTypes(visit).filter((type) => !OMITTED_TYPES.has(type));
}

function NewDocument({ visit }: { visit: Visit }) {
  const collections = collectionsToAddTo(visit);
  const [first] = collections;
  if (first === undefined) return null;
  if (collections.length === 1) {
    return (
      <ButtonLink variant="primary" href={`/admin/content/${first.slug}/new`} icon="plus">
        {newButtonLabel(first)}
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
            {collection.singular ?? collection.name}
          </MenuLink>
        ))}
      </Menu>
    </>
  );
}

function Overview({ visit, overview }: { visit: Visit; overview: Overview }) {
  const { counts, changes } = overview;
  const isNew = STATUSES.every((status) => counts[status] === 0);
  return (
    <div class="stack">
      <Warnings overview={overview} />
      {isNew && <FirstSteps visit={visit} hasToken={overview.hasToken} />}
      {visit.documents.somewhere("read") && !isNew && (
        <>
          <div class="overview">
            <div class="stack">
              <MyWork work={overview} visit={visit}>
                {writableOf(visit).length > 0 && <DraftCards overview={overview} visit={visit} />}
              </MyWork>
              <ScheduledCard overview={overview} visit={visit} />
              <PublishedCard overview={overview} visit={visit} />
              <TranslationMatrix counts={overview.translations} visit={visit} />
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

/** Failed jobs and a stopped scheduler. */
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
              {`: ${(newest.error ?? "no reason given").slice(0, ERROR_CHARS)}`}
            </p>
          </div>
          <ButtonLink size="small" href="/admin/jobs?state=failed">View failed jobs</ButtonLink>
        </section>
      )}
      {silence !== null && (
        <section class="alert warn with-icon" aria-label="Scheduler">
          <Icon name="warning" />
          <p class="fill">
            {`The scheduler has not run for ${lengthOf(silence)}. Scheduled work is waiting.`}
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
