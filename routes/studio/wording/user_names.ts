/**
 * The names of users, and the users that a filter offers: the first by name, further ones as the user searches.
 *
 * @module
 */
import { usersInOrder } from "../../../kv/people/users.ts";
import type { Deps } from "../../deps/deps.ts";
import { USER_CHOICES_MAX } from "../../input/limits.ts";

/** Names of users, by id. */
export type Names = ReadonlyMap<string, string>;

/** The current names of all users, in their order. */
export async function userNames({ people }: Pick<Deps, "people">): Promise<Names> {
  const users = usersInOrder(await people.access.current());
  return new Map(users.map(({ id, displayName }) => [id, displayName]));
}

/** The name of a user, who may be deleted. */
export function nameOf(names: Names, id: string | null): string {
  return names.get(id ?? "") ?? "Deleted user";
}

/** The choices of users that a page has, and where it searches for those that it does not have. */
export interface UserChoices {
  choices: (readonly [id: string, name: string])[];
  source: string | undefined;
}

/** The first users by name, and the chosen one. */
export function userChoices(names: Names, chosen: string): UserChoices {
  const choices = names.entries().take(USER_CHOICES_MAX).toArray();
  const name = names.get(chosen);
  if (name !== undefined && choices.every(([id]) => id !== chosen)) choices.push([chosen, name]);
  return { choices, source: names.size > USER_CHOICES_MAX ? "/admin/find/users" : undefined };
}
