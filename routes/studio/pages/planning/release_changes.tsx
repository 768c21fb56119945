/**
 * What a release that was published has changed in one of its documents.
 *
 * @module
 */
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import type { ReleaseDocument } from "../../../../kv/model/entities/release.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { getRelease } from "../../../../kv/releases/releases.ts";
import { getVersion, listVersions } from "../../../../kv/versioning/versions.ts";
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
      const { before, after } = await statesOf(deps, member);
      const changes = after === null ? [] : await contentChanges(deps, before, after, visit);
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
            {sentenceOf(member, after, before === null ? null : countChanges(changes))}{" "}
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

/** What was public before and after; null where nothing was, or where the version is not kept. */
async function statesOf(deps: Deps, { documentId, before, after }: ReleaseDocument) {
  const publicAt = async (n: number | undefined): Promise<DocumentState | null> => {
    const state = n === undefined ? null : await stateAt(deps, documentId, n);
    if (state?.status !== "published") return null;
    const { workingCopy: _, ...published } = state;
    return published;
  };
  const isChanged = after !== undefined && before !== after;
  return {
    before: await publicAt(before),
    after: isChanged ? await publicAt(after) : null,
  };
}

async function stateAt(
  { content: { context } }: Deps,
  documentId: string,
  n: number,
): Promise<DocumentState | null> {
  const { versions: [version] } = await listVersions(context, "document", documentId, {
    skip: 0,
    limit: 1,
    below: n + 1,
  });
  if (version?.version_number !== n) return null;
  return (await getVersion(context, version.id)).state as DocumentState | null;
}

function sentenceOf(
  { action, before, after, left }: ReleaseDocument,
  found: DocumentState | null,
  count: number | null,
): string {
  if (left !== undefined) return `The release skipped this document: ${left}.`;
  if (after === undefined) return "The release has not been published yet.";
  if (before === after) return "The release changed nothing in this document.";
  if (action === "unpublish") return "The release unpublished this document.";
  if (found === null) return "The version of this release is no longer stored.";
  if (count === null) return "The release published this document for the first time.";
  return `${count} ${count === 1 ? "change" : "changes"}.`;
}
