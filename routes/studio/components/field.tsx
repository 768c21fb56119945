/**
 * A labelled form control outside the document editor.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

/** How the browser's code turns the control's text into JSON. */
export type FieldKind = "text" | "number" | "flag" | "lines" | "list" | "time" | "nullable";

interface FieldProps {
  label: string;
  name: string;
  help?: Child;
  required?: boolean;
  type?: "text" | "email" | "password" | "number" | "url" | "datetime-local" | "search";
  value?: string | number;
  kind?: FieldKind;
  autocomplete?: string;
  placeholder?: string;
  multiline?: boolean;
  autofocus?: boolean;
  min?: number;
  max?: number;
  minlength?: number;
  maxlength?: number;
  pattern?: string;
  disabled?: boolean;
  mono?: boolean;
  slugFrom?: string;
}

/** A label, a control, a line of help. */
export function Field(props: FieldProps) {
  const { label, name, help, required, multiline, kind, slugFrom, mono, ...rest } = props;
  const id = `f-${name}`;
  const shared = {
    id,
    name,
    required,
    "data-kind": kind,
    "aria-describedby": help ? `${id}-help` : undefined,
    class: mono ? "mono" : undefined,
    "data-slug-from": slugFrom || undefined,
  };
  const { value, ...input } = rest;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!required && <span class="optional">optional</span>}
      </label>
      {multiline
        ? <textarea {...shared} rows={4} disabled={props.disabled}>{value ?? ""}</textarea>
        : <input {...shared} {...input} type={input.type ?? "text"} value={value} />}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
    </div>
  );
}

/** A yes or no. */
export function Checkbox(
  { label, name, help, checked, value, kind = "flag", disabled }: {
    label: Child;
    name: string;
    help?: Child;
    checked?: boolean;
    value?: string;
    kind?: "flag" | "list";
    disabled?: boolean;
  },
) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        data-kind={kind}
        checked={checked}
        value={value}
        disabled={disabled}
      />
      <span>
        {label}
        {help && <span class="help">{help}</span>}
      </span>
    </label>
  );
}

/** One of several. */
export function Select(
  { label, name, value, choices, help, kind, disabled }: {
    label: string;
    name: string;
    value?: string;
    choices: readonly (readonly [value: string, label: string])[];
    help?: Child;
    kind?: FieldKind;
    disabled?: boolean;
  },
) {
  const id = `f-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        data-kind={kind}
        disabled={disabled}
        aria-describedby={help ? `${id}-help` : undefined}
      >
        {choices.map(([choice, text]) => (
          <option value={choice} selected={choice === value}>{text}</option>
        ))}
      </select>
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
    </div>
  );
}
