/**
 * Choosing a moment: with a histogram of versions, a slider, a date or a shortcut. All are links and forms that
 * work without scripts.
 *
 * @module
 */
import { type SiteActivity, siteActivity } from "../../../../kv/history/site_activity.ts";
import type { TimelineReaders } from "../../../../kv/history/timeline/timeline.ts";
import { dayOf, exactTime } from "../../components/time.tsx";
import type { ListState } from "../../list_state.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Tabs } from "../../components/navigation/tabs.tsx";
import { Zone } from "../../wording/zoned_time.ts";
import { DateInput } from "../../components/forms/date_input.tsx";

const DAY = 86_400;
/** Spans of the histogram; null begins with the first version. */
const SPANS: readonly (readonly [name: string, label: string, seconds: number | null])[] = [
  ["day", "Last day", DAY],
  ["week", "Last week", 7 * DAY],
  ["month", "Last month", 30 * DAY],
  ["year", "Last year", 365 * DAY],
  ["all", "Everything", null],
];
const JUMPS: [label: string, seconds: number][] = [
  ["10 minutes ago", 600],
  ["An hour ago", 3_600],
  ["Yesterday", DAY],
  ["A week ago", 7 * DAY],
  ["30 days ago", 30 * DAY],
];
/** Bars of the histogram. */
const BARS = 96;
/** Its height and the width of a bar with its gap, in units of the drawing. */
const HEIGHT = 72;
const BAR = 10;
/** Steps of the slider. */
const STEPS = 480;

/** The versions in the time range of the URL; all without one. */
export function activityOf(
  timeline: TimelineReaders,
  span: string | undefined,
  now: number,
): Promise<SiteActivity> {
  const length = SPANS.find(([name]) => name === span)?.[2] ?? null;
  const from = length === null ? null : now - length;
  return siteActivity(timeline, { from, to: now, parts: BARS });
}

interface ChooserProps {
  activity: SiteActivity;
  at: number | null;
  now: number;
  state: ListState;
  visit: Visit;
}

/** Everything that leads to an instant. */
export function Chooser({ activity, at, now, state, visit }: ChooserProps) {
  const span = state.params.get("span") ?? "all";
  const zone = new Zone(visit.timezone);
  return (
    <section class="card">
      <Tabs
        label="Time range"
        tabs={SPANS.map(([name, label]) => ({
          label,
          href: state.with({ span: name === "all" ? null : name }),
          current: span === name,
        }))}
      />
      <form method="get" class="histogram" data-slider>
        {span !== "all" && <input type="hidden" name="span" value={span} />}
        <Bars activity={activity} at={at} state={state} visit={visit} />
        <Slider activity={activity} at={at} visit={visit} />
        <Button type="submit" data-slider-go>Show this moment</Button>
      </form>
      <div class="spread padded">
        <form method="get" class="row end">
          {span !== "all" && <input type="hidden" name="span" value={span} />}
          <div class="field">
            <label for="when">{`Date and time (${visit.timezone})`}</label>
            <DateInput
              id="when"
              name="when"
              step={1}
              value={at === null ? undefined : zone.timeAt(at)}
              max={zone.timeAt(now)}
              required
            />
          </div>
          <Button type="submit" variant="primary">Show</Button>
        </form>
        <p class="row jumps">
          {JUMPS.map(([label, back]) => (
            <ButtonLink size="small" href={state.with({ ...NOWHERE, at: String(now - back) })}>
              {label}
            </ButtonLink>
          ))}
        </p>
      </div>
    </section>
  );
}

/** Another instant begins with all of its changes. */
const NOWHERE = { type: null, kind: null };

function Slider({ activity, at, visit }: Pick<ChooserProps, "activity" | "at" | "visit">) {
  const { to } = activity;
  const step = Math.max(1, Math.ceil((to - activity.from) / STEPS));
  const from = to - step * STEPS;
  const value = Math.min(to, Math.max(from, at ?? to));
  return (
    <>
      <label for="slider" class="sr">Moment</label>
      <input
        id="slider"
        name="at"
        type="range"
        min={from}
        max={to}
        step={step}
        value={to - Math.round((to - value) / step) * step}
        aria-valuetext={exactTime(value, visit)}
      />
      <p class="spread small muted">
        <span>{dayOf(from, visit)}</span>
        <output for="slider" data-slider-words>
          {at === null ? "Move the slider, or choose a bar" : exactTime(at, visit)}
        </output>
        <span>Now</span>
      </p>
    </>
  );
}

/** A bar for each part of the range, linked to the end of the part. The slider is for the keyboard. */
function Bars({ activity, at, state, visit }: Omit<ChooserProps, "now">) {
  const { from, to, bins } = activity;
  const highest = Math.max(1, ...bins);
  const width = (to - from) / BARS;
  const sum = bins.reduce((all, one) => all + one, 0);
  const isInside = at !== null && at >= from && at <= to;
  return (
    <>
      <p class="sr">
        {`${sum.toLocaleString("en")} versions since ${exactTime(from, visit)}`}
      </p>
      <svg
        class="bars"
        viewBox={`0 0 ${BARS * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bins.map((count, index) => {
          const end = Math.min(to, Math.floor(from + (index + 1) * width));
          // Square roots: one large import does not flatten the rest.
          const height = count === 0 ? 0 : Math.max(3, Math.sqrt(count / highest) * HEIGHT);
          return (
            <a href={state.with({ ...NOWHERE, at: String(end) })} tabindex={-1}>
              <title>
                {`${exactTime(end, visit)}: ${count.toLocaleString("en")} versions`}
              </title>
              <rect class="column" x={index * BAR} y={0} width={BAR} height={HEIGHT} />
              <rect
                class="bar"
                x={index * BAR + 1}
                y={HEIGHT - height}
                width={BAR - 2}
                height={height}
              />
            </a>
          );
        })}
        {isInside && (
          <rect
            class="here"
            x={(at - from) / (to - from) * BARS * BAR - 1}
            y={0}
            width={3}
            height={HEIGHT}
          />
        )}
      </svg>
    </>
  );
}
