/**
 * What a release that was published has changed in one of its documents.
 *
 * @module
 */
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import type { ReleaseDocument } from "../../../../kv/model/entities/release.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { versionAt } from "../../../../kv/releases/put_back.ts";
import { getRelease } from "../../../../kv/releases/releases.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ButtonLink } from "../../components/button.tsx";
import { ChangeList } from "../../components/comparison/change_list.tsx";
import { Time } from "../../components/time.tsx";
import { contentChanges } from "../../history/content_changes.ts";
import { countChanges } from "../../history/unchanged_passages.ts";
import type { Handlers } from "../../screens.ts";
import { page } from "../../serving/page.tsx";
import { findDocument } from "../content/document.tsx";

/** `/releases/:id/documents/:documentId`. */
export function releaseChangesScreens(deps: Deps): Handlers<"releaseChanges"> {
  return {
    releaseChanges: async (c) => {
      const visit = c.get("visit");
      const { state: release } = await getRelease(deps.content, c.req.param("id"));
      const member = release.documents.find(({ documentId }) =>
        documentId === c.req.param("documentId")
      );
      if (member === undefined) throw new Refusal("NOT_FOUND");
      const { stored: { state } } = await findDocument(deps, visit, member.documentId);
      const { before, after, isKept } = await statesOf(deps, member);
      const changes = isKept && after !== null
        ? await contentChanges(deps, before, after, visit)
        : [];
      const title = state.title || "Untitled";
      return await page(
        c,
        {
          title: `Changes to “${title}”`,
          crumbs: [
            { label: "Releases", href: "/admin/releases" },
            { label: release.name, href: `/admin/releases/${release.id}` },
          ],
          actions: (
            <ButtonLink icon="history" href={`/admin/versions/document/${state.id}`}>
              History
            </ButtonLink>
          ),
        },
        <section class="card">
          <h2>Changes by this release</h2>
          <p class="muted">
            {sentenceOf(member, isKept, before === null ? null : countChanges(changes))}{" "}
            {release.publishedAt !== null && (
              <>
                Published <Time at={release.publishedAt} clock={visit} />.
              </>
            )}
          </p>
          <ChangeList changes={changes} />
        </section>,
      );
    },
  };
}

/** What was public before and after, null where nothing was; `isKept` if both versions are still stored. */
async function statesOf(
  { content: { context } }: Deps,
  { documentId, before, after }: ReleaseDocument,
) {
  const versions = after === undefined || before === undefined || before === after
    ? []
    : await Promise.all([before, after].map((n) => versionAt(context, documentId, n)));
  const [was = null, is = null] = versions;
  const publicPart = (state: DocumentState | null) => state?.status === "published" ? state : null;
  return { before: publicPart(was), after: publicPart(is), isKept: was !== null && is !== null };
}

function sentenceOf(
  { action, before, after, left }: ReleaseDocument,
  isKept: boolean,
  count: number | null,
): string {
  if (left !== undefined) return `The release skipped this document: ${left}.`;
  if (after === undefined) return "The release has not been published yet.";
  if (before === after) return "The release changed nothing in this document.";
  if (action === "unpublish") return "The release unpublished this document.";
  if (!isKept) return "The versions of this release are no longer stored.";
  if (count === null) return "The release published this document for the first time.";
  return `${count} ${count === 1 ? "change" : "changes"}.`;
}
