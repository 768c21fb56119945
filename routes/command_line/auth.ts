/**
 * `cms auth`: the settings of signing in, for operators who cannot sign in, and encrypting what is stored.
 *
 * @module
 */
import { encryptSecrets } from "../../kv/people/encrypted_secrets.ts";
import { resetSignIn } from "../../kv/people/recovery.ts";
import type { Command } from "./command_context.ts";
import { parseOptions } from "./options.ts";
import { UsageError } from "./usage_error.ts";

/** Runs `cms auth`. */
export const authCommand: Command = async ({ people, print }, args) => {
  const { positionals: [verb, ...others] } = parseOptions(args, {});
  if (verb === "encrypt" && others.length === 0) {
    const { encrypted, unreadable } = await encryptSecrets(people.context);
    print(`${encrypted} secrets encrypted, ${unreadable} not readable`);
    return unreadable === 0 ? 0 : 1;
  }
  if (verb !== "reset" || others.length > 0) {
    throw new UsageError("cms auth requires reset or encrypt");
  }
  await resetSignIn(people);
  print("Everyone may use a password, and all sign-in providers are off");
  return 0;
};
