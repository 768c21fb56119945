/**
 * One of several: a native `select`, whose list has our own look where browsers can. A long list, and one
 * that the server searches, is opened as a combobox, in which one types to find. The `select` stays what is
 * read and sent, and what there is without script; where a touch screen insists on a list of its own, that
 * one opens with the same choices.
 *
 * @module
 */
import type { JSX } from "@hono/hono/jsx";

/** From how many choices on one searches instead of looking. */
const SEARCHED_FROM = 9;

/** The control; it takes what a `select` takes, besides its choices. */
export function ChoiceList(
  { choices, value, source, ...rest }: Omit<JSX.IntrinsicElements["select"], "value"> & {
    choices: readonly (readonly [value: string, label: string])[];
    value?: string | undefined;
    /** A list of documents in the admin API which has the choices that are not here. */
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
