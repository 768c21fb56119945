/**
 * Requests of a directory: an API token with the scope `scim`, and its quota.
 *
 * @module
 */
import type { Context as HttpContext, Handler } from "@hono/hono";
import { currentKey } from "../../kv/keys.ts";
import { SCIM_QUOTA } from "../../kv/limits/people.ts";
import type { Actor } from "../../kv/model/entities/entity.ts";
import { SCIM_SCOPE } from "../../kv/model/entities/scope.ts";
import type { TokenState } from "../../kv/model/entities/token.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { Refusal } from "../../kv/refusals.ts";
import { asRefusal } from "../answers/refusal_response.ts";
import type { Deps } from "../deps/deps.ts";
import { countUnauthenticated } from "../middleware/address_quota.ts";
import { logFault } from "../middleware/request_log.ts";
import { setQuotaHeaders, tokenCredentials } from "../v1/bearer/bearer_call.ts";
import { TokenCache } from "../v1/bearer/token_cache.ts";
import { errorAnswer, ScimError } from "./scim_answer.ts";

/** A request that is authenticated and admitted. */
export interface ScimCall {
  c: HttpContext;
  actor: Actor;
  /** The URL of the endpoints, for the locations of resources. */
  base: string;
  headers: Record<string, string>;
}

/** Makes handlers of requests with a token that provisions users. */
export function scimCalls(deps: Deps, base: (c: HttpContext) => Promise<string>) {
  const tokens = new TokenCache(deps.content.context);
  return (work: (call: ScimCall) => Promise<Response>): Handler => async (c) => {
    const headers: Record<string, string> = {};
    try {
      const token = await authenticate(deps, tokens, c, headers);
      const actor: Actor = { userId: null, via: token.name };
      return await work({ c, actor, base: await base(c), headers });
    } catch (error) {
      if (error instanceof ScimError) return errorAnswer(error, headers);
      const refusal = asRefusal(error, c.req.url);
      logFault(deps.content.context.log, c, refusal);
      return errorAnswer(refusal, headers);
    }
  };
}

async function authenticate(
  deps: Deps,
  tokens: TokenCache,
  c: HttpContext,
  headers: Record<string, string>,
): Promise<TokenState> {
  const credentials = tokenCredentials(c);
  if (credentials === null) return await countUnauthenticated(deps, c, headers);
  const { id, text } = credentials;
  const { store } = deps.content.context;
  const token = tokens.read(await store.get<CurrentRow>(currentKey("api_token", id)));
  if (token === null || !tokens.isValid(token, text)) {
    return await countUnauthenticated(deps, c, headers);
  }
  c.set("tokenName", token.name);
  const quota = Math.min(token.quotaPerMinute, SCIM_QUOTA);
  const admission = await deps.limiter.admit(`token:${id}`, quota);
  setQuotaHeaders(headers, quota, admission);
  if (!admission.admitted) {
    throw new Refusal("RATE_LIMITED", { retryAfterSeconds: admission.retryAfterSeconds });
  }
  if (!token.scopes.includes(SCIM_SCOPE)) throw new ScimError(403, "The scope scim is required");
  await tokens.markUsed(id, await tokens.usesOf(id));
  return token;
}
