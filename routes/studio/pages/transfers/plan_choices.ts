/**
 * What the controls of a transfer's plan offer.
 *
 * @module
 */
import type { Plan } from "../../../../kv/model/transfers/plan.ts";
import { listUsers } from "../../../../kv/people/users.ts";
import type { TransferFacts } from "../../../../jobs/transfers/run/transfer_facts.ts";
import type { Deps } from "../../../deps/deps.ts";
import type { Visit } from "../../serving/studio_env.ts";
import type { Choice } from "./plan_controls.tsx";
import type { PlanChoices } from "./plan_mappings.tsx";

/** Documents and users that the control of an author lists; others are entered in a downloaded plan. */
const LISTED = 100;

/** The choices of a plan. */
export async function planChoices(
  deps: Deps,
  visit: Visit,
  plan: Plan,
  facts: TransferFacts | null,
): Promise<PlanChoices> {
  const { authors: names = {} } = facts?.facts ?? {};
  const isMapped = Object.keys(plan.authors.mapping).length > 0;
  return {
    names,
    authors: isMapped ? await authorChoices(deps, visit, plan) : [],
    blocks: [...visit.schema.blocks.keys()].sort(),
  };
}

async function authorChoices(
  { content, reader, people }: Deps,
  visit: Visit,
  { authors }: Plan,
): Promise<Choice[]> {
  const collection = authors.collection === null
    ? undefined
    : visit.schema.bySlug.get(authors.collection);
  const access = await people.access.current();
  const users = listUsers(access).slice(0, LISTED)
    .map(({ id, displayName, email }): Choice => [id, `User: ${displayName || email}`]);
  if (collection === undefined) return users;
  const page = await content.index.list({
    collections: [collection],
    statuses: ["draft", "published"],
    sort: [{ by: "title", descending: false }],
    offset: 0,
    limit: LISTED,
  });
  const { documents } = await reader.readableOfPage(page);
  return [
    ...documents.map(({ state }): Choice => [state.id, `${collection.name}: ${state.title}`]),
    ...users,
  ];
}
