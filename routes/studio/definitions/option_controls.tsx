/**
 * The controls of a definition's attributes and options.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

/** Text, on one line or several. */
export function TextOption(
  { name, label, value, id, mono, multiline, follows, placeholder, list }: {
    name: string;
    label: string;
    value: string;
    id: string;
    mono?: boolean;
    multiline?: boolean;
    follows?: boolean;
    placeholder?: string;
    /** The id of a list of choices that it offers. */
    list?: string;
  },
) {
  return (
    <div class="control" data-name={name} data-type="text">
      <label for={id}>{label}</label>
      {multiline ? <textarea id={id} rows={2}>{`\n${value}`}</textarea> : (
        <input
          id={id}
          type="text"
          class={mono ? "mono" : undefined}
          value={value}
          autocomplete="off"
          placeholder={placeholder}
          list={list}
          data-follows={follows ? "label" : undefined}
        />
      )}
    </div>
  );
}

/** Texts, one per line. */
export function Lines(
  { name, label, value, id }: { name: string; label: string; value: string[]; id: string },
) {
  return (
    <div class="control" data-name={name} data-type="lines">
      <label for={id}>{label}</label>
      <textarea id={id} class="mono" rows={2}>{`\n${value.join("\n")}`}</textarea>
    </div>
  );
}

/** A labeled control for the definitions of some field types. */
export function Option(
  { name, label, type, id, types, children }: {
    name: string;
    label: string;
    type: string;
    id: string;
    types: string;
    children: Child;
  },
) {
  return (
    <div class="control" data-name={name} data-type={type} data-for={types}>
      <label for={id}>{label}</label>
      {children}
    </div>
  );
}

/** A flag. */
export function Switch(
  { name, label, checked, id, types }: {
    name: string;
    label: string;
    checked: boolean;
    id: string;
    types?: string;
  },
) {
  return (
    <div class="control" data-name={name} data-type="boolean" data-for={types}>
      <label class="check" for={id}>
        <input id={id} type="checkbox" class="switch" checked={checked} />
        <span>{label}</span>
      </label>
    </div>
  );
}

/** Any of several choices. */
export function Several(
  { name, label, types, choices, chosen }: {
    name: string;
    label: string;
    types: string;
    choices: [value: string, label: string][];
    chosen: string[];
  },
) {
  return (
    <fieldset class="control" data-name={name} data-type="multi_select" data-for={types}>
      <legend>{label}</legend>
      <div class="choices">
        {choices.map(([value, text]) => (
          <label class="chip-choice">
            <input type="checkbox" value={value} checked={chosen.includes(value)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
