/**
 * A labelled form control outside the document editor. The browser's code reads it as it reads the
 * controls of a document; an empty text stays an empty text unless the field is nullable.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { ChoiceList } from "./choice_list.tsx";
import { DateInput } from "./date_input.tsx";

interface FieldProps {
  label: string;
  name: string;
  help?: Child;
  required?: boolean;
  type?: "text" | "email" | "password" | "number" | "url" | "datetime-local" | "search";
  value?: string | number;
  /** An empty control becomes null. */
  nullable?: boolean;
  /** The JSON is a list of the control's lines. */
  lines?: boolean;
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
  /** The id of a list of choices that it offers. */
  list?: string;
}

/** A label, a control, a line of help. */
export function Field(props: FieldProps) {
  const { label, name, help, required, multiline, lines, nullable, slugFrom, mono, ...rest } =
    props;
  const id = `f-${name}`;
  const shared = {
    id,
    name,
    required,
    "aria-describedby": help ? `${id}-help` : undefined,
    class: mono ? "mono" : undefined,
    "data-slug-from": slugFrom || undefined,
  };
  const { value, ...input } = rest;
  return (
    <div class="field" {...named(name, nullable)} {...jsonType(input.type, lines)}>
      <label for={id}>
        {label}
        {!required && <span class="optional">optional</span>}
      </label>
      {multiline
        ? (
          <textarea {...shared} dir="auto" rows={4} disabled={props.disabled}>
            {value ?? ""}
          </textarea>
        )
        : input.type === "datetime-local"
        ? <DateInput {...shared} {...input} type="datetime-local" value={value} />
        : (
          <input
            {...shared}
            {...input}
            type={input.type ?? "text"}
            dir={(input.type ?? "text") === "text" ? "auto" : undefined}
            value={value}
          />
        )}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
    </div>
  );
}

function jsonType(type: FieldProps["type"], lines = false) {
  if (type === "number") return { "data-type": "number" };
  if (type === "datetime-local") return { "data-type": "datetime" };
  return { "data-type": lines ? "lines" : "text" };
}

/** The data attributes by which the browser code finds a field. */
export function named(name: string, nullable = false) {
  return { "data-name": name, "data-keeps-empty": nullable ? undefined : "" };
}

/** A hidden value. */
export function HiddenField(
  { name, value, nullable }: { name: string; value?: string; nullable?: boolean },
) {
  return (
    <input type="hidden" name={name} value={value} data-type="text" {...named(name, nullable)} />
  );
}

/** Any of the checkboxes inside, each of which has a value. */
export function Choices(
  { legend, name, nullable, help, children }: {
    legend: string;
    name: string;
    /** The JSON is null where none is checked. */
    nullable?: boolean;
    help?: Child;
    children: Child;
  },
) {
  return (
    <fieldset class="field" data-type="multi_select" {...named(name, nullable)}>
      <legend class="label">{legend}</legend>
      {help && <p class="help">{help}</p>}
      {children}
    </fieldset>
  );
}

/** A checkbox; with a value, one of the enclosing {@linkcode Choices}. */
export function Checkbox(
  { label, name, help, checked, value, disabled }: {
    label: Child;
    name: string;
    help?: Child;
    checked?: boolean;
    value?: string;
    disabled?: boolean;
  },
) {
  return (
    <label class="check" data-type="boolean" {...(value === undefined && named(name))}>
      <input
        type="checkbox"
        name={name}
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
  { label, name, value, choices, help, disabled }: {
    label: string;
    name: string;
    value?: string;
    choices: readonly (readonly [value: string, label: string])[];
    help?: Child;
    disabled?: boolean;
  },
) {
  const id = `f-${name}`;
  return (
    <div class="field" data-type="text" {...named(name)}>
      <label for={id}>{label}</label>
      <ChoiceList
        id={id}
        name={name}
        choices={choices}
        value={value}
        disabled={disabled}
        aria-describedby={help ? `${id}-help` : undefined}
      />
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
    </div>
  );
}
