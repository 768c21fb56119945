/**
 * The application with its description, to hold one against the other.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Collection } from "../../kv/model/collection.ts";
import type { Json } from "../../kv/model/entity.ts";
import { frame } from "../../routes/middleware/frame.ts";
import { asRefusal, refusalResponse } from "../../routes/refusal_response.ts";
import { bearerRoutes } from "../../routes/v1/bearer.ts";
import { explorerRoutes } from "../../routes/v1/explorer.ts";
import { metaRoutes } from "../../routes/v1/meta.ts";
import { v1Routes } from "../../routes/v1/routes.ts";
import { callApp, type TestApp, testApp } from "../support/app.ts";
import type { CollectionSketch } from "./sites.ts";

/** A test's application that answers requests as they are. */
export interface DescribedApp extends TestApp {
  fetch: (request: Request) => Promise<Response>;
  /** Defines a collection as a sketch has it. */
  define(sketch: CollectionSketch): Promise<Collection>;
}

/** A fresh application; `await using` closes it. */
export async function describedApp(publicToken = ""): Promise<DescribedApp> {
  const test = await testApp();
  const { deps } = test;
  const bearer = bearerRoutes(deps);
  const app = new Hono()
    .use(frame(deps.content.context))
    .route(
      "/api/v1",
      metaRoutes({
        authenticated: (work) => bearer(() => [], work),
        origin: (http) => new URL(http.req.url).origin,
      }),
    )
    .route(
      "/api/v1",
      explorerRoutes({
        publicToken,
        tokenScopes: () => Promise.resolve(["*:read"]),
        log: deps.content.context.log,
      }),
    )
    .route("/api/v1", v1Routes(deps));
  app.onError((error) => refusalResponse(asRefusal(error), { vary: "Origin" }));
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  return {
    ...test,
    app,
    call: (method, path, call) => callApp(app, method, path, call),
    fetch: async (request) => await app.fetch(request, { remoteAddr }),
    define: ({ slug, name = slug, fields = [], ...rest }) =>
      test.collection({
        slug,
        name,
        ...rest,
        fields: fields.map(({ name, label = name, type, ...flags }) => ({
          name,
          label,
          type,
          ...flags,
        })) as unknown as Json,
      }),
  };
}
