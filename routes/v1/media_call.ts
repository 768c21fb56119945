/**
 * Helpers of media routes: the scope, the ID in the path, and the response.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { MediaState } from "../../kv/model/entities/media.ts";
import type { MediaAction } from "../../kv/model/entities/scope.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { BearerCall } from "./bearer/bearer_call.ts";
import { tagged } from "./collection_call.ts";
import { isMatched, textTag } from "./reading/etag.ts";
import { headlessMedium } from "./media_view.ts";
import { json } from "./respond.ts";
import { pathParameter } from "../input/path_parameter.ts";

/** Answers a medium. */
export function answerMedium(
  { headers }: BearerCall,
  medium: MediaState,
  status = 200,
  more: Record<string, string> = {},
): Response {
  const text = JSON.stringify(headlessMedium(medium));
  return json(text, headers, { ...tagged(textTag(text)), ...more }, status);
}

/** The condition of an `If-Match` header on a medium; undefined without one. */
export function mediumCondition(http: HttpContext): ((medium: MediaState) => boolean) | undefined {
  const ifMatch = http.req.header("if-match");
  if (ifMatch === undefined) return undefined;
  return (medium) => isMatched(ifMatch, textTag(JSON.stringify(headlessMedium(medium))));
}

/** Refuses with FORBIDDEN unless the token has the scope. */
export function requireMedia({ visibility }: BearerCall, action: MediaAction): void {
  if (!visibility.canMedia(action)) throw new Refusal("FORBIDDEN");
}

/** The id of the path. */
export function mediumIdOf(http: HttpContext): string {
  const id = pathParameter(http, "id");
  if (!isUlid(id)) throw new Refusal("NOT_FOUND");
  return id;
}
