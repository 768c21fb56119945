/**
 * The headless API as tools call it: the same routes, in process, for a token that is already
 * admitted. So tools have the visibility, errors and responses of the API.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { Deps } from "../deps/deps.ts";
import type { bearerRoutes } from "../v1/bearer/bearer_routes.ts";
import type { BearerCall } from "../v1/bearer/bearer_call.ts";
import { documentWriteRoutes } from "../v1/writing/document_writes.ts";
import { translationRoutes } from "../v1/writing/translation_writes.ts";
import { documentRoutes } from "../v1/documents.ts";
import { mediaWriteRoutes } from "../v1/writing/media_writes.ts";
import { respond } from "../v1/respond.ts";
import { searchRoutes } from "../v1/reading/search.ts";

/** The response of the API. */
export interface InnerAnswer {
  ok: boolean;
  // deno-lint-ignore no-explicit-any
  json: any;
}

/** A request to the API; undefined values in `query` are omitted. */
export interface InnerRequest {
  method?: string;
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: Json;
}

/** Asks the API in the name of a call. */
export type AskApi = (call: BearerCall, request: InnerRequest) => Promise<InnerAnswer>;

/** The environment of the inner routes. */
interface InnerEnv {
  call: BearerCall;
}

/** The API of these dependencies. */
export function innerApi(deps: Deps): AskApi {
  const bearer: ReturnType<typeof bearerRoutes> = (keysOf, work) => (http) =>
    respond(deps, http, async (headers) => {
      const { call } = http.env as InnerEnv;
      const entries = await deps.content.context.store.getMany(keysOf(http));
      return await work({ ...call, http, entries, known: entries, headers });
    });
  const app = new Hono()
    .route("/", searchRoutes(deps))
    .route("/", mediaWriteRoutes(deps, bearer))
    .route("/", documentRoutes(deps, bearer))
    .route("/", documentWriteRoutes(deps, bearer))
    .route("/", translationRoutes(deps, bearer));
  return async (call, { method = "GET", path, query = {}, body }) => {
    const url = new URL(path, "http://localhost");
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const request = new Request(url, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const env: InnerEnv & Record<string, unknown> = { ...call.http.env as object, call };
    const response = await app.fetch(request, env);
    const text = await response.text();
    return { ok: response.ok, json: text === "" ? null : JSON.parse(text) };
  };
}
