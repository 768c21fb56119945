/**
 * What is left out wherever a state is read: password and token hashes, secret settings and secrets of
 * plugins.
 *
 * @module
 */
import type { EntityType, State } from "./entity.ts";
import { isSecretSetting } from "./setting.ts";

const HIDDEN: { readonly [type in EntityType]?: readonly string[] } = {
  user: ["passwordHash"],
  api_token: ["hash", "previousHash"],
  plugin_config: ["secrets"],
};

/** A state without its secrets. */
export function redact(type: EntityType, state: State): State {
  const hidden = HIDDEN[type] ?? [];
  const seen = Object.fromEntries(Object.entries(state).filter(([key]) => !hidden.includes(key)));
  if (type === "setting" && isSecretSetting(String(state.key))) delete seen.value;
  return seen;
}
