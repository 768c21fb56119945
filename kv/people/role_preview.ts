/**
 * Previews of roles: a session that has the rights of one role instead of all rights of its user.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { Refusal } from "../refusals.ts";
import { Operation } from "../store/operation.ts";
import { readSession, stageSession } from "./sessions.ts";

/** Gives a session the rights of a role, or (null) those of its user again; refuses when the session has ended. */
export async function setPreviewedRole(
  context: Context,
  hash: string,
  roleId: string | null,
): Promise<void> {
  for (;;) {
    const entry = await readSession(context, hash);
    if (entry.value === null) throw new Refusal("UNAUTHENTICATED");
    const { previewedRole: _before, ...row } = entry.value;
    const next = roleId === null ? row : { ...row, previewedRole: roleId };
    const operation = stageSession(new Operation().check(entry), hash, next);
    if ((await context.store.commit(operation)).ok) return;
  }
}
