/**
 * The rules for new passwords that the settings add to those of every password.
 *
 * @module
 */
import { invalid } from "../refusals.ts";
import type { Settings } from "../sources/settings.ts";

/**
 * Checks a new password.
 *
 * @throws {Refusal} VALIDATION_FAILED if it is shorter than `auth.password.min`, or one of the most common.
 */
export async function refuseWeakPassword(settings: Settings, password: string): Promise<void> {
  const values = await settings.values();
  const min = values.get<number>("auth.password.min");
  if ([...password].length < min) {
    throw invalid("password", "TOO_SHORT", `Must have at least ${min} characters`);
  }
  if (!values.get<boolean>("auth.password.blocklist")) return;
  const { default: list } = await import("fxa-common-password-list");
  if (list.test(password.toLowerCase())) {
    throw invalid("password", "PATTERN_MISMATCH", "This password is too common");
  }
}
