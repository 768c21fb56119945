/**
 * RENDER_REFERRERS: a document or medium has changed, so the pages and lists that show it are rendered again,
 * and caches are purged, including those of a medium's own bytes.
 *
 * @module
 */
import { onlyTarget } from "../../kv/model/fields/reference_target.ts";
import { currentKey } from "../../kv/keys.ts";
import { pageReferrerKey, pageReferrerPrefix } from "../../kv/pages/page_keys.ts";
import { mediaTag } from "../../kv/model/entities/media.ts";
import { documentTag } from "../../kv/model/entities/page.ts";
import { areDocuments, tagFields, tagId } from "../../kv/model/fields/tags.ts";
import { noteTagChange } from "../../kv/pages/tag_changes.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { requestSiteRendering } from "../../kv/pages/rendering_requests.ts";
import { type Publishing, renderPage } from "./publishing.ts";
import { renewLists } from "./lists/renew_lists.ts";

/** The shortest time between two runs for one target, milliseconds. */
const GAP_MS = 2_000;
/** Tags collected before they are purged. */
const PURGED_AT_ONCE = 100;

/** The kind of job that renders the pages which show a document or medium. */
export function renderReferrersKind(publishing: Publishing): JobKind<"RENDER_REFERRERS"> {
  return jobKind("RENDER_REFERRERS", {
    pages: async ({ payload, operation, cursor }) => {
      if (cursor === null) {
        await changeMedium(publishing, operation, payload.targetId);
        await changeTag(publishing, operation, payload.targetId);
      }
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
    lists: (work) => renewLists(publishing, work),
  }, { gapMs: GAP_MS });
}

/**
 * Purges a medium itself from caches: its bytes, its transforms and its former names; requests every page if
 * the medium represents the site.
 */
async function changeMedium(
  { content: { context }, purge, rendering }: Publishing,
  operation: Operation,
  targetId: string,
): Promise<void> {
  const { logo, image, icon } = (await rendering()).site;
  if ([logo, image, icon].some((one) => one?.id === targetId)) {
    requestSiteRendering(operation, context);
  }
  const { value } = await context.store.get(currentKey("media_metadata", targetId));
  if (value !== null) await purge([mediaTag(targetId)]);
}

/** Notes every tag that a document represents. */
async function changeTag(
  { content: { context, schema }, reader }: Publishing,
  operation: Operation,
  targetId: string,
): Promise<void> {
  const { collections, byId } = await schema.current();
  const fields = collections.flatMap((collection) =>
    tagFields(collection).filter(areDocuments).map((field) => ({ collection, field }))
  );
  if (fields.length === 0) return;
  const stored = await reader.find(targetId);
  const its = stored && byId.get(stored.state.collectionId);
  for (const { collection, field } of fields) {
    if (onlyTarget(field.options) === its?.slug) {
      const target = { collectionId: collection.id, tagId: tagId({ field, value: targetId }) };
      noteTagChange(operation, context, target, null);
    }
  }
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
