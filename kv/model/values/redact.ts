/**
 * Omits secrets from every state that is read: password and token hashes, secret settings and secrets of
 * plugins.
 *
 * @module
 */
import type { State } from "../entities/entity.ts";
import { asJson, type EntityType, kindOf, type StateOf } from "../entities/entity_kinds.ts";

/** A state without its secrets, as JSON. */
export function redact<T extends EntityType>(type: T, state: StateOf<T>): State {
  const seen = { ...asJson(state) };
  for (const key of kindOf(type).secrets?.(state) ?? []) delete seen[key];
  return seen;
}
