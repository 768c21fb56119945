/**
 * Controls of single values: text, numbers, addresses, yes or no, moments, JSON, rich text.
 *
 * @module
 */
import type { ControlProps } from "./control_props.ts";
import { ReadText } from "./read_text.tsx";

const INPUT_TYPES = { text: "text", url: "url", email: "email", number: "number" } as const;

/** Text on one line or several, an address, a number. */
export function InputControl({ field, value, id, surroundings }: ControlProps) {
  const { options, help } = field;
  const described = help === "" ? undefined : `${id}-help`;
  const disabled = surroundings.readOnly;
  if (field.type === "text" && options.multiline) {
    return (
      <textarea
        id={id}
        rows={3}
        maxlength={options.maxLength}
        aria-describedby={described}
        disabled={disabled}
      >
        {typeof value === "string" ? `\n${value}` : ""}
      </textarea>
    );
  }
  const shown = typeof value === "string" || typeof value === "number" ? value : "";
  return (
    <input
      id={id}
      type={INPUT_TYPES[field.type as keyof typeof INPUT_TYPES]}
      value={shown}
      min={options.min}
      max={options.max}
      step={field.type === "number" ? (options.integer ? 1 : "any") : undefined}
      maxlength={options.maxLength}
      aria-describedby={described}
      disabled={disabled}
      autocomplete="off"
    />
  );
}

/** Yes or no. */
export function BooleanControl({ field, value, id, surroundings }: ControlProps) {
  return (
    <label class="check" for={id}>
      <input
        id={id}
        type="checkbox"
        class="switch"
        checked={value === true}
        disabled={surroundings.readOnly}
      />
      <span>{field.label}</span>
    </label>
  );
}

/** A moment, shown in the time zone of whoever looks. */
export function DateControl({ field, value, id, surroundings }: ControlProps) {
  return (
    <input
      id={id}
      type="datetime-local"
      step={60}
      data-epoch={typeof value === "number" ? value : undefined}
      aria-describedby={field.help === "" ? undefined : `${id}-help`}
      disabled={surroundings.readOnly}
    />
  );
}

/** Any JSON. */
export function JsonControl({ field, value, id, surroundings }: ControlProps) {
  return (
    <textarea
      id={id}
      class="mono"
      rows={4}
      aria-describedby={field.help === "" ? undefined : `${id}-help`}
      disabled={surroundings.readOnly}
    >
      {value === null ? "" : `\n${JSON.stringify(value, null, 2)}`}
    </textarea>
  );
}

/** Portable Text. The island takes the JSON from the text area, keeps it there, and hides it. */
export function RichTextControl({ field, value, id, surroundings }: ControlProps) {
  return (
    <div
      data-island="portable-text"
      data-field={field.name}
      data-label={field.label}
      data-readonly={surroundings.readOnly ? "" : undefined}
    >
      <textarea
        id={id}
        class="mono"
        rows={6}
        aria-label={`${field.label} as Portable Text`}
        disabled={surroundings.readOnly}
      >
        {value === null ? "" : `\n${JSON.stringify(value, null, 2)}`}
      </textarea>
      <ReadText value={value} />
    </div>
  );
}
