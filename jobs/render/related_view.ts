/**
 * What leads on from the end of a document: what its author chose, then what shares its tags.
 *
 * @module
 */
import type { PublishedDocument } from "../../kv/model/page.ts";
import { RELATED_MAX } from "../limits.ts";
import { type DateView, dateView } from "./date_view.ts";
import { type Lookup, publicReference, type ReferenceView, type Rendering } from "./view.ts";

/** A document that another one leads on to. */
export interface RelatedView extends ReferenceView {
  /** Absent for those that its author chose. */
  published?: DateView;
}

/**
 * Completes what was chosen with documents near this one: those that share the most tags first, then the
 * newest. `near` has their ids by tag; those that the lookup does not know are left out.
 */
export function relatedView(
  rendering: Rendering,
  chosen: ReferenceView[],
  near: readonly (readonly string[])[],
  lookup: Lookup,
): RelatedView[] {
  const shared = new Map<string, number>();
  for (const id of near.flat()) shared.set(id, (shared.get(id) ?? 0) + 1);
  const found = [...shared].map(([id, count]) => ({ count, document: lookup.document(id) }))
    .filter((one): one is { count: number; document: PublishedDocument } => one.document !== null)
    .sort((a, b) => b.count - a.count || compareNewest(a.document, b.document));
  const views: RelatedView[] = [...chosen];
  for (const { document } of found) {
    if (views.length >= RELATED_MAX) break;
    const view = publicReference(rendering, lookup, document.id);
    if (view === null || views.some(({ path }) => path === view.path)) continue;
    const published = dateView(document.publishedAt ?? document.createdAt, rendering.days);
    views.push({ ...view, published });
  }
  return views;
}

function compareNewest(a: PublishedDocument, b: PublishedDocument): number {
  return (b.publishedAt ?? 0) - (a.publishedAt ?? 0) || (a.id < b.id ? 1 : -1);
}
