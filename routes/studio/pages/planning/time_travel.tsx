/**
 * Time travel: the site as it was at a moment, what a restore would change, and the restore.
 *
 * @module
 */
import { seconds } from "../../../../kv/context.ts";
import { PastReader } from "../../../../kv/history/past_collections.ts";
import { CHANGE_KINDS, siteChanges } from "../../../../kv/history/site_changes.ts";
import { lastSiteRestore } from "../../../../kv/history/site_restore/request.ts";
import { type Sample, type SiteAt, siteAt } from "../../../../kv/history/state_at.ts";
import type { TimelineReaders } from "../../../../kv/history/timeline/timeline.ts";
import { isEntityType, SITE_TYPES } from "../../../../kv/model/entities/entity_kinds.ts";
import { isFinished } from "../../../../kv/jobs/job.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { drawPastPage } from "../../../answers/site_preview.ts";
import type { Deps } from "../../../deps/deps.ts";
import { EmptyState } from "../../components/empty_state.tsx";
import { Icon } from "../../components/icon.tsx";
import { exactTime } from "../../components/time.tsx";
import { ListState } from "../../list_state.ts";
import { page } from "../../serving/page.tsx";
import type { StudioContext, Visit } from "../../serving/studio_env.ts";
import { Zone } from "../../wording/zoned_time.ts";
import { PastPages, pastSite } from "./past_pages.tsx";
import { describeChanges, TravelChanges } from "./travel_changes.tsx";
import { activityOf, Chooser } from "./travel_chooser.tsx";
import { entityName } from "../../wording/entity_names.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import type { Handlers } from "../../screens.ts";

/** Changes on a page. */
const PER_PAGE = 20;

/** `/time-travel`. */
export function timeTravelScreens(deps: Deps): Handlers<"timeTravel" | "pastPage"> {
  const past = new PastReader(deps.content);
  const { timeline } = past;
  return {
    timeTravel: async (c) => {
      const visit = c.get("visit");
      const now = seconds(deps.content.context);
      const state = new ListState(visit.url);
      const when = c.req.query("when");
      const typed = when === undefined ? null : new Zone(visit.timezone).instantOf(when);
      if (typed !== null && typed <= now) {
        return c.redirect(state.with({ when: null, at: String(typed) }));
      }
      const given = Number(c.req.query("at") ?? "");
      const at = Number.isSafeInteger(given) && given > 0 && given <= now ? given : null;
      // Every question on this page is about one snapshot of the history.
      const readers = timeline.snapshot(SITE_TYPES);
      const activity = await activityOf(readers, c.req.query("span"), now);
      const facts = {
        title: "Time travel",
        wide: true,
        intro:
          "See the site as it was at any moment, and restore it. Restoring adds new versions, so you can undo it the same way.",
      };
      return await page(
        c,
        facts,
        <div class="stack" data-island="time-travel" data-zone={visit.timezone}>
          <LastRestore last={await lastSiteRestore(deps.content.context.store)} visit={visit} />
          {when !== undefined && (
            <p class="alert bad" role="alert">
              {typed === null ? "That is not a valid date and time." : "That is in the future."}
            </p>
          )}
          <Chooser activity={activity} at={at} now={now} state={state} visit={visit} />
          {at !== null && await preview(deps, c, readers, { at, now })}
        </div>,
      );
    },
    pastPage: async (c) => {
      const { path } = c.req.param();
      const at = Number(c.req.param("at"));
      if (at < 1 || at > seconds(deps.content.context)) throw new Refusal("NOT_FOUND");
      const where = { at, path: `/${path}`, base: pastSite(at) };
      return await drawPastPage(deps, c, past, where);
    },
  };
}

async function preview(
  deps: Deps,
  c: StudioContext,
  readers: TimelineReaders,
  { at, now }: { at: number; now: number },
) {
  const { context } = deps.content;
  const visit = c.get("visit");
  const type = c.req.query("type") ?? "";
  const pageNumber = Math.max(1, Math.floor(Number(c.req.query("page") ?? 1)) || 1);
  const query = {
    now,
    then: at,
    type: isEntityType(type) ? type : undefined,
    kind: CHANGE_KINDS.find((kind) => kind === c.req.query("kind")),
    skip: (pageNumber - 1) * PER_PAGE,
    limit: PER_PAGE,
  };
  const [site, changes] = await Promise.all([
    siteAt(context, readers, at),
    siteChanges(readers, query),
  ]);
  if (SITE_TYPES.every((type) => site.entities[type].count === 0)) {
    return <BeforeAll {...{ at, visit }} />;
  }
  const described = await describeChanges(deps, changes.changes, visit);
  const paging = { page: pageNumber, perPage: PER_PAGE, total: changes.total };
  const state = new ListState(visit.url);
  const touched = SITE_TYPES.some((one) =>
    changes.counts[one].created + changes.counts[one].changed + changes.counts[one].removed > 0
  );
  return (
    <>
      <SiteThen at={at} site={site} visit={visit} />
      <section class="card" id="changes">
        <h2>What restoring would change</h2>
        <TravelChanges
          changes={changes}
          described={described}
          query={query}
          paging={paging}
          state={state}
        />
      </section>
      {touched && <Confirmation at={at} visit={visit} />}
    </>
  );
}

function SiteThen({ at, site, visit }: { at: number; site: SiteAt; visit: Visit }) {
  const uncertain = SITE_TYPES.filter((type) => site.entities[type].complete === false);
  return (
    <section class="card">
      <h2>{`The site at ${exactTime(at, visit)}`}</h2>
      {site.complete === false && (
        <div class="alert warn with-icon">
          <Icon name="warning" />
          <div>
            <p>
              <strong>This view is incomplete.</strong>
              {" Some old versions are no longer stored, so part of that state is unknown. Counts marked “≥” may be too low, and anything that depends on a missing version stays as it is now."}
            </p>
            <p>{`Affected: ${uncertain.map((type) => entityName(type)).join(", ")}.`}</p>
          </div>
        </div>
      )}
      <div class="past-site">
        <PastPages at={at} visit={visit} />
        <ul class="tiles compact">
          {SITE_TYPES.filter((type) => site.entities[type].count > 0).map((type) => (
            <li class="tile">
              <strong>
                {site.entities[type].complete === false && <span aria-label="at least">≥</span>}
                {site.entities[type].count.toLocaleString("en")}
              </strong>
              <span>{entityName(type)}</span>
              <small class="muted">{sampleText(site.entities[type].sample)}</small>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** There is no way back to when there was no site. */
function BeforeAll({ at, visit }: { at: number; visit: Visit }) {
  return (
    <section class="card">
      <EmptyState icon="history" title="There was nothing yet">
        <p>
          {`The site did not exist yet at ${exactTime(at, visit)}, so there is nothing to restore.`}
        </p>
      </EmptyState>
    </section>
  );
}

function Confirmation({ at, visit }: { at: number; visit: Visit }) {
  return (
    <section class="card">
      <h2>Restore the site</h2>
      <form class="form" data-restore-form data-at={at} data-title={visit.siteTitle}>
        <ul class="plain-list">
          <li>
            People can keep working. Changes made during the restore are kept.
          </li>
          <li>Nothing is lost: the current state stays in the history.</li>
          <li>You can undo the restore with one button.</li>
        </ul>
        <div class="field check">
          <input id="keep-revoked" type="checkbox" checked />
          <label for="keep-revoked">
            Keep revoked tokens revoked and deleted users deleted
          </label>
        </div>
        <div class="field short">
          <label for="typed">{`Type “${visit.siteTitle}” to restore the site`}</label>
          <input id="typed" type="text" autocomplete="off" />
        </div>
        <Button type="submit" variant="danger primary" disabled>
          {`Restore to ${exactTime(at, visit)}`}
        </Button>
      </form>
    </section>
  );
}

/** The last restore: its job, and the undo button. */
function LastRestore(
  { last, visit }: { last: Awaited<ReturnType<typeof lastSiteRestore>>; visit: Visit },
) {
  if (last === null) return null;
  const { row: { jobId, timestamp, at }, job } = last;
  const to = exactTime(timestamp, visit);
  if (job !== null && !isFinished(job.state)) {
    return (
      <div class="alert info spread" role="status">
        <span>{`The site is being restored to ${to}.`}</span>
        <ButtonLink size="small" href={`/admin/jobs/${jobId}`}>View progress</ButtonLink>
      </div>
    );
  }
  const asked = exactTime(at, visit);
  return (
    <div class="alert info spread">
      <span>
        {`Last restore: to ${to}, started ${asked}. `}
        {job !== null && <a href={`/admin/jobs/${jobId}`}>View result</a>}
      </span>
      <Button
        size="small"
        data-action="POST /api/admin/restore"
        data-body={JSON.stringify({ timestamp: at })}
        data-ask={`Restore the site to the moment before that, ${asked}? Later changes stay in the history.`}
        data-verb="Undo"
        data-then="/admin/jobs/{jobId}"
        data-done="Undoing the restore"
        icon="history"
      >
        Undo restore
      </Button>
    </div>
  );
}

function sampleText(sample: Sample[]): string {
  return sample.map((one) => one.title ?? one.displayName ?? one.name ?? one.key ?? "")
    .filter((text) => text !== "").slice(0, 5).join(", ");
}
