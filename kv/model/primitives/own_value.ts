/** The value of an object's own property, or undefined: `constructor` and its like are inherited, not values. */
export function ownValue<T>(values: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
