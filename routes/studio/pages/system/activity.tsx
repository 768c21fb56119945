/**
 * All changes, version by version, newest first, with authors and links to the history; of one kind, person or
 * time.
 *
 * @module
 */
import type { EventPosition } from "../../../../kv/history/newest_versions.ts";
import { Timeline } from "../../../../kv/history/timeline/timeline.ts";
import { isEntityType } from "../../../../kv/model/entities/entity_kinds.ts";
import type { Deps } from "../../../deps/deps.ts";
import { dayOf, Time } from "../../components/time.tsx";
import { ListState } from "../../list_state.ts";
import { entityName } from "../../wording/entity_names.ts";
import { page } from "../../serving/page.tsx";
import { readableTypes, type RecentChange, recentChanges } from "../../wording/recent_changes.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { Tabs } from "../../components/navigation/tabs.tsx";
import { Avatar } from "../../components/avatar.tsx";
import { Icon } from "../../components/icon.tsx";
import type { Handlers } from "../../screens.ts";
import { ActivityFilters, findFilter, NO_FILTER } from "./activity_filters.tsx";

/** Versions on a page. */
const SHOWN = 50;

/** `/activity`. */
export function activityScreens(deps: Deps): Handlers<"activity"> {
  const timeline = new Timeline(deps.content.context.store);
  return {
    activity: async (c) => {
      const visit = c.get("visit");
      const state = new ListState(visit.url);
      const seen = readableTypes(visit);
      const wanted = c.req.query("type") ?? "";
      const types = isEntityType(wanted) && seen.includes(wanted) ? [wanted] : seen;
      const before = parsePosition(c.req.query("before"));
      const filter = await findFilter(deps, visit);
      const found = await recentChanges(deps, timeline, visit, {
        types,
        before: before ?? filter.until,
        limit: SHOWN,
        ...filter.query,
      });
      const facts = {
        title: "Activity",
        intro: "Every change, newest first, and who made it.",
      };
      return await page(
        c,
        facts,
        <>
          <Tabs
            label="By kind"
            tabs={[null, ...seen].map((type) => ({
              label: type === null ? "All" : entityName(type),
              href: state.with({ type, before: null }),
              current: (type ?? "") === wanted,
            }))}
          />
          <ActivityFilters filter={filter} state={state} />
          {found.changes.length === 0
            ? <NoChanges isFiltered={filter.isSet} hasMore={found.more !== null} state={state} />
            : (
              <div class="stack">
                {byDay(found.changes, visit).map(([day, changes]) => (
                  <section class="card">
                    <h2>{day}</h2>
                    <Changes changes={changes} visit={visit} />
                  </section>
                ))}
              </div>
            )}
          {(before !== null || found.more !== null) && (
            <nav class="pagination" aria-label="Pages">
              <span class="muted">Newest first</span>
              <span class="row">
                {before !== null && (
                  <ButtonLink size="small" href={state.with({ before: null })}>Newest</ButtonLink>
                )}
                {found.more !== null && (
                  <ButtonLink
                    size="small"
                    href={state.with({ before: textOf(found.more) })}
                    rel="next"
                  >
                    Older
                  </ButtonLink>
                )}
              </span>
            </nav>
          )}
        </>,
      );
    },
  };
}

function NoChanges({ isFiltered, hasMore, state }: {
  isFiltered: boolean;
  hasMore: boolean;
  state: ListState;
}) {
  if (hasMore) {
    return (
      <EmptyState icon="activity" title="No matches so far">
        <p>Older changes have not been searched yet.</p>
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState
        icon="activity"
        title="No matches"
        actions={<ButtonLink href={state.with(NO_FILTER)}>Clear filters</ButtonLink>}
      >
        <p>No changes by this user in this period.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="activity" title="Nothing of this kind yet">
      <p>Changes appear here with their author and a link to the history.</p>
    </EmptyState>
  );
}

/** Changes as sentences. */
export function Changes({ changes, visit }: { changes: RecentChange[]; visit: Visit }) {
  return (
    <ul class="changes">
      {changes.map(({ event, name, kind, verb, note, byId, by }) => (
        <li>
          {byId === null
            ? (
              <span class="avatar" aria-hidden="true">
                <Icon name="settings" />
              </span>
            )
            : <Avatar id={byId} name={by} />}
          <div>
            <p>
              <span class="muted">{`${by} ${verb} `}</span>
              <a href={`/admin/versions/${event.type}/${event.id}`}>{name}</a>
            </p>
            <p class="muted small">
              {`${kind} · `}
              <Time at={event.at} clock={visit} />
              {note !== null && ` · ${note}`}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function byDay(changes: RecentChange[], visit: Visit): [string, RecentChange[]][] {
  const days = Map.groupBy(changes, ({ event }) => dayOf(event.at, visit));
  return [...days];
}

/** A place as the address has it. */
function textOf({ at, id, n }: EventPosition): string {
  return `${at}.${id}.${n}`;
}

function parsePosition(text: string | undefined): EventPosition | null {
  const [, at, id, n] = /^(\d{1,10})\.([0-9A-HJKMNP-TV-Z]{26})\.(\d{1,9})$/.exec(text ?? "") ?? [];
  return id === undefined ? null : { at: Number(at), id, n: Number(n) };
}
