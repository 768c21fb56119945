/**
 * Loads the schema and the token's last use while the request is admitted. Only a process that has
 * just started lacks them.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { BearerRequest } from "./bearer_call.ts";

/** Starts reads by a schema that is not confirmed yet. */
export type ProvisionalReads = (http: HttpContext, schema: Schema) => Promise<Entry>[];

/** Loads the schema and the token's use; answers them with the reads that `onProvisional` has started. */
export function prefetch(
  { deps, tokens, http }: BearerRequest,
  { token, version }: { token: TokenState; version: Entry },
  onProvisional: ProvisionalReads | undefined,
) {
  const provisional: Promise<Entry>[] = [];
  const loading = Promise.all([
    deps.content.schema.at(version, (schema) => {
      for (const read of onProvisional?.(http, schema) ?? []) {
        read.catch(() => {});
        provisional.push(read);
      }
    }),
    tokens.usesOf(token.id),
  ]).then(([schema, uses]) => ({ schema, uses, provisional }));
  // A refused request does not wait for it, and an unhandled rejection would end the process.
  loading.catch(() => {});
  return loading;
}
