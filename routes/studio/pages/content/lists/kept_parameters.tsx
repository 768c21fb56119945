/**
 * The parameters of a list's address that a form does not change.
 *
 * @module
 */
import type { ListState } from "../../../list_state.ts";

/** Hidden fields that preserve the other parameters of the URL in a form. */
export function KeptParameters({ state, except }: { state: ListState; except: string[] }) {
  return [...state.params]
    .filter(([name]) => !except.includes(name) && name !== "page")
    .map(([name, value]) => <input type="hidden" name={name} value={value} />);
}
