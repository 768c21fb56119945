/**
 * The application, to hold its description against it.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { type TestApp, testApp } from "../support/sites/app.ts";
import type { CollectionSketch } from "./sites.ts";

/** A test's application that answers requests as they are. */
export interface DescribedApp extends TestApp {
  fetch: (request: Request) => Promise<Response>;
  /** Defines a collection as a sketch has it. */
  define(sketch: CollectionSketch): Promise<Collection>;
}

/** A fresh application; `await using` closes it. */
export async function describedApp(): Promise<DescribedApp> {
  const test = await testApp();
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  return {
    ...test,
    fetch: async (request) => await test.app.fetch(request, { remoteAddr }),
    define: ({ slug, name = slug, fields = [], ...rest }) =>
      test.collection({
        slug,
        name,
        ...rest,
        fields: fields.map((field) => ({ label: field.name, ...field })) as unknown as Json,
      }),
  };
}
