/**
 * `/choices`: documents for the reference picker as JSON, each with its image, status and a note that
 * distinguishes equal titles. The query is that of document lists in the admin API.
 *
 * @module
 */
import { listMarked } from "../../../../kv/documents/lists/marked_list.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { AdminVisibility, parseDocumentList } from "../../../admin/content/document_list_query.ts";
import type { Deps } from "../../../deps/deps.ts";
import { listMeta } from "../../../query/list_meta.ts";
import { STATUS_LABELS } from "../../components/status.tsx";
import { relativeTime } from "../../components/time.tsx";
import { findReferenced } from "../../controls/referenced.ts";
import type { DocumentChoice } from "../../document_choice.ts";
import type { Handlers } from "../../screens.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { thumbnailField, thumbnailId } from "../../thumbnail.ts";

/** `GET /choices?collection=…&q=…`. */
export function choiceScreens(deps: Deps): Handlers<"choices"> {
  return {
    choices: async (c) => {
      const visit = c.get("visit");
      const sight = new AdminVisibility(visit.schema, c.get("session"));
      const { query, request, marks } = parseDocumentList(
        visit.url.searchParams,
        visit.schema,
        sight,
      );
      const found = await listMarked(deps.content, marks, query);
      const { documents } = await deps.reader.readableOfPage(found);
      const images = documents.flatMap(({ state }) => thumbnailId(state, visit) ?? []);
      const pointed = images.map((id) => ({ kind: "media" as const, id }));
      const { media } = await findReferenced(deps, pointed, visit);
      const data = documents.map(({ state }): DocumentChoice => ({
        ...choiceOf(state, visit),
        ...imageOf(state, visit, (id) => media.get(id)?.url),
      }));
      return c.json({ data, meta: listMeta(request, found) }, 200, { "cache-control": "no-store" });
    },
  };
}

function choiceOf(
  { id, collectionId, title, slug, status, updatedAt }: DocumentState,
  visit: Visit,
) {
  const home = visit.schema.byId.get(collectionId);
  return {
    id,
    title: title || "Untitled",
    collection: home?.name ?? "",
    status,
    statusLabel: STATUS_LABELS[status],
    note: `/${home?.slug}/${slug} · changed ${relativeTime(updatedAt, visit)}`,
  };
}

function imageOf(
  state: DocumentState,
  visit: Visit,
  urlOf: (mediaId: string) => string | undefined,
): Pick<DocumentChoice, "image"> {
  if (thumbnailField(visit.schema.byId.get(state.collectionId) ?? null) === undefined) return {};
  const id = thumbnailId(state, visit);
  return { image: (id === null ? undefined : urlOf(id)) ?? null };
}
