/**
 * RENDER_REFERRERS: a document or medium has changed, so the pages that show something of it are rendered
 * again, and caches are told; of a medium's own bytes too.
 *
 * @module
 */
import { liveKey } from "../../kv/keys.ts";
import { pageReferrerKey, pageReferrerPrefix } from "../../kv/pages/page_keys.ts";
import { mediaTag } from "../../kv/model/media.ts";
import { documentTag } from "../../kv/model/page.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";
import { type Publishing, renderPage } from "./publishing.ts";

/** The shortest time between two runs for one target, milliseconds. */
const GAP_MS = 2_000;
/** Tags gathered before they are purged. */
const PURGED_AT_ONCE = 100;

/** How far it has come: the last page's document, and the tags that are still to be purged. */
type Cursor = { after: string; changed: string[]; done: number } | null;

/** The kind of job that follows references back. */
export function renderReferrersKind(publishing: Publishing): JobKind<"RENDER_REFERRERS"> {
  return jobKind("RENDER_REFERRERS", {
    pages: async ({ payload, operation, ...work }) => {
      const cursor = work.cursor as Cursor;
      if (cursor === null) await purgeMedium(publishing, payload.targetId);
      const changed = cursor?.changed ?? [];
      const id = await nextReferrer(publishing, payload.targetId, cursor?.after ?? "");
      if (id === null || changed.length >= PURGED_AT_ONCE) {
        if (changed.length > 0) await publishing.purge(changed.map(documentTag));
        if (id === null) return next({ pages: cursor?.done ?? 0 });
        return again({ ...cursor!, changed: [] });
      }
      const rendered = await renderPage(publishing, operation, id);
      const done = (cursor?.done ?? 0) + 1;
      const now = rendered?.changed ? [...changed, id] : changed;
      return again({ after: id, changed: now, done }, { done, total: done });
    },
  }, { gapMs: GAP_MS });
}

/** What caches keep of a medium itself: its bytes, its transforms, and where its former names lead. */
async function purgeMedium(
  { content: { context }, purge }: Publishing,
  targetId: string,
): Promise<void> {
  const { value } = await context.store.get(liveKey("media_metadata", targetId));
  if (value !== null) await purge([mediaTag(targetId)]);
}

async function nextReferrer(
  { content: { context } }: Publishing,
  targetId: string,
  after: string,
): Promise<string | null> {
  const range = {
    prefix: pageReferrerPrefix(targetId),
    start: pageReferrerKey(targetId, `${after}\0`),
  };
  const [found] = await context.store.listAll(range, { limit: 1 });
  return found === undefined ? null : found.key.at(-1) as string;
}
