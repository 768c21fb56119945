/**
 * Entities that people know by a name, where others are known by an id: a setting by its key, a role and
 * a permission by their names, a role of a user as `<user id>:<role>`.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { currentPrefix } from "../keys.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { isUlid } from "../model/values/ulid.ts";

/** The properties in the state of an entity with a name. */
type NamedEntity = Readonly<Record<string, string | undefined>>;

type ReadName = (name: string, context: Context) => NamedEntity | Promise<NamedEntity>;

const byName: ReadName = (name) => ({ name });

const NAMED: { readonly [type in EntityType]?: ReadName } = {
  setting: (key) => ({ key }),
  role: byName,
  permission: byName,
  user_role: grantOf,
};

/** A role of a user as `<user id>:<role>`. */
async function grantOf(name: string, context: Context): Promise<NamedEntity> {
  const [userId, role] = name.split(":");
  if (role === undefined) return { name };
  return { userId, roleId: await entityIdOf(context, "role", role) };
}

/** The id of an entity that is given by id or by name; what is no known name is taken for an id. */
export async function entityIdOf(
  context: Context,
  type: EntityType,
  given: string,
): Promise<string> {
  const wantedOf = NAMED[type];
  if (wantedOf === undefined || isUlid(given)) return given;
  const wanted = await wantedOf(given, context);
  // A few dozen at most.
  for await (const { key } of context.store.list<CurrentRow>({ prefix: currentPrefix(type) })) {
    const id = key[2] as string;
    const { state } = await readHead(context, type, id, key);
    const found = state as Record<string, unknown> | null;
    if (found === null) continue;
    if (Object.entries(wanted).every(([name, value]) => found[name] === value)) return id;
  }
  return given;
}
