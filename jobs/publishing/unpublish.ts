/**
 * UNPUBLISH: takes what is no longer published out of the site, or what has changed in languages other than the
 * original where that is not public. Search has forgotten it already, in the
 * commit that changed its status.
 *
 * @module
 */
import { noteSiteChange } from "../../kv/pages/site_entries.ts";
import { noteTagChanges } from "../../kv/pages/tag_changes.ts";
import {
  again,
  finish,
  type JobKind,
  jobKind,
  next,
  nextInSameCommit,
} from "../runner/job_kind.ts";
import { listingsOf, notifyPluginsOf, purgeDocument, SIDE_BY_SIDE } from "./publish.ts";
import { requestTidyingSometimes } from "../../kv/jobs/tidy_requests.ts";
import { requestAggregates } from "../../kv/pages/rendering_requests.ts";
import { postLanguages, readSource } from "./post_languages.ts";
import {
  type Publishing,
  publishingFor,
  requestReferrerPages,
  unrenderPage,
} from "./publishing.ts";

/** The kind of job that takes a document out of the site. */
export function unpublishKind(publishing: Publishing): JobKind<"UNPUBLISH"> {
  return jobKind("UNPUBLISH", {
    remove: async (work) => {
      const { payload, operation } = work;
      const { documentId } = payload;
      noteTagChanges(operation, publishing.content.context, payload);
      const [removed] = await Promise.all([
        unrenderPage(publishing, operation, documentId),
        requestReferrerPages(publishing, operation, documentId),
      ]);
      if (!removed) return finish({ note: "The document is published again" });
      noteSiteChange(operation, publishing.content.context, documentId);
      return next();
    },
    listings: async (work) => {
      const { payload } = work;
      const source = payload.languages === undefined ? null : await readSource(publishing, payload);
      const posted = await postLanguages(publishingFor(work, publishing), work, source);
      return posted === null ? await listingsOf(publishing, work.payload) : again(posted);
    },
    plugins: async (work) =>
      work.payload.inLanguages
        ? nextInSameCommit([])
        : await notifyPluginsOf(publishing, "document.unpublished", work),
    purge: async ({ payload }) => await purgeDocument(publishing, payload),
    aggregates: ({ operation }) => {
      const { context } = publishing.content;
      requestTidyingSometimes(operation, context);
      return next({ jobId: requestAggregates(operation, context) });
    },
  }, { batchSize: SIDE_BY_SIDE });
}
