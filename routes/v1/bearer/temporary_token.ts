/**
 * Secrets that are valid for a limited time: a preview's, which opens one document, and the API explorer's, which
 * reads for a signed-in user.
 *
 * @module
 */
import { findPreview } from "../../../kv/documents/lists/previews.ts";
import { schemaKey } from "../../../kv/keys.ts";
import { seconds } from "../../../kv/context.ts";
import { ADDRESS_QUOTA, QUOTA_DEFAULT } from "../../../kv/limits/people.ts";
import { accessGrantIdOf } from "../../../kv/model/values/token_text.ts";
import { findGrant } from "../../../kv/people/oauth/grants.ts";
import { currentScopes, effectiveScopes } from "../../../kv/people/oauth/oauth_scopes.ts";
import { lacksRequiredFactor } from "../../../kv/people/sign_in_policy.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { admit } from "./admit.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import { findReadingToken, type ReadingToken } from "../../../kv/people/reading_tokens.ts";
import { bearerText } from "../../input/bearer_text.ts";
import { countAddress, countUnauthenticated } from "../../middleware/address_quota.ts";
import { type BearerCall, type BearerRequest, callOf } from "./bearer_call.ts";

/**
 * Opens a call with a temporary secret. Its requests count against the quota of the address. A preview shows what is
 * published of all other documents.
 */
export async function openTemporary(request: BearerRequest): Promise<BearerCall> {
  const { deps, http, headers } = request;
  const { context } = deps.content;
  const text = bearerText(http) ?? "";
  if (accessGrantIdOf(text) !== null && http.req.path === "/mcp") {
    return await openGrant(request, text);
  }
  const [found, reading] = await Promise.all([
    findPreview(context, text),
    findReadingToken(deps.people, text),
  ]);
  const preview = found !== null && "documentId" in found ? found : null;
  if (preview === null && reading === null) return await countUnauthenticated(deps, http, headers);
  await countAddress(deps, http, headers);
  const token = reading === null
    ? temporaryToken({ ...preview!, name: "Preview", scopes: ["*:read", "media:read"] })
    : temporaryToken({ ...reading, name: "Explorer" });
  const reads = await readRoute(request);
  return callOf(request, { ...reads, token, preview, renewed: () => Promise.resolve(token) });
}

/**
 * Opens a call of a program that acts for a user: it may do what both its scopes and the user may do now. Its requests
 * count against a quota of its own.
 */
async function openGrant(request: BearerRequest, text: string): Promise<BearerCall> {
  const { deps, http, headers } = request;
  const { people, content: { context } } = deps;
  const grant = await findGrant(people, text, "mcp");
  if (grant === null) return await countUnauthenticated(deps, http, headers);
  const reads = await readRoute(request);
  const [values, access] = await Promise.all([people.settings.values(), people.access.current()]);
  if (lacksRequiredFactor(values, access, grant.user, seconds(context))) {
    throw new Refusal("SECOND_FACTOR_REQUIRED");
  }
  const { id, client: { name }, createdAt, until: expiresAt, user } = grant;
  const authority = access.authorityOf(user.id);
  const granted = currentScopes(grant.scopes, reads.schema);
  const scopes = effectiveScopes(granted, authority, reads.schema);
  const token = {
    ...temporaryToken({ id, name, scopes, createdAt, expiresAt }),
    quotaPerMinute: QUOTA_DEFAULT,
    userId: user.id,
  };
  await admit(request, { token }, null);
  http.set("tokenName", name);
  const renewed = () => Promise.resolve(token);
  return callOf(request, { ...reads, token, renewed, rights: authority.documents });
}

/** The schema and the entries that the route needs, in one combined read. */
async function readRoute({ deps: { content }, keys, absent }: BearerRequest) {
  const [version, ...entries] = await content.context.store.getMany(
    [schemaKey, ...keys, ...absent],
  ) as [Entry, ...Entry[]];
  return { version, entries, schema: await content.schema.at(version) };
}

/** A temporary secret as a token. */
function temporaryToken(
  { id, name, scopes, createdAt, expiresAt }: ReadingToken & { name: string },
): TokenState {
  return {
    id,
    name,
    scopes: [...scopes],
    quotaPerMinute: ADDRESS_QUOTA,
    allowedOrigins: [],
    expiresAt,
    revokedAt: null,
    createdAt,
    updatedAt: createdAt,
    hash: "",
    previousHash: null,
    previousUntil: null,
  };
}
