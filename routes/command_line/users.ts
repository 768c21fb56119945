/**
 * `cms user`: restores access for users without their password or a mail server.
 *
 * @module
 */
import { issueRecovery } from "../../kv/people/recovery.ts";
import { issueReset } from "../../kv/people/resets.ts";
import { listUsers } from "../../kv/people/users.ts";
import { Refusal } from "../../kv/refusals.ts";
import { PASSWORD_PAGE } from "../../jobs/kinds/send_mail.ts";
import { RECOVERY_PATH } from "../auth/recover.ts";
import type { Command } from "./command_context.ts";
import { userLine } from "./lines.ts";
import { parseOptions } from "./options.ts";
import { UsageError } from "./usage_error.ts";

/** Runs `cms user`. */
export const userCommand: Command = async ({ people, siteUrl, print }, args) => {
  const { positionals: [verb, email], texts } = parseOptions(args, {
    "disable-passwords": "string",
  });
  const disablePasswords = texts["disable-passwords"];
  if (disablePasswords !== undefined && disablePasswords !== "false") {
    throw new UsageError("--disable-passwords accepts false only");
  }
  const access = await people.access.current();
  if (verb === "list") {
    for (const user of listUsers(access)) print(userLine(user));
    return 0;
  }
  if (verb === "recover" && email !== undefined) {
    const allowPasswords = disablePasswords === "false";
    const token = await issueRecovery(people, email, { allowPasswords });
    print(`${await siteUrl()}${RECOVERY_PATH}?token=${token}`);
    return 0;
  }
  if (verb !== "reset-password" || email === undefined) {
    throw new UsageError("cms user requires list, reset-password <email> or recover <email>");
  }
  const user = access.userByEmail(email);
  const issued = user === undefined ? null : await issueReset(people, user.id);
  if (issued === null) {
    throw new Refusal("NOT_FOUND", { about: `no user has the email address ${email}` });
  }
  print(`${await siteUrl()}${PASSWORD_PAGE}#token=${issued.token}`);
  return 0;
};
