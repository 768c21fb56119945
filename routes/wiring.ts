/**
 * Makes everything that the routes are given, from the surroundings and the configuration.
 *
 * @module
 */
import { AccessSource } from "../kv/access.ts";
import { Attempts } from "../kv/attempts.ts";
import type { Content } from "../kv/content.ts";
import type { Context } from "../kv/context.ts";
import { DocumentReader } from "../kv/document_reader.ts";
import { readIndexRows } from "../kv/document_rows.ts";
import { ListIndex } from "../kv/index/list_index.ts";
import { type PasswordCost, Passwords } from "../kv/passwords.ts";
import { RateLimiter } from "../kv/rate_limit/rate_limiter.ts";
import { SchemaSource } from "../kv/schema.ts";
import { Settings } from "../kv/settings.ts";
import type { Deps } from "./deps.ts";

/** What the environment decides. */
export interface WiringOptions {
  trustProxy: number;
  setupCode: string;
  explorerPublicToken?: string;
  passwordCost?: PasswordCost;
}

/** Wires the service. */
export function createDeps(context: Context, options: WiringOptions): Deps {
  const { store, now } = context;
  const content: Content = {
    context,
    schema: new SchemaSource(context),
    index: new ListIndex({
      store,
      loadRows: (collection, ids) => readIndexRows(context, collection, ids),
    }),
  };
  const reader = new DocumentReader(content);
  return {
    content,
    reader,
    settings: new Settings(context),
    limiter: new RateLimiter({ store, now }),
    people: {
      context,
      access: new AccessSource(context),
      passwords: new Passwords(options.passwordCost),
      attempts: new Attempts({ store, now }),
    },
    setupCode: options.setupCode,
    explorerPublicToken: options.explorerPublicToken ?? "",
    trustProxy: options.trustProxy,
  };
}
