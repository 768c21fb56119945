/**
 * The dependencies of every operation on people: the environment, users and roles, and the password hasher.
 *
 * @module
 */
import type { AccessSource } from "./access.ts";
import type { Attempts } from "./attempts.ts";
import type { Context } from "../context.ts";
import type { Passwords } from "./passwords.ts";
import type { Settings } from "../sources/settings.ts";

/** The people of a site. */
export interface People {
  context: Context;
  access: AccessSource;
  passwords: Passwords;
  attempts: Attempts;
  settings: Settings;
}
