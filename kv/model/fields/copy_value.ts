import type { Json } from "../entities/entity.ts";

/** Values of fields by their keys. */
type Values = Record<string, Json>;

/** Gives `to` the value that `from` has for a field, or no value if it has none. */
export function copyValue(from: Values, to: Values, key: string): void {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  if (value === undefined) delete to[key];
  else to[key] = value;
}
