/**
 * Every living entity of a site with its state, to compare whole sites.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import { livingEntities } from "../../../kv/versioning/entities.ts";
import type { State } from "../../../kv/model/entities/entity.ts";
import { asJson, ENTITY_TYPES } from "../../../kv/model/entities/entity_kinds.ts";

/** The states of all living entities by type and id. */
export async function liveStates(context: Context): Promise<Record<string, State>> {
  const states: Record<string, State> = {};
  for (const type of ENTITY_TYPES) {
    for await (const { id, state } of livingEntities(context, type)) {
      states[`${type} ${id}`] = asJson(state);
    }
  }
  return states;
}
