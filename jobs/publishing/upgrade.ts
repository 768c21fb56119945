/**
 * An upgrade of the service may change how pages look: the first process of a new release has all of them rendered
 * again. During a roll-out, processes of the older release leave it at that.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { compareVersion } from "../../kv/model/values/semantic_version.ts";
import { pagePrefix, renderedByKey } from "../../kv/pages/page_keys.ts";
import { requestSiteRendering } from "../../kv/pages/rendering_requests.ts";
import { Operation } from "../../kv/store/operation.ts";

/** The release that rendered the pages of a site, and the digest of its default theme. */
export interface RenderedBy {
  version: string;
  theme: string;
}

/** Asks for the rendering of all pages if there are some by an older release; answers whether it did. */
export async function renderAfterUpgrade(context: Context, own: RenderedBy): Promise<boolean> {
  const { store } = context;
  const entry = await store.get<RenderedBy>(renderedByKey);
  const last = entry.value;
  if (last !== null) {
    const isSame = last.version === own.version && last.theme === own.theme;
    if (isSame || compareVersion(last.version, own.version) > 0) return false;
  }
  // A site on which nothing was published renders its few pages when they are asked for.
  const pages = await store.listAll({ prefix: pagePrefix }, { limit: 1 });
  const operation = new Operation().check(entry).set(renderedByKey, own);
  if (pages.length > 0) requestSiteRendering(operation, context);
  // Who was faster has asked for it.
  return (await store.commit(operation)).ok && pages.length > 0;
}
