/**
 * Controls of single values: text, numbers, addresses, yes or no, moments, JSON, rich text.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { ControlProps } from "./control_props.ts";
import { ReadText } from "./read_text.tsx";
import { DateInput } from "../components/forms/date_input.tsx";

/** Text on one line or several. */
export function TextControl(props: ControlProps) {
  const { field: { options, help }, value, id, controlContext, placeholder } = props;
  if (!options.multiline) return <Input {...props} type="text" />;
  return (
    <textarea
      id={id}
      lang={controlContext.text?.lang}
      dir={controlContext.text?.dir ?? "auto"}
      placeholder={placeholder}
      rows={3}
      maxlength={options.maxLength}
      aria-describedby={help === "" ? undefined : `${id}-help`}
      disabled={controlContext.readOnly}
    >
      {typeof value === "string" ? `\n${value}` : ""}
    </textarea>
  );
}

/** A number. */
export function NumberControl(props: ControlProps) {
  return <Input {...props} type="number" step={props.field.options.integer ? 1 : "any"} />;
}

/** A web address. */
export function AddressControl(props: ControlProps) {
  return <Input {...props} type="url" />;
}

/** A mail address. */
export function MailControl(props: ControlProps) {
  return <Input {...props} type="email" />;
}

function Input(
  { field: { options, help }, value, id, controlContext, placeholder, type, step }: ControlProps & {
    type: "text" | "number" | "url" | "email";
    step?: 1 | "any";
  },
) {
  return (
    <input
      id={id}
      type={type}
      {...(type === "text" && { dir: "auto", ...controlContext.text })}
      placeholder={placeholder}
      value={typeof value === "string" || typeof value === "number" ? value : ""}
      min={options.min}
      max={options.max}
      step={step}
      maxlength={options.maxLength}
      aria-describedby={help === "" ? undefined : `${id}-help`}
      disabled={controlContext.readOnly}
      autocomplete="off"
    />
  );
}

/** Yes or no. */
export function BooleanControl({ field, value, id, controlContext }: ControlProps) {
  return (
    <label class="check" for={id}>
      <input
        id={id}
        type="checkbox"
        class="switch"
        checked={value === true}
        disabled={controlContext.readOnly}
      />
      <span>{field.label}</span>
    </label>
  );
}

/** A date and time, shown in the user's time zone. */
export function DateControl({ field, value, id, controlContext }: ControlProps) {
  return (
    <DateInput
      id={id}
      step={60}
      data-epoch={typeof value === "number" ? value : undefined}
      aria-describedby={field.help === "" ? undefined : `${id}-help`}
      disabled={controlContext.readOnly}
    />
  );
}

/** Minimum and maximum number of visible lines of JSON. */
const JSON_LINES = { min: 4, max: 18 };

/** Any JSON. The island takes it from the text area, keeps it there, and hides that. */
export function JsonControl({ field, value, id, controlContext }: ControlProps) {
  const text = value === null ? "" : JSON.stringify(value, null, 2);
  const lines = text.split("\n").length + 1;
  return (
    <div data-island="json" data-label={field.label}>
      <textarea
        id={id}
        class="mono"
        rows={Math.min(Math.max(lines, JSON_LINES.min), JSON_LINES.max)}
        aria-describedby={field.help === "" ? undefined : `${id}-help`}
        disabled={controlContext.readOnly}
      >
        {`\n${text}`}
      </textarea>
    </div>
  );
}

/** Portable Text as JSON with a line for each block: browsers lay out every line of a text area. */
function blockLines(value: Json): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((block) => JSON.stringify(block)).join(",\n")}\n]`;
}

/** Portable Text. The island takes the JSON from the text area, keeps it there, and hides it. */
export function RichTextControl({ field, value, id, controlContext }: ControlProps) {
  return (
    <div
      data-island="portable-text"
      data-field={field.name}
      data-label={field.label}
      data-readonly={controlContext.readOnly ? "" : undefined}
      data-text-lang={controlContext.text?.lang}
      data-text-dir={controlContext.text?.dir}
    >
      <textarea
        id={id}
        class="mono"
        rows={6}
        aria-label={`${field.label} as Portable Text`}
        disabled={controlContext.readOnly}
      >
        {value === null ? "" : `\n${blockLines(value)}`}
      </textarea>
      <ReadText value={value} controlContext={controlContext} />
    </div>
  );
}
