/**
 * Helpers of collection routes: the collection, the scope, the actor, and the response of a single
 * document.
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
import { pathParameter } from "../input/path_parameter.ts";

/** The collection in the path; one that is not exposed counts as missing. */
export function exposedCollection({ http, schema }: BearerCall): Collection {
  const collection = schema.bySlug.get(pathParameter(http, "collection"));
  if (collection === undefined || !collection.exposed) throw new Refusal("COLLECTION_NOT_FOUND");
  return collection;
}

/** Refuses with FORBIDDEN unless the token has the scope. */
export function requireScope(
  { visibility }: BearerCall,
  { slug }: Collection,
  action: Action,
): void {
  if (!visibility.can(slug, action)) throw new Refusal("FORBIDDEN");
}

/** The actor of writes with a token: the name of the token, and no user unless it acts for one. */
export function actorOf({ token, rights }: BearerCall): Actor {
  const { userId = null, name, languages } = token;
  return {
    userId,
    via: name,
    ...(languages && { languagesOn: () => languages }),
    ...rights?.limits,
  };
}

/** Headers of a single document's response. */
export function tagged(etag: string): Record<string, string> {
  return { etag, "cache-control": `private, no-cache, ${NO_TRANSFORM}` };
}

/** A JSON response tagged by its text; 304 if the client has it. */
export function textAnswer({ http, headers }: BearerCall, text: string): Response {
  const etag = textTag(text);
  return isFresh(http.req.header("if-none-match") ?? null, etag)
    ? notModified(headers, tagged(etag))
    : json(text, headers, tagged(etag));
}
