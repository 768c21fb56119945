/**
 * Controls of a transfer's plan.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

/** A value, and what the form calls it. */
export type Choice = readonly [value: string, label: string];

/** Controls whose values are one object. */
export function Group({ name, children }: { name: string; children: Child }) {
  return <div class="control group stack" data-name={name} data-type="group">{children}</div>;
}

/** One of several values. */
export function Choice(
  { name, label, value, choices, id }: {
    name: string;
    label: string;
    value: string;
    choices: readonly Choice[];
    id: string;
  },
) {
  return (
    <div class="control" data-name={name} data-type="text">
      <label for={id}>{label}</label>
      <select id={id}>
        {choices.map(([one, text]) => <option value={one} selected={one === value}>{text}</option>)}
      </select>
    </div>
  );
}
