/**
 * Entities that people know by a name, where others are known by an id: a setting by its key, a role and
 * a permission by their names, a role of a user as `<user id>:<role>`.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { LiveRow } from "../entities.ts";
import { readHead } from "../entities.ts";
import { livePrefix } from "../keys.ts";
import type { EntityType } from "../model/entity_kinds.ts";
import { isUlid } from "../model/ulid.ts";

type Named = "setting" | "role" | "permission" | "user_role";

const NAMED: ReadonlySet<EntityType> = new Set<Named>([
  "setting",
  "role",
  "permission",
  "user_role",
]);

/** The id of an entity that is given by id or by name; what is no known name is taken for an id. */
export async function entityIdOf(
  context: Context,
  type: EntityType,
  given: string,
): Promise<string> {
  const isId: boolean = isUlid(given);
  if (!NAMED.has(type) || isId) return given;
  const [user, role] = given.split(":");
  const wanted = type === "user_role" && role !== undefined
    ? { userId: user, roleId: await entityIdOf(context, "role", role) }
    : type === "setting"
    ? { key: given }
    : { name: given };
  // A few dozen at most.
  for await (const { key } of context.store.list<LiveRow>({ prefix: livePrefix(type) })) {
    const id = key[2] as string;
    const { state } = await readHead(context, type, id, key);
    const found = state as Record<string, unknown> | null;
    if (found === null) continue;
    if (Object.entries(wanted).every(([name, value]) => found[name] === value)) return id;
  }
  return given;
}
