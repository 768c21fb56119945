/**
 * The days of a calendar with their scheduled documents, each with a form to reschedule it.
 *
 * @module
 */
import type { StoredDocument } from "../../../../../kv/documents/write.ts";
import { MONTH_ENTRIES_MAX } from "../../../../input/limits.ts";
import { Icon } from "../../../components/icon.tsx";
import type { Visit } from "../../../serving/studio_env.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import type { Zone } from "../../../wording/zoned_time.ts";
import { DateInput } from "../../../components/forms/date_input.tsx";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The days of a page. */
export interface CalendarDays {
  view: "month" | "week";
  /** The day that the address names, or today. */
  day: string;
  today: string;
  days: string[];
  first: string;
  last: string;
  /** A day of the page before, and of the one after. */
  before: string;
  after: string;
}

/** The address of the calendar at a day. */
export function hrefOfDays(view: string, day: string): string {
  return `/admin/schedule?view=${view}&day=${day}`;
}

/** Days as headings, cells and readers of screens have them; made once for a page. */
export class DayFormats {
  readonly #month = inUtc({ month: "long", year: "numeric" });
  readonly #date = inUtc({ day: "numeric", month: "short", year: "numeric" });
  readonly #long = inUtc({ weekday: "long", day: "numeric", month: "long" });
  readonly #first = inUtc({ day: "numeric", month: "short" });
  readonly #narrow = inUtc({ weekday: "short", day: "numeric", month: "short" });

  month = (day: string) => this.#month.format(noonOf(day));
  date = (day: string) => this.#date.format(noonOf(day));
  long = (day: string) => this.#long.format(noonOf(day));
  first = (day: string) => this.#first.format(noonOf(day));
  narrow = (day: string) => this.#narrow.format(noonOf(day));
}

function inUtc(style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-GB", { ...style, timeZone: "UTC" });
}

function noonOf(day: string): number {
  return Date.parse(`${day}T12:00Z`);
}

/** Which days are shown, and the way to others. */
export function CalendarNav({ days: { view, day, today, first, last, before, after } }: {
  days: CalendarDays;
}) {
  const formats = new DayFormats();
  const title = view === "month"
    ? formats.month(day)
    : `${formats.date(first)} – ${formats.date(last)}`;
  return (
    <div class="spread calendar-nav">
      <h2 aria-live="polite">{title}</h2>
      <div class="row">
        <nav class="row" aria-label="Dates">
          <ButtonLink size="small" href={hrefOfDays(view, before)} rel="prev">Previous</ButtonLink>
          <ButtonLink size="small" href={hrefOfDays(view, today)}>Today</ButtonLink>
          <ButtonLink size="small" href={hrefOfDays(view, after)} rel="next">Next</ButtonLink>
        </nav>
        <nav class="row" aria-label="View">
          {(["month", "week"] as const).map((name) => (
            <a
              class={name === view ? "button small primary" : "button small"}
              href={hrefOfDays(name, day)}
              aria-current={name === view ? "page" : undefined}
            >
              {name === "month" ? "Month" : "Week"}
            </a>
          ))}
        </nav>
      </div>
    </div>
  );
}

/** Another scheduled event, which is rescheduled on its own screen. */
export interface CalendarEvent {
  /** Epoch seconds. */
  at: number;
  title: string;
  href: string;
  /** The kind of event: "Release", "Unpublish". */
  kind: string;
}

interface CalendarProps {
  days: CalendarDays;
  entries: StoredDocument[];
  events: CalendarEvent[];
  visit: Visit;
  zone: Zone;
}

/** The days; on a narrow screen those with something on them, one below the other. */
export function Calendar({ days, entries, events, visit, zone }: CalendarProps) {
  const eventsByDay = Map.groupBy(events, ({ at }) => zone.dayAt(at));
  const byDay = Map.groupBy(entries, ({ state }) => zone.dayAt(state.publishAt ?? 0));
  const mayMove = visit.documents.somewhere("publish");
  const formats = new DayFormats();
  return (
    <section aria-label="Calendar">
      <div class="weekdays" aria-hidden="true">
        {WEEKDAYS.map((name) => <span>{name}</span>)}
      </div>
      <ol class={`calendar ${days.view}`}>
        {days.days.map((day) => (
          <Day
            day={day}
            days={days}
            documents={byDay.get(day) ?? []}
            events={eventsByDay.get(day) ?? []}
            visit={visit}
            zone={zone}
            formats={formats}
          />
        ))}
      </ol>
      {mayMove && entries.length > 0 && (
        <p class="help" id="calendar-help">
          Drag an entry to another day, or focus it and press Shift with an arrow key. Use “Move” to
          set an exact date and time.
        </p>
      )}
    </section>
  );
}

function Day(
  { day, days, documents, events, visit, zone, formats }: Omit<CalendarProps, "entries"> & {
    day: string;
    documents: StoredDocument[];
    formats: DayFormats;
  },
) {
  const { view, today } = days;
  const shown = view === "month" ? documents.slice(0, MONTH_ENTRIES_MAX) : documents;
  const isOutside = view === "month" && !day.startsWith(days.day.slice(0, 7));
  const classes = [
    "day",
    day === today && "today",
    day < today && "past",
    isOutside && "outside",
    documents.length + events.length > 0 && "filled",
  ];
  return (
    <li
      class={classes.filter(Boolean).join(" ")}
      data-day={day}
      aria-current={day === today ? "date" : undefined}
    >
      <h3>
        <span class="sr">
          {formats.long(day)}
        </span>
        <span class="day-wide" aria-hidden="true">
          {day.endsWith("-01") ? formats.first(day) : Number(day.slice(8))}
        </span>
        <span class="day-narrow" aria-hidden="true">
          {formats.narrow(day)}
        </span>
      </h3>
      {shown.length + events.length > 0 && (
        <ul>
          {events.map(({ at, title, href, kind }) => (
            <li class="entry">
              <a href={href}>
                <span class="entry-time">{zone.timeAt(at).slice(11, 16)}</span>
                <span class="entry-title" dir="auto">{title}</span>
                <span class="muted small">{kind}</span>
              </a>
            </li>
          ))}
          {shown.map((stored) => <Entry stored={stored} days={days} visit={visit} zone={zone} />)}
        </ul>
      )}
      {documents.length > shown.length && (
        <a class="small" href={hrefOfDays("week", day)}>
          {`${documents.length - shown.length} more`}
        </a>
      )}
    </li>
  );
}

function Entry(
  { stored: { state }, days, visit, zone }: Omit<CalendarProps, "entries" | "events"> & {
    stored: StoredDocument;
  },
) {
  const when = zone.timeAt(state.publishAt ?? 0);
  const title = state.title || "Untitled";
  const mayMove = visit.documents.on("publish", state);
  return (
    <li
      class="entry"
      id={`e-${state.id}`}
      data-entry={state.id}
      data-when={when}
      draggable={mayMove ? "true" : undefined}
    >
      <a
        href={`/admin/documents/${state.id}`}
        aria-describedby={mayMove ? "calendar-help" : undefined}
      >
        <span class="entry-time">{when.slice(11, 16)}</span>
        <span class="entry-title" dir="auto">{title}</span>
        {days.view === "week" && (
          <span class="muted small">{visit.schema.byId.get(state.collectionId)?.name}</span>
        )}
      </a>
      {mayMove && (
        <details class="mover">
          <summary aria-label={`Move ${title}`} title="Move">
            <Icon name="calendar" />
          </summary>
          <MoveForm id={state.id} when={when} days={days} zone={visit.timezone} />
        </details>
      )}
    </li>
  );
}

/** Sets when a document goes public. */
function MoveForm(
  { id, when, days, zone }: {
    id: string;
    when: string | null;
    days: CalendarDays;
    zone: string;
  },
) {
  return (
    <form method="post" action="/admin/schedule/move" class="move-form" data-move>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="view" value={days.view} />
      <input type="hidden" name="day" value={days.day} />
      <label for={`when-${id}`}>{`Publish on (${zone})`}</label>
      <DateInput
        id={`when-${id}`}
        name="when"
        value={when?.slice(0, 16)}
        required
      />
      <div class="row">
        <Button type="submit" variant="primary" size="small">
          {when === null ? "Schedule" : "Move"}
        </Button>
        <Button type="submit" size="small" name="act" value="draft" formnovalidate>
          Back to draft
        </Button>
      </div>
    </form>
  );
}

/** Documents with the status scheduled but without a time. */
export function UnscheduledDocuments(
  { documents, days, visit }: { documents: StoredDocument[]; days: CalendarDays; visit: Visit },
) {
  return (
    <section class="card">
      <h2>Scheduled without a time</h2>
      <p class="muted">
        These documents are marked as scheduled but have no time yet. Set a time to publish them.
      </p>
      <ul class="lines">
        {documents.map(({ state }) => (
          <li>
            <a href={`/admin/documents/${state.id}`}>{state.title || "Untitled"}</a>
            <span class="muted small">{visit.schema.byId.get(state.collectionId)?.name}</span>
            {visit.documents.on("publish", state) && (
              <MoveForm id={state.id} when={null} days={days} zone={visit.timezone} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
