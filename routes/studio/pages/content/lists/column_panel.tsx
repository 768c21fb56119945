/**
 * The panel for the layout of a list: columns, their order, and the density of rows.
 *
 * @module
 */
import type { Collection } from "../../../../../kv/model/entities/collection.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { columnChoices, type ListState } from "../../../list_state.ts";
import { DENSITIES, type Visit } from "../../../serving/studio_env.ts";
import { KeptParameters } from "./kept_parameters.tsx";

/** The panel and its button. Without scripts the columns are set in the URL and not stored. */
export function ColumnPanel(
  { state, collection, visit }: { state: ListState; collection: Collection | null; visit: Visit },
) {
  return (
    <>
      <Button variant="quiet" popovertarget="columns" icon="columns">
        Columns
      </Button>
      <form method="get" id="columns" class="panel" popover="auto">
        <KeptParameters state={state} except={["columns"]} />
        <fieldset class="field" data-density-choice>
          <legend class="label">Rows</legend>
          <div class="segments">
            {DENSITIES.map((density) => (
              <label>
                <input
                  type="radio"
                  name="density"
                  form="none"
                  value={density}
                  checked={density === visit.density}
                />
                <span>{density === "compact" ? "Compact" : "Comfortable"}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <h2 class="padded">Columns</h2>
        <ul class="column-list" data-column-list>
          {orderedChoices(state, collection).map(([name, label, isShown]) => (
            <li data-column data-grip>
              <label class="check">
                <input type="checkbox" name="columns" value={name} checked={isShown} />
                <span>{label}</span>
              </label>
              <IconButton icon="up" label={`Move ${label} up`} data-move="up" />
              <IconButton icon="down" label={`Move ${label} down`} data-move="down" />
            </li>
          ))}
        </ul>
        <div class="dialog-foot">
          <Button type="submit" variant="primary">Show</Button>
        </div>
      </form>
    </>
  );
}

/** The shown columns in order, then all others. */
function orderedChoices(
  state: ListState,
  collection: Collection | null,
): [name: string, label: string, isShown: boolean][] {
  const labels = new Map(columnChoices(collection));
  const shown = state.columns(collection);
  const rest = [...labels.keys()].filter((name) => !shown.includes(name));
  return [...shown, ...rest].map((name) => [name, labels.get(name) ?? name, shown.includes(name)]);
}
