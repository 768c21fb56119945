/**
 * The notice above empty days of the calendar, with a link to the nearest day with an event.
 *
 * @module
 */
import { between } from "../../../../kv/index/query/condition.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { dayAfter } from "../../wording/days.ts";
import type { Visit } from "../../serving/studio_env.ts";
import type { Zone } from "../../wording/zoned_time.ts";
import {
  type CalendarDays,
  type CalendarEvent,
  DayFormats,
  hrefOfDays,
} from "../content/lists/calendar.tsx";

/** The first event after the shown days, or else the last before them; null if there is none. */
export async function nearestEvent(
  deps: Deps,
  visit: Visit,
  { days, zone, events }: { days: CalendarDays; zone: Zone; events: readonly CalendarEvent[] },
): Promise<CalendarEvent | null> {
  const first = zone.startOf(days.first);
  const end = zone.startOf(dayAfter(days.last, 1));
  const later = [
    ...await scheduledBetween(deps, visit, [end, null]),
    ...events.filter(({ at }) => at >= end),
  ].toSorted((a, b) => a.at - b.at);
  const [next] = later;
  if (next !== undefined) return next;
  const earlier = [
    ...await scheduledBetween(deps, visit, [0, first - 1]),
    ...events.filter(({ at }) => at < first),
  ].toSorted((a, b) => b.at - a.at);
  return earlier[0] ?? null;
}

/** The document that goes public nearest to the shown days, if any. */
async function scheduledBetween(
  { content, reader }: Deps,
  visit: Visit,
  [from, to]: [from: number, to: number | null],
): Promise<CalendarEvent[]> {
  const found = await content.index.list({
    collections: visit.readable,
    statuses: ["scheduled"],
    where: between("publishAt", from, to),
    sort: [{ by: "publishAt", descending: to !== null }],
    offset: 0,
    limit: 1,
  });
  const { documents } = await reader.readableOfPage(found);
  return documents.map(({ state }) => ({
    at: state.publishAt ?? 0,
    title: state.title || "Untitled",
    href: `/admin/documents/${state.id}`,
    kind: visit.schema.byId.get(state.collectionId)?.name ?? "Document",
  }));
}

/** Says that nothing happens on the shown days, and leads to the nearest on which something does. */
export function NothingShown(
  { days, nearest, zone }: { days: CalendarDays; nearest: CalendarEvent; zone: Zone },
) {
  const formats = new DayFormats();
  const shown = days.view === "month" ? formats.month(days.day) : "this week";
  const day = zone.dayAt(nearest.at);
  const year = day.slice(0, 4) === days.day.slice(0, 4) ? "" : ` ${day.slice(0, 4)}`;
  const isLater = day > days.first;
  const other = days.view === "month" ? formats.month(day) : `the week of ${formats.first(day)}`;
  return (
    <div class="alert info calendar-empty" role="status">
      <Icon name="calendar" />
      <p>
        <strong>{`Nothing is scheduled for ${shown}.`}</strong> {isLater ? "Next: " : "Before: "}
        <a href={nearest.href} dir="auto">{nearest.title}</a>
        {` (${nearest.kind}), ${formats.long(day)}${year} at ${
          zone.timeAt(nearest.at).slice(11, 16)
        }.`}
      </p>
      <ButtonLink size="small" href={hrefOfDays(days.view, day)}>{`Show ${other}`}</ButtonLink>
    </div>
  );
}
