/**
 * A form that is sent to the admin API as JSON and shows its errors.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

interface ApiFormProps {
  /** Method and path: `PATCH /api/admin/settings`. `{name}` in it is the value of the form's field of that name. */
  to: string;
  /** Navigation after success: a URL (`{id}` is taken from the response), `reload`, or none. */
  after?: string;
  /** The toast after success. */
  done?: string;
  class?: string;
  id?: string;
  /** Asks before leaving with unsaved changes. */
  guard?: boolean;
  /** An additional island of the form. */
  island?: string;
  children: Child;
}

/** A form whose fields are converted to JSON by `data-name` and `data-type`. */
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
