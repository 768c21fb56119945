/**
 * A form that is sent to the admin API as JSON, and where its failures appear.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

interface ApiFormProps {
  /** Method and path: `PATCH /api/admin/settings`. */
  to: string;
  /** Where to go afterwards: an address (`{id}` is taken from the answer), `reload`, or nowhere. */
  after?: string;
  /** What a message says afterwards. */
  done?: string;
  class?: string;
  id?: string;
  /** Asks before leaving with unsaved changes. */
  guard?: boolean;
  /** Island that looks after the form besides. */
  island?: string;
  children: Child;
}

/** A form whose fields say by `data-name` and `data-type` what JSON they become. */
export function ApiForm(props: ApiFormProps) {
  return (
    <form
      id={props.id}
      class={`form ${props.class ?? ""}`}
      method="post"
      data-api={props.to}
      data-after={props.after}
      data-done={props.done}
      data-guard={props.guard ? "" : undefined}
      data-island={props.island}
      data-row
      novalidate
    >
      <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
      {props.children}
    </form>
  );
}
