/**
 * Reads the keys that nearly every admin request needs in one call, and loads what this process
 * does not have in memory.
 *
 * @module
 */
import type { MiddlewareHandler } from "@hono/hono";
import type { Content } from "../../kv/documents/content.ts";
import { accessKey, releasesKey, schemaKey, settingsKey } from "../../kv/keys.ts";
import { indexVersionKey } from "../../kv/index/index_keys.ts";
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import { keyOfSecret } from "../../kv/people/sessions.ts";
import { prefetchMore, withPrefetch } from "../../kv/store/prefetch.ts";
import type { Deps } from "../deps/deps.ts";
import { PREFETCHED_LISTS_MAX } from "../input/limits.ts";
import { sessionSecret } from "./session_cookie.ts";

/** The collections that an address is about, by their names; the overview is about all of them. */
function namedIn({ pathname, searchParams }: URL, { collections, bySlug }: Schema): Collection[] {
  if (pathname === "/admin") return collections.slice(0, PREFETCHED_LISTS_MAX);
  const names = new Set([...pathname.split("/"), ...searchParams.getAll("collection")]);
  return [...names].flatMap((name) => bySlug.get(name) ?? []).slice(0, PREFETCHED_LISTS_MAX);
}

/** Begins to read the lists of some collections. */
function begin({ context: { store }, index }: Content, collections: readonly Collection[]): void {
  for (const { id } of collections) index.renew(id);
  // Lists read again what could not be read here.
  prefetchMore(store, collections.map(({ id }) => indexVersionKey(id))).catch(() => {});
}

/** Reads ahead for requests with a session. */
export function prefetch(deps: Deps): MiddlewareHandler {
  const { content, people, releases, settings } = deps;
  const { context: { store }, schema } = content;
  const { trustProxy } = deps;
  return async function prefetchMiddleware(c, next) {
    const session = keyOfSecret(sessionSecret(c, trustProxy) ?? "");
    if (session === null) return await next();
    const listed = c.req.method !== "GET" || schema.known === null
      ? []
      : namedIn(new URL(c.req.url), schema.known);
    for (const { id } of listed) content.index.prefetchIfRecentlyChanged(id);
    const versions = listed.map(({ id }) => indexVersionKey(id));
    const keys = [session, accessKey, schemaKey, settingsKey, releasesKey, ...versions];
    await withPrefetch(store, keys, async () => {
      // A later caller waits for the same load, and gets its error.
      void Promise.allSettled([
        people.access.current(),
        schema.current((seen) => begin(content, namedIn(new URL(c.req.url), seen))),
        settings.all(),
        releases.current(),
      ]);
      await next();
    });
  };
}
