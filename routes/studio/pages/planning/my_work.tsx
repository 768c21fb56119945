/**
 * What the overview begins with: what waits for the user themselves.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Notification } from "../../../../kv/documents/notifications.ts";
import { Time } from "../../components/time.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { nameOf, type Names } from "../../wording/user_names.ts";
import { titleInLanguage } from "../content/review_target.ts";
import { notificationHref } from "./notifications.tsx";
import { type QueuedReview, ReviewQueue } from "./review_queue.tsx";

/** What waits for the user besides their drafts. */
export interface MyWorkFacts {
  /** The reviews that the user is asked for. */
  asked: QueuedReview[];
  notifications: Notification[];
  people: Names;
}

/** Reviews to do, changes to make, schedules to repair, and then the drafts. */
export function MyWork(
  { work: { asked, notifications, people }, visit, children }: {
    work: MyWorkFacts;
    visit: Visit;
    children?: Child;
  },
) {
  const of = (kind: Notification["kind"]) => notifications.filter((one) => one.kind === kind);
  const [returned, failed] = [of("changes_requested"), of("schedule_failed")];
  if (!children && asked.length + returned.length + failed.length === 0) return null;
  return (
    <section class="stack my-work" aria-labelledby="my-work">
      <h2 id="my-work">My work</h2>
      <ReviewQueue asked={asked} people={people} visit={visit} />
      <Waiting heading="Changes requested" waiting={returned} visit={visit}>
        {({ by }) => `Requested by ${nameOf(people, by)}`}
      </Waiting>
      <Waiting heading="Failed schedules" waiting={failed} visit={visit}>
        {() => "Failed"}
      </Waiting>
      {children}
    </section>
  );
}

function Waiting(
  { heading, waiting, visit, children }: {
    heading: string;
    waiting: Notification[];
    visit: Visit;
    /** What happened, before its time. */
    children: (notification: Notification) => string;
  },
) {
  if (waiting.length === 0) return null;
  return (
    <section class="card">
      <div class="spread overview-head">
        <h3>{heading}</h3>
      </div>
      <ul class="review-lines">
        {waiting.map((one) => (
          <li>
            <a href={notificationHref(one)} dir="auto">{titleInLanguage(one, visit.schema)}</a>
            <span class="muted small">
              {children(one)} <Time at={one.at} clock={visit} />
            </span>
            {one.text !== "" && <p class="said small">{one.text}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
