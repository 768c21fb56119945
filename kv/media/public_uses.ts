/**
 * Whether a medium is shown to the public, and by which collections: changing its file, crop or focus then
 * changes public pages, which requires the right to publish them.
 *
 * @module
 */
import { referrersOf } from "../documents/reference_rows.ts";
import type { Content } from "../documents/content.ts";
import type { DocumentReader } from "../documents/reader.ts";
import { MEDIA_USES_MAX } from "../limits/media.ts";
import { USES_AT_ONCE } from "../tuning.ts";
import type { Json } from "../model/entities/entity.ts";
import { referencedIds } from "../model/fields/referenced_ids.ts";
import { Refusal } from "../refusals.ts";
import type { Settings } from "../sources/settings.ts";

/** The sources that tell where a medium is used. */
export interface PublicUseDeps {
  content: Content;
  reader: DocumentReader;
  settings: Pick<Settings, "get">;
}

/** The caller's rights to publish: documents of a collection, all documents, the design of the site. */
export interface PublishRights {
  everywhere: boolean;
  in: (collectionId: string) => boolean;
  site: boolean;
}

/** Settings whose media every page shows. */
const SITE_MEDIA = ["site.logo", "site.image", "site.icon"] as const;

/** Refuses a change of a medium that the public sees, unless the caller may publish where it is used. */
export async function refusePublicUse(
  { content, reader, settings }: PublicUseDeps,
  mediumId: string,
  rights: PublishRights,
): Promise<void> {
  if (!rights.site) {
    const shown = await Promise.all(SITE_MEDIA.map((key) => settings.get<Json>(key)));
    if (shown.includes(mediumId)) throw usedPublicly("every page of the site");
  }
  if (rights.everywhere) return;
  const ids = await referrersOf(content.context, mediumId, MEDIA_USES_MAX);
  // Not all of them are looked at, and one that is not may be public.
  if (ids.length >= MEDIA_USES_MAX) throw usedPublicly("very many documents");
  for (let start = 0; start < ids.length; start += USES_AT_ONCE) {
    const batch = ids.slice(start, start + USES_AT_ONCE);
    for (const stored of await Promise.all(batch.map((id) => reader.find(id)))) {
      const state = stored?.state;
      if (state?.status !== "published" || rights.in(state.collectionId)) continue;
      const { data, blocks } = state;
      if (referencedIds({ data, blocks }).has(mediumId)) throw usedPublicly(`“${state.title}”`);
    }
  }
}

function usedPublicly(where: string): Refusal {
  return new Refusal("FORBIDDEN", { about: `${where} shows it to the public` });
}
