/**
 * What every operation on people needs: the surroundings, users and roles, and how
 * passwords are hashed.
 *
 * @module
 */
import type { AccessSource } from "./access.ts";
import type { Attempts } from "./attempts.ts";
import type { Context } from "../context.ts";
import type { Passwords } from "./passwords.ts";

/** The people of a site. */
export interface People {
  context: Context;
  access: AccessSource;
  passwords: Passwords;
  attempts: Attempts;
}
