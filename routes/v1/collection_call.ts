/**
 * What every route of a collection asks of a call: the collection, the scope, who acts, and what a single
 * document's answer says of itself.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { Actor } from "../../kv/model/entities/entity.ts";
import type { Action } from "../../kv/model/entities/scope.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { BearerCall } from "./bearer/bearer_call.ts";
import { isFresh, NO_TRANSFORM, textTag } from "./reading/etag.ts";
import { json, notModified } from "./respond.ts";

/** The collection of the path; one that is not exposed is not there. */
export function exposedCollection({ http, schema }: BearerCall): Collection {
  const collection = schema.bySlug.get(http.req.param("collection")!);
  if (collection === undefined || !collection.exposed) throw new Refusal("COLLECTION_NOT_FOUND");
  return collection;
}

/** Refuses with FORBIDDEN what the token's scopes do not allow. */
export function requireScope(
  { visibility }: BearerCall,
  { slug }: Collection,
  action: Action,
): void {
  if (!visibility.can(slug, action)) throw new Refusal("FORBIDDEN");
}

/** Writes made with a token are nobody's, and say its name. */
export function actorOf({ token }: BearerCall): Actor {
  return { userId: null, via: token.name };
}

/** What a single document says of its representation. */
export function tagged(etag: string): Record<string, string> {
  return { etag, "cache-control": `private, no-cache, ${NO_TRANSFORM}` };
}

/** A JSON answer whose tag is that of its text; 304 for who has it. */
export function textAnswer({ http, headers }: BearerCall, text: string): Response {
  const etag = textTag(text);
  return isFresh(http.req.header("if-none-match") ?? null, etag)
    ? notModified(headers, tagged(etag))
    : json(text, headers, tagged(etag));
}
