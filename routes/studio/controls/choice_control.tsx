/**
 * Controls that choose from a list of texts.
 *
 * @module
 */
import { ChoiceList } from "../components/forms/choice_list.tsx";
import type { ControlProps } from "./control_props.ts";

/** One of the choices. */
export function SelectControl({ field, value, id, controlContext }: ControlProps) {
  const choices = field.options.choices ?? [];
  const isOld = typeof value === "string" && !choices.includes(value);
  return (
    <ChoiceList
      id={id}
      choices={[
        ["", "None"],
        ...isOld ? [[value, `${value} (no longer a choice)`] as const] : [],
        ...choices.map((choice) => [choice, choice] as const),
      ]}
      value={typeof value === "string" ? value : ""}
      aria-describedby={field.help === "" ? undefined : `${id}-help`}
      disabled={controlContext.readOnly}
    />
  );
}

/** Some of the choices. */
export function ChoiceControl({ field, value, controlContext }: ControlProps) {
  const chosen = Array.isArray(value) ? value : [];
  const choices = field.options.choices ?? [];
  const old = chosen.filter((choice) => typeof choice === "string" && !choices.includes(choice));
  return (
    <div class="choices">
      {[...choices, ...old as string[]].map((choice) => (
        <label class="chip-choice">
          <input
            type="checkbox"
            value={choice}
            checked={chosen.includes(choice)}
            disabled={controlContext.readOnly}
          />
          <span>{choice}</span>
        </label>
      ))}
    </div>
  );
}
