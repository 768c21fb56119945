/**
 * Output lines of users, tokens and jobs.
 *
 * @module
 */

/** A user. */
export function userLine(
  user: { email: string; displayName: string; roles: readonly string[] },
): string {
  return `${user.email}  ${user.displayName}  ${user.roles.join(", ")}`;
}

/** A token, never its text. */
export function tokenLine(
  token: { id: string; name: string; scopes: readonly string[]; revokedAt: number | null },
): string {
  const { id, name, scopes, revokedAt } = token;
  return `${id}  ${name}  ${scopes.join(" ")}${revokedAt === null ? "" : "  revoked"}`;
}

/** A job; its time is in milliseconds. */
export function jobLine(
  { id, type, state, step, error, updatedAt }: {
    id: string;
    type: string;
    state: string;
    step: string | null;
    error: string | null;
    updatedAt: number;
  },
): string {
  const at = new Date(updatedAt).toISOString();
  return [id, at, type, state, step, error].filter((part) => part).join("  ");
}
