/**
 * Secrets that are valid for a limited time: a preview's, which opens one document, and the API explorer's, which
 * reads for a signed-in user.
 *
 * @module
 */
import { findPreview } from "../../../kv/documents/lists/previews.ts";
import { schemaKey } from "../../../kv/keys.ts";
import { ADDRESS_QUOTA } from "../../../kv/limits/people.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import { findReadingToken, type ReadingToken } from "../../../kv/people/reading_tokens.ts";
import { countAddress, countUnauthenticated } from "../../middleware/address_quota.ts";
import { TokenVisibility } from "../reading/token_visibility.ts";
import { type BearerCall, type BearerRequest, bearerText } from "./bearer_call.ts";

/**
 * Opens a call with a temporary secret. Its requests count against the quota of the address. A preview shows what is
 * published of all other documents.
 */
export async function openTemporary(
  { deps, http, keys, absent, headers }: BearerRequest,
): Promise<BearerCall> {
  const { context, schema: schemas } = deps.content;
  const text = bearerText(http) ?? "";
  const [found, reading] = await Promise.all([
    findPreview(context, text),
    findReadingToken(context, text),
  ]);
  const preview = found !== null && "documentId" in found ? found : null;
  if (preview === null && reading === null) return await countUnauthenticated(deps, http, headers);
  await countAddress(deps, http, headers);
  const [version, ...entries] = await context.store.getMany(
    [schemaKey, ...keys, ...absent],
  ) as [Entry, ...Entry[]];
  const token = reading === null
    ? temporaryToken({ ...preview!, name: "Preview", scopes: ["*:read", "media:read"] })
    : temporaryToken({ ...reading, name: "Explorer" });
  const schema = await schemas.at(version);
  return {
    http,
    token,
    schema,
    visibility: new TokenVisibility(token.scopes, schema),
    entries,
    known: [version, ...entries],
    headers,
    preview,
    renewed: () => Promise.resolve(token),
  };
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
