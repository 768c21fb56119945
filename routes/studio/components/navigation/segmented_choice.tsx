/**
 * A choice of one among a few, side by side.
 *
 * @module
 */
import type { JSX } from "@hono/hono/jsx";

type FieldsetProps = JSX.IntrinsicElements["fieldset"];

interface SegmentedChoiceProps extends FieldsetProps {
  /** What is chosen, for screen readers. */
  legend: string;
  name: string;
  choices: readonly (readonly [value: string, label: string])[];
  /** The value that is chosen at the start. */
  chosen: string | undefined;
}

/** Radio buttons that look like one control. */
export function SegmentedChoice({ legend, name, choices, chosen, ...rest }: SegmentedChoiceProps) {
  return (
    <fieldset {...rest} class={rest.class ? `segments ${rest.class}` : "segments"}>
      <legend class="sr">{legend}</legend>
      {choices.map(([value, label]) => (
        <label>
          <input type="radio" name={name} value={value} checked={value === chosen} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
