/**
 * A choice list: a native `select`, styled where browsers support it. A long list, or one that the server
 * searches, opens as a combobox with a search field. The `select` remains the form control, and the fallback
 * without scripts and on touch screens that open their own list.
 *
 * @module
 */
import type { JSX } from "@hono/hono/jsx";

/** Number of choices from which the list opens as a combobox. */
const SEARCHED_FROM = 9;

/** The control; other props are passed to the `select`. */
export function ChoiceList(
  { choices, value, source, ...rest }: Omit<JSX.IntrinsicElements["select"], "value"> & {
    choices: readonly (readonly [value: string, label: string])[];
    value?: string | undefined;
    /** The path of a list, of documents or users, which has the choices that are not here. */
    source?: string | undefined;
  },
) {
  const isSearched = source !== undefined || choices.length >= SEARCHED_FROM;
  return (
    <select {...rest} data-combobox={isSearched ? "" : undefined} data-source={source}>
      {choices.map(([choice, label]) => (
        <option value={choice} selected={choice === value}>{label}</option>
      ))}
    </select>
  );
}
