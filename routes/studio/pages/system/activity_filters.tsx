/**
 * The filters of the activity: a person, and a range of days in the site's time zone.
 *
 * @module
 */
import type { EventPosition } from "../../../../kv/history/newest_versions.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { ChoiceList } from "../../components/forms/choice_list.tsx";
import { DateInput } from "../../components/forms/date_input.tsx";
import type { ListState } from "../../list_state.ts";
import type { ChangesQuery } from "../../wording/recent_changes.ts";
import { Zone } from "../../wording/zoned_time.ts";
import { type UserChoices, userChoices, userNames } from "../../wording/user_names.ts";
import type { Visit } from "../../serving/studio_env.ts";

/** The filters as the address has them, and what they ask for. */
export interface ActivityFilter {
  person: string;
  from: string;
  to: string;
  /** The users that can be chosen. */
  users: UserChoices;
  isSet: boolean;
  /** The end of the last day; null without one. */
  until: EventPosition | null;
  query: Pick<ChangesQuery, "by" | "from">;
}

/** The parameter value for changes that no user made, such as scheduled publications. */
const SERVICE = "service";
/** Takes the filters out of an address. */
export const NO_FILTER = { by: null, from: null, to: null, before: null };

/** Reads the filters; values that name no person and no day are ignored. */
export async function findFilter(deps: Deps, visit: Visit): Promise<ActivityFilter> {
  const names = await userNames(deps);
  const { searchParams } = visit.url;
  const given = searchParams.get("by") ?? "";
  const person = given === SERVICE || names.has(given) ? given : "";
  const zone = new Zone(visit.timezone);
  const dayOf = (name: "from" | "to") => {
    const day = searchParams.get(name) ?? "";
    return /^\d{4}-\d\d-\d\d$/.test(day) && zone.instantOf(day) !== null ? day : "";
  };
  const [from, to] = [dayOf("from"), dayOf("to")];
  return {
    person,
    from,
    to,
    users: userChoices(names, person),
    isSet: person !== "" || from !== "" || to !== "",
    until: to === "" ? null : { at: zone.endOf(to), id: "", n: 0 },
    query: {
      ...(person !== "" && { by: person === SERVICE ? null : person }),
      ...(from !== "" && { from: zone.startOf(from) }),
    },
  };
}

/** The form of the filters. */
export function ActivityFilters({ filter, state }: { filter: ActivityFilter; state: ListState }) {
  const type = state.params.get("type");
  const { choices, source } = filter.users;
  return (
    <form method="get" class="list-tools activity-filters" aria-label="Filter changes">
      {type !== null && <input type="hidden" name="type" value={type} />}
      <label class="sr" for="activity-by">Changed by</label>
      <ChoiceList
        id="activity-by"
        name="by"
        class="short"
        choices={[["", "Everyone"], ...choices, [SERVICE, "The service"]]}
        value={filter.person}
        source={source}
      />
      <label for="activity-from">From</label>
      <DateInput id="activity-from" name="from" type="date" value={filter.from} />
      <label for="activity-to">to</label>
      <DateInput id="activity-to" name="to" type="date" value={filter.to} />
      <Button type="submit">Filter</Button>
      {filter.isSet && (
        <ButtonLink variant="quiet" href={state.with(NO_FILTER)}>Clear filters</ButtonLink>
      )}
    </form>
  );
}
