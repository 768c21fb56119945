/**
 * `cms token`: API tokens without the admin application.
 *
 * @module
 */
import { SchemaSource } from "../../kv/sources/schema_source.ts";
import { seconds } from "../../kv/context.ts";
import { type Actor } from "../../kv/model/entities/entity.ts";
import { parseToken } from "../../kv/model/input/token_input.ts";
import { listTokens, mintToken, revokeToken } from "../../kv/people/tokens.ts";
import type { Command } from "./command_context.ts";
import { tokenLine } from "./lines.ts";
import { parseOptions } from "./options.ts";
import { UsageError } from "./usage_error.ts";

const ACTOR: Actor = { userId: null, via: "Command line" };

/** Runs `cms token`. */
export const tokenCommand: Command = async ({ content: { context }, print }, args) => {
  const { positionals: [verb, first, ...scopes], texts } = parseOptions(args, { quota: "string" });
  if (verb === "list") {
    for (const token of await listTokens(context)) print(tokenLine(token));
    return 0;
  }
  if (first === undefined) throw new UsageError("cms token requires more arguments");
  if (verb === "revoke") {
    await revokeToken(context, ACTOR, first);
    print(`Revoked token ${first}`);
    return 0;
  }
  if (verb !== "create") throw new UsageError(`Unknown command: cms token ${verb}`);
  const quota = texts.quota === undefined ? {} : { quotaPerMinute: Number(texts.quota) };
  const input = parseToken({ name: first, scopes, ...quota }, seconds(context));
  const { text } = await mintToken(context, ACTOR, input, new SchemaSource(context));
  print(text);
  return 0;
};
