/**
 * The filter of a list by the users who created its documents.
 *
 * @module
 */
import { ChoiceList } from "../../../components/forms/choice_list.tsx";
import type { ListState } from "../../../list_state.ts";
import { nameOf, type Names, userChoices } from "../../../wording/user_names.ts";

/** The active filter in words: "Created by Ada Lovelace". */
export function creatorsText(ids: string, people: Names): string {
  return `Created by ${namesOf(ids, people)}`;
}

/** Filters by one user; an address may name several. */
export function CreatorFilter({ state, people }: { state: ListState; people: Names }) {
  const value = state.params.get("createdBy") ?? "";
  const isListed = value === "" || people.has(value);
  const { choices, source } = userChoices(people, value);
  return (
    <div class="field">
      <label for="filter-creator">Created by</label>
      <ChoiceList
        id="filter-creator"
        name="createdBy"
        choices={[
          ["", "Anyone"],
          ...isListed ? [] : [[value, namesOf(value, people)] as const],
          ...choices,
        ]}
        value={value}
        source={source}
      />
    </div>
  );
}

function namesOf(ids: string, people: Names): string {
  const names = ids.split(",").map((id) => nameOf(people, id));
  return new Intl.ListFormat("en", { type: "disjunction" }).format(names);
}
