/**
 * Messages that were sent to a plugin or a webhook: what each says, how every attempt went, and a button
 * that sends it again.
 *
 * @module
 */
import type { Delivery, DeliveryAttempt } from "../../../kv/deliveries/deliveries.ts";
import { MESSAGE_SHOWN_CHARS_MAX } from "../../input/limits.ts";
import type { Visit } from "../serving/studio_env.ts";
import { Button } from "./button.tsx";
import { Time } from "./time.tsx";

/** Messages that are shown. */
const SHOWN = 50;

/** A message and its receiver. */
export interface ShownDelivery extends Delivery {
  target: string;
  /** Method and path that resend it; null if the user may not. */
  resend: string | null;
}

/** A message for the list; `address` is the receiver's API path, null if the user may not resend. */
export function shownDelivery(
  delivery: Delivery,
  { target, address }: { target: string; address: string | null },
): ShownDelivery {
  const resend = address && `POST ${address}/deliveries/${delivery.id}/resend`;
  return { ...delivery, target, resend };
}

const BADGES: Record<Delivery["state"], string> = {
  delivered: "good",
  failed: "bad",
  pending: "warn",
};

/** The newest messages; `empty` is shown if there are none. */
export function DeliveryList(
  { deliveries, visit, empty }: { deliveries: ShownDelivery[]; visit: Visit; empty: string },
) {
  if (deliveries.length === 0) return <p class="muted">{empty}</p>;
  return (
    <>
      <ul class="rows deliveries">
        {deliveries.slice(0, SHOWN).map((delivery) => (
          <li>
            <DeliveryRow delivery={delivery} visit={visit} />
          </li>
        ))}
      </ul>
      {deliveries.length > SHOWN && (
        <p class="muted small">{`Showing the latest ${SHOWN} of ${deliveries.length}.`}</p>
      )}
    </>
  );
}

function DeliveryRow({ delivery, visit }: { delivery: ShownDelivery; visit: Visit }) {
  const { event, state, createdAt, attempts, target, body, response, nextAttemptAt } = delivery;
  return (
    <details>
      <summary>
        <strong>{event}</strong>
        <span class={`badge ${BADGES[state]}`}>{state}</span>
        <span class="muted small">
          <Time at={createdAt} clock={visit} />
          {` · ${attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`}`}
        </span>
      </summary>
      <div class="stack">
        <p class="small">
          {"To "}
          <code>{target}</code>
        </p>
        <ol class="plain-list small">
          {attempts.map((attempt) => (
            <li>
              <Time at={attempt.at} clock={visit} />
              {` · ${attempt.ms} ms · ${outcomeOf(attempt)}`}
              {(attempt.log ?? []).map((line) => <pre class="log-line">{line}</pre>)}
            </li>
          ))}
        </ol>
        {nextAttemptAt !== undefined && (
          <p class="small">
            {"Next attempt "}
            <Time at={nextAttemptAt} clock={visit} />
          </p>
        )}
        <pre class="message" tabindex={0} aria-label="Message">{prettyJson(body)}</pre>
        {response !== null && response !== "" && (
          <>
            <p class="label">Response</p>
            <pre class="message" tabindex={0} aria-label="Response">{response}</pre>
          </>
        )}
        {(state !== "pending" || attempts.length > 0) && delivery.resend !== null && (
          <Button
            size="small"
            data-action={delivery.resend}
            data-then="reload"
            data-done="Delivery queued"
          >
            {state === "pending" ? "Retry now" : "Send again"}
          </Button>
        )}
      </div>
    </details>
  );
}

function outcomeOf({ status, error }: DeliveryAttempt): string {
  return error ?? (status === null ? "done" : `answered ${status}`);
}

function prettyJson(body: string): string {
  const text = JSON.stringify(JSON.parse(body), null, 2);
  return text.length > MESSAGE_SHOWN_CHARS_MAX
    ? `${text.slice(0, MESSAGE_SHOWN_CHARS_MAX)} …`
    : text;
}
