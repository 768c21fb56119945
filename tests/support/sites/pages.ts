/** Pages and what they reference, as tests look at them. */
import { pagePrefix, pageReferrerPrefix } from "../../../kv/pages/page_keys.ts";
import type { PageRow } from "../../../kv/pages/pages.ts";
import type { Store } from "../../../kv/store/store.ts";

/** Every page with its path, in order of path. */
export async function* listPages(store: Store): AsyncGenerator<{ path: string; row: PageRow }> {
  for await (const { key, value } of store.list<PageRow>({ prefix: pagePrefix })) {
    if (value !== null) yield { path: key[1] as string, row: value };
  }
}

/** Documents whose pages are to be rendered again when this document or medium has changed. */
export async function* listReferrers(store: Store, targetId: string): AsyncGenerator<string> {
  for await (const { key } of store.list({ prefix: pageReferrerPrefix(targetId) })) {
    yield key[2] as string;
  }
}
