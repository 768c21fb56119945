/**
 * The changes between two states, field by field, with buttons to go from one to the next.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { FieldChange } from "../../history/field_changes.ts";
import { countChanges } from "../../history/unchanged_passages.ts";
import { counted } from "../../wording/words.ts";
import { Button } from "../button.tsx";
import { FieldDiff } from "./field_diff.tsx";

interface ChangeListProps {
  changes: readonly FieldChange[];
  /** The actions of a changed field. */
  actionsOf?: (change: FieldChange) => Child;
}

/** The changes of all fields. */
export function ChangeList({ changes, actionsOf }: ChangeListProps) {
  const count = countChanges(changes);
  return (
    <div class="change-list">
      {count > 1 && (
        <div class="change-steps" data-island="change-steps">
          <p aria-live="polite" data-step>{counted(count, "change")}</p>
          <span class="row" hidden data-step-buttons>
            <Button size="small" icon="up" data-step-by="-1" title="Previous change (P)">
              Previous
            </Button>
            <Button size="small" icon="down" data-step-by="1" title="Next change (N)">
              Next
            </Button>
          </span>
        </div>
      )}
      {changes.map((change) => <FieldDiff {...change}>{actionsOf?.(change)}</FieldDiff>)}
    </div>
  );
}
