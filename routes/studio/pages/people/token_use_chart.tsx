/**
 * How often a token was used: a bar for each of the last hours, and the sum of the last days.
 *
 * @module
 */
import type { Visit } from "../../serving/studio_env.ts";
import { exactTime } from "../../components/time.tsx";

/** Hours with a bar of their own. */
const BARS = 48;
const BAR_WIDTH = 10;
const HEIGHT = 80;

/** Requests within an hour that begins at `at` (epoch seconds). */
export interface HourOfUse {
  at: number;
  requests: number;
}

/** The chart; `hours` are in their order, up to now. */
export function TokenUseChart({ hours, visit }: { hours: HourOfUse[]; visit: Visit }) {
  const shown = hours.slice(-BARS);
  const most = Math.max(1, ...shown.map(({ requests }) => requests));
  const days = Math.round(hours.length / 24);
  const total = sumOf(hours);
  const lately = sumOf(shown);
  return (
    <section class="card narrow token-use">
      <h2>Requests</h2>
      <p>
        <strong>{total.toLocaleString("en")}</strong>
        {` in ${days} days, ${lately.toLocaleString("en")} of them in the last ${BARS} hours.`}
      </p>
      <svg
        viewBox={`0 0 ${BARS * BAR_WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Requests per hour in the last ${BARS} hours, at most ${most}`}
      >
        {shown.map(({ at, requests }, index) => {
          const height = requests === 0 ? 1 : Math.max(3, (requests / most) * HEIGHT);
          return (
            <rect
              x={index * BAR_WIDTH + 1}
              y={HEIGHT - height}
              width={BAR_WIDTH - 2}
              height={height}
              class={requests === 0 ? "none" : "some"}
            >
              <title>{`${exactTime(at, visit)}: ${requests.toLocaleString("en")}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="help">
        Updated about once a minute. Rate-limited requests are not counted.
      </p>
    </section>
  );
}

function sumOf(hours: HourOfUse[]): number {
  return hours.reduce((sum, { requests }) => sum + requests, 0);
}
