/** Pages and what they reference, as tests look at them. */
import { pagePrefix, pageReferrerPrefix } from "../../../kv/pages/page_keys.ts";
import { findPage, type PageRow, readPageBody } from "../../../kv/pages/pages.ts";
import type { Store } from "../../../kv/store/store.ts";
import type { SimulatedSite } from "../harness/simulated_site.ts";

/** Every page with its path, in order of path. */
export async function* listPages(store: Store): AsyncGenerator<{ path: string; row: PageRow }> {
  for await (const { key, value } of store.list<PageRow>({ prefix: pagePrefix })) {
    if (value !== null) yield { path: key[1] as string, row: value };
  }
}

/** The page that the public sees at a path, stored or rendered; null if there is none. */
export async function publicPage(
  { context, lists }: Pick<SimulatedSite, "context" | "lists">,
  path: string,
): Promise<PageRow | null> {
  return lists.isListPath(path) ? await lists.find(path) : await findPage(context.store, path);
}

/** Its body as text. */
export async function publicText(
  site: Pick<SimulatedSite, "context" | "lists">,
  path: string,
): Promise<string | null> {
  const row = await publicPage(site, path);
  const body = row === null ? null : await readPageBody(site.context, row);
  return body === null ? null : new TextDecoder().decode(body);
}

/** Documents whose pages are to be rendered again when this document or medium has changed. */
export async function* listReferrers(store: Store, targetId: string): AsyncGenerator<string> {
  for await (const { key } of store.list({ prefix: pageReferrerPrefix(targetId) })) {
    yield key[2] as string;
  }
}
