/**
 * The parameters of a list's address that a form does not change.
 *
 * @module
 */
import type { ListState } from "../../list_state.ts";

/** What the rest of the address says, so that a form does not lose it. */
export function KeptParameters({ state, except }: { state: ListState; except: string[] }) {
  return [...state.params]
    .filter(([name]) => !except.includes(name) && name !== "page")
    .map(([name, value]) => <input type="hidden" name={name} value={value} />);
}
