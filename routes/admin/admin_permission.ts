/**
 * Which permissions the middleware of a route asks for, so that the description of the API can tell.
 *
 * @module
 */

const permissions = new WeakMap<object, readonly string[]>();

/** The name by which the description calls what only administrators may do. */
export const ADMINISTRATOR_ONLY = "administrator";

/** Notes the permissions of a middleware; any of several is enough. */
export function markPermission<T extends object>(middleware: T, ...names: string[]): T {
  permissions.set(middleware, names);
  return middleware;
}

/** The permissions that a middleware asks for; none for any other function. */
export function permissionsOf(middleware: unknown): readonly string[] {
  return typeof middleware === "function" ? permissions.get(middleware) ?? [] : [];
}
