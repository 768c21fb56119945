/**
 * The schedule by month or week, in the site's time zone. A form without scripts changes a time; the browser
 * code adds dragging and keys, which submit the same form.
 *
 * @module
 */
import { scheduleDocument } from "../../../../kv/documents/status.ts";
import type { StoredDocument } from "../../../../kv/documents/write.ts";
import { between } from "../../../../kv/index/query/condition.ts";
import type { ListQuery } from "../../../../kv/index/query/list_query.ts";
import { isUlid } from "../../../../kv/model/values/ulid.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { refuseOnDocument } from "../../../admin/content/document_access.ts";
import type { Deps } from "../../../deps/deps.ts";
import {
  SCHEDULE_FORM_CHARS_MAX,
  SCHEDULED_SHOWN_MAX,
  TIMELESS_MAX,
} from "../../../input/limits.ts";
import { exactTime } from "../../components/time.tsx";
import { page } from "../../serving/page.tsx";
import type { StudioContext, Visit } from "../../serving/studio_env.ts";
import { dayAfter, isDay, weekdayOf } from "../../wording/days.ts";
import { Zone } from "../../wording/zoned_time.ts";
import { markedDocuments } from "../../../../kv/documents/reference_rows.ts";
import {
  Calendar,
  type CalendarDays,
  type CalendarEvent,
  CalendarNav,
  UnscheduledDocuments,
} from "../content/lists/calendar.tsx";
import { nearestEvent, NothingShown } from "./next_scheduled.tsx";
import { ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import type { Handlers } from "../../screens.ts";

/** `/schedule` and `/schedule/move`. */
export function scheduleScreens(deps: Deps): Handlers<"schedule" | "reschedule"> {
  return {
    schedule: (c) => schedulePage(deps, c),
    reschedule: (c) => moveEntry(deps, c),
  };
}

async function schedulePage(deps: Deps, c: StudioContext): Promise<Response> {
  const visit = c.get("visit");
  const zone = new Zone(visit.timezone);
  const days = daysOf(c, zone.dayAt(visit.now));
  const { entries, timeless, total } = await findScheduled(deps, visit, days, zone);
  const allEvents = await findEvents(deps, visit);
  const { first, last } = days;
  const events = allEvents.filter(({ at }) => first <= zone.dayAt(at) && zone.dayAt(at) <= last);
  const isEmpty = entries.length + events.length === 0;
  const nearest = isEmpty
    ? await nearestEvent(deps, visit, { days, zone, events: allEvents })
    : null;
  const moved = c.req.query("moved");
  const facts = {
    title: "Schedule",
    wide: true,
    intro: (
      <>
        Scheduled and published dates. All times are in the site’s time zone,{" "}
        <strong>{visit.timezone}</strong>.
      </>
    ),
  };
  return await page(
    c,
    facts,
    <div
      class="stack"
      data-island="schedule"
      data-moved={moved !== undefined && isUlid(moved) ? moved : undefined}
    >
      <Notice c={c} documents={entries} visit={visit} />
      {timeless.length > 0 && (
        <UnscheduledDocuments documents={timeless} days={days} visit={visit} />
      )}
      <CalendarNav days={days} />
      {nearest !== null && <NothingShown days={days} nearest={nearest} zone={zone} />}
      <Calendar days={days} entries={entries} events={events} visit={visit} zone={zone} />
      {total + allEvents.length === 0 && (
        <EmptyState
          title="Nothing is scheduled"
          actions={<ButtonLink href="/admin/content?status=draft">View drafts</ButtonLink>}
        >
          <p>
            To schedule a draft, open it and choose “Publish …”, then “Schedule”. It appears in this
            calendar, where you can move it.
          </p>
        </EmptyState>
      )}
    </div>,
  );
}

/** Which days are shown; a month begins with the Monday of its first week. */
function daysOf(c: StudioContext, today: string): CalendarDays {
  const view = c.req.query("view") === "week" ? "week" : "month";
  const asked = c.req.query("day") ?? "";
  const day = isDay(asked) && asked > "1970-02" && asked < "9999-11" ? asked : today;
  const first = view === "week" ? day : `${day.slice(0, 8)}01`;
  const start = dayAfter(first, -weekdayOf(first));
  const nextMonth = `${dayAfter(`${day.slice(0, 8)}28`, 4).slice(0, 8)}01`;
  const weeks = view === "week" ? 1 : Math.ceil(
    (Date.parse(nextMonth) - Date.parse(start)) / (7 * 86_400_000),
  );
  const days = Array.from({ length: weeks * 7 }, (_, index) => dayAfter(start, index));
  const before = view === "week" ? dayAfter(day, -7) : `${dayAfter(first, -1).slice(0, 8)}01`;
  const after = view === "week" ? dayAfter(day, 7) : nextMonth;
  const last = days.at(-1) ?? day;
  return { view, day, today, days, first: start, last, before, after };
}

async function findScheduled(
  { content, reader }: Deps,
  visit: Visit,
  { first, last }: CalendarDays,
  zone: Zone,
) {
  const query = (rest: Pick<ListQuery, "where" | "offset" | "limit">): ListQuery => ({
    collections: visit.readable,
    statuses: ["scheduled"],
    sort: [{ by: "publishAt", descending: false }],
    ...rest,
  });
  const from = zone.startOf(first);
  const to = zone.startOf(dayAfter(last, 1)) - 1;
  const ever = between("publishAt", 0, null);
  const [timed, shown] = await Promise.all([
    content.index.list(query({ where: ever, offset: 0, limit: 1 })),
    content.index.list(
      query({ where: between("publishAt", from, to), offset: 0, limit: SCHEDULED_SHOWN_MAX }),
    ),
  ]);
  // Those without a time come last.
  const rest = await content.index.list(query({ offset: timed.total, limit: TIMELESS_MAX }));
  const [{ documents: entries }, others] = await Promise.all([
    reader.readableOfPage(shown),
    reader.readableOfPage(rest),
  ]);
  const timeless = others.documents.filter(({ state }) => state.publishAt === null);
  return { entries, timeless, total: rest.total };
}

/** The releases that have a time, and the ends of publications, the earliest first. */
async function findEvents(
  { content, reader, releases }: Deps,
  visit: Visit,
): Promise<CalendarEvent[]> {
  const events: CalendarEvent[] = [];
  if (visit.can("documents.read")) {
    for (const { id, name, publishAt } of (await releases.current()).byId.values()) {
      if (publishAt === null) continue;
      events.push({
        at: publishAt,
        title: name,
        href: `/admin/releases/${id}`,
        kind: "Release",
      });
    }
  }
  const readable = new Set(visit.readable.map(({ id }) => id));
  const ending = await markedDocuments(content.context, "ending");
  for await (const { state } of reader.each(ending)) {
    const { id, title, unpublishAt } = state;
    if (unpublishAt === undefined || !readable.has(state.collectionId)) continue;
    events.push({
      at: unpublishAt,
      title: title || "Untitled",
      href: `/admin/documents/${id}`,
      kind: "Unpublish",
    });
  }
  return events.sort((a, b) => a.at - b.at);
}

/** The result of the last move. */
function Notice(
  { c, documents, visit }: { c: StudioContext; documents: StoredDocument[]; visit: Visit },
) {
  const refused = c.req.query("refused");
  if (refused !== undefined) {
    return <p class="alert bad" role="alert">{REASONS[refused] ?? REASONS.other}</p>;
  }
  const moved = documents.find(({ state }) => state.id === c.req.query("moved"))?.state;
  if (moved !== undefined) {
    return (
      <p class="alert good" role="status">
        {`“${moved.title || "Untitled"}” will be published ${
          exactTime(moved.publishAt ?? visit.now, visit)
        }.`}
      </p>
    );
  }
  if (c.req.query("drafted") === undefined) return null;
  return <p class="alert good" role="status">It is a draft again and no longer scheduled.</p>;
}

const REASONS: Record<string, string> = {
  past: "That time is in the past. Nothing was moved.",
  time: "That is not a valid date and time. Nothing was moved.",
  skipped: "That time does not exist on that day because the clocks change. Nothing was moved.",
  other: "It can't be moved: it is no longer scheduled, or it was deleted.",
};

async function moveEntry(deps: Deps, c: StudioContext): Promise<Response> {
  const { content } = deps;
  const { timezone } = c.get("visit");
  const form = await readForm(c);
  const id = form.get("id") ?? "";
  await refuseOnDocument(deps, c.get("session"), "publish", id);
  const back = new URLSearchParams();
  for (const name of ["view", "day"]) {
    const value = form.get(name);
    if (value !== null && /^[a-z0-9-]{1,10}$/.test(value)) back.set(name, value);
  }
  const draft = form.get("act") === "draft";
  const [zone, when] = [new Zone(timezone), form.get("when") ?? ""];
  const at = draft ? null : zone.instantOf(when);
  if (at === null && !draft) back.set("refused", "time");
  else if (!draft && zone.skips(when)) back.set("refused", "skipped");
  else {
    try {
      if (!isUlid(id)) throw new Refusal("NOT_FOUND");
      await scheduleDocument(content, { userId: c.get("session").userId }, id, at);
      back.set(draft ? "drafted" : "moved", draft ? "" : id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "UNAVAILABLE") throw error;
      back.set("refused", error.code === "VALIDATION_FAILED" ? "past" : "other");
    }
  }
  return c.redirect(`/admin/schedule?${back}`, 303);
}

async function readForm(c: StudioContext): Promise<URLSearchParams> {
  const type = c.req.header("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) {
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  }
  let text = "";
  for await (const piece of c.req.raw.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > SCHEDULE_FORM_CHARS_MAX) throw new Refusal("PAYLOAD_TOO_LARGE");
  }
  return new URLSearchParams(text);
}
