/**
 * What nearly every admin request asks for, read at once when it begins, and made ready beside one another
 * where this process does not have it yet.
 *
 * @module
 */
import type { MiddlewareHandler } from "@hono/hono";
import { accessKey, releasesKey, schemaKey, settingsKey } from "../../kv/keys.ts";
import { keyOfSecret } from "../../kv/people/sessions.ts";
import { withPrefetch } from "../../kv/store/prefetch.ts";
import type { Deps } from "../deps.ts";
import { sessionSecret } from "../session_cookie.ts";

/** Reads ahead for requests with a session. */
export function prefetch(deps: Deps): MiddlewareHandler {
  const { content: { context: { store }, schema }, people, releases, settings } = deps;
  const { trustProxy } = deps;
  return async function prefetchMiddleware(c, next) {
    const session = keyOfSecret(sessionSecret(c, trustProxy) ?? "");
    if (session === null) return await next();
    const keys = [session, accessKey, schemaKey, settingsKey, releasesKey];
    await withPrefetch(store, keys, async () => {
      // Whoever asks for one of them waits for the same loading, and meets its failure.
      void Promise.allSettled([
        people.access.current(),
        schema.current(),
        settings.all(),
        releases.current(),
      ]);
      await next();
    });
  };
}
