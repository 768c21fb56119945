/**
 * Makes everything that the routes are given, from the surroundings and the configuration.
 *
 * @module
 */
import type { Content } from "../kv/content.ts";
import type { Context } from "../kv/context.ts";
import { DocumentReader } from "../kv/document_reader.ts";
import { indexRow } from "../kv/index/index_row.ts";
import { ListIndex } from "../kv/index/list_index.ts";
import { RateLimiter } from "../kv/rate_limit/rate_limiter.ts";
import { SchemaSource } from "../kv/schema.ts";
import { Settings } from "../kv/settings.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./deps.ts";

/** Wires the service. */
export function createDeps(context: Context, config: Pick<Config, "TRUST_PROXY">): Deps {
  const { store, now } = context;
  const content: Content = {
    context,
    schema: new SchemaSource(context),
    index: new ListIndex({
      store,
      now,
      loadRows: async (collection, ids) => {
        const found = await Promise.all(ids.map((id) => reader.find(id)));
        return found
          .filter((stored) => stored !== null)
          .map(({ state, n }) => indexRow(collection, state, n));
      },
    }),
  };
  const reader = new DocumentReader(content);
  return {
    content,
    reader,
    settings: new Settings(context),
    limiter: new RateLimiter({ store, now }),
    trustProxy: config.TRUST_PROXY,
  };
}
