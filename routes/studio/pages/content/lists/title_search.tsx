/**
 * The search field above a list of documents and above its board.
 *
 * @module
 */
import type { ListState } from "../../../list_state.ts";
import { KeptParameters } from "./kept_parameters.tsx";

/** Searches titles and keeps all other parameters of the list. */
export function TitleSearch({ state }: { state: ListState }) {
  return (
    <form method="get" role="search" class="list-search">
      <KeptParameters state={state} except={["q"]} />
      <input
        type="search"
        name="q"
        aria-label="Search titles"
        placeholder="Search titles"
        value={state.params.get("q") ?? ""}
      />
    </form>
  );
}
