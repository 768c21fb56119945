/**
 * The bar above a document's form: save status and actions.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import type { DocumentState, Status } from "../../../../kv/model/entities/document.ts";
import type { ReleaseState } from "../../../../kv/model/entities/release.ts";
import { hasWorkingCopy } from "../../../../kv/model/entities/working_copy.ts";
import { StatusBadge } from "../../components/status.tsx";
import { mayCopy, uniqueNames } from "../../copying.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Menu, MenuButton, MenuLink } from "../../components/overlays/menu.tsx";
import { reviewTarget } from "./review_target.ts";
import { CommentsToggle } from "./document_comments.tsx";
import { AskForReview } from "./document_review.tsx";
import { PublishLanguagesButton } from "./translations/publish_languages.tsx";
import { AddToReleaseButton } from "../planning/add_to_release.tsx";
import { WhenCreated } from "../planning/when_created.tsx";

/** The label of the button that publishes; names the language if the document has several. */
export function publishLabel(status: Status, language?: string): string {
  if (status === "scheduled") return "Change schedule …";
  const verb = language === undefined ? "Publish" : `Publish ${language}`;
  return status === "published" ? `${verb} changes …` : `${verb} …`;
}

interface DocumentBarProps {
  /** Threads of comments that wait to be resolved. */
  openComments: number;
  visit: Visit;
  state: DocumentState | null;
  readOnly: boolean;
  collection: Collection;
  /** The name of the original's language, if the document can be translated. */
  language: string | undefined;
  /** Whether the document can be added to a release. */
  mayPlan: boolean;
  /** The open release that publishes the document. */
  release: ReleaseState | undefined;
}

/** Stays in sight while one scrolls. */
export function DocumentBar(
  { visit, state, readOnly, collection, language, openComments, mayPlan, release }:
    DocumentBarProps,
) {
  const status = state?.status ?? "draft";
  const canPublish = visit.can("documents.publish") && status !== "trashed";
  const hasChanges = state !== null && hasWorkingCopy(state, collection);
  return (
    <div class="editor-bar">
      <StatusBadge status={status} />
      {status === "published" && (
        <span class="badge scheduled" data-changes hidden={!hasChanges}>Unpublished changes</span>
      )}
      {state !== null && release !== undefined && <ReleaseChip release={release} id={state.id} />}
      <p class="save-state" data-save-state role="status">
        {state === null ? "Not saved yet" : readOnly ? "Read only" : "All changes saved"}
      </p>
      {!readOnly && <ul class="people" aria-label="Also editing" data-people hidden></ul>}
      <div class="page-actions">
        {status !== "trashed" && <WhenCreated state={state}>{() => <PreviewToggle />}</WhenCreated>}
        {state?.status !== "trashed" && (
          <WhenCreated state={state}>{() => <CommentsToggle open={openComments} />}</WhenCreated>
        )}
        {!readOnly && <Button type="submit">Save</Button>}
        {!readOnly && (
          <WhenCreated state={state}>
            {() => <AskForReview target={state && reviewTarget(state)} visit={visit} />}
          </WhenCreated>
        )}
        {canPublish && !readOnly && (
          <Button
            variant="primary"
            data-publish
            data-changes={status === "published" ? "" : undefined}
            hidden={status === "published" && !hasChanges}
          >
            {publishLabel(status, language)}
          </Button>
        )}
        {status === "trashed" && visit.documents.in("delete", collection.id) && (
          <Button variant="primary" {...actOf("untrash", state!)} data-done="Restored as a draft">
            Restore
          </Button>
        )}
        <IconButton
          icon="details"
          label="Collapse details"
          class="details-toggle"
          data-collapse="details"
          aria-pressed={String(visit.sidebar.detailsCollapsed)}
        />
        {status !== "trashed" && (
          <WhenCreated state={state}>
            {(id) => (
              <More
                state={{ id, status, slug: state?.slug ?? "", hasChanges }}
                canPublish={canPublish}
                visit={visit}
                collection={collection}
                language={language}
                mayPlan={mayPlan}
              />
            )}
          </WhenCreated>
        )}
      </div>
    </div>
  );
}

/** What becomes of the document with an open release. */
function ReleaseChip({ release: { id: releaseId, name, documents }, id }: {
  release: ReleaseState;
  id: string;
}) {
  const action = documents.find(({ documentId }) => documentId === id)?.action ?? "publish";
  return (
    <a class="badge release-chip" href={`/admin/releases/${releaseId}`}>
      {action === "publish" ? `Goes out with ${name}` : `Unpublished with ${name}`}
    </a>
  );
}

function PreviewToggle() {
  return (
    <Button
      variant="quiet"
      data-preview-toggle
      aria-pressed="false"
      title="Ctrl+\"
      data-command-title
      icon="eye"
    >
      <span class="bar-label">Preview</span>
    </Button>
  );
}

type Acted = Pick<DocumentState, "id" | "status" | "slug"> & { hasChanges?: boolean };

interface MoreProps {
  state: Acted;
  canPublish: boolean;
  visit: Visit;
  collection: Collection;
  language: string | undefined;
}

function More(
  { state, canPublish, visit, collection, language, mayPlan }: MoreProps & { mayPlan: boolean },
) {
  return (
    <>
      <IconButton
        icon="more"
        popovertarget="document-menu"
        label="More actions"
      />
      <Menu id="document-menu">
        {state.status === "published" && (
          <MenuLink
            icon="external"
            href={`/${collection.slug}/${state.slug}`}
            target="_blank"
            rel="noopener"
          >
            View on the site
          </MenuLink>
        )}
        {language !== undefined && canPublish && state.status !== "archived" && (
          <PublishLanguagesButton />
        )}
        {mayPlan && <AddToReleaseButton />}
        {visit.can("documents.write") && (
          <MenuButton icon="share" data-opens="share-preview">Share a preview …</MenuButton>
        )}
        {mayCopy(visit, collection) && (
          <MenuButton
            icon="copy"
            data-duplicate={state.id}
            data-unique={uniqueNames(collection).join(",")}
          >
            Duplicate
          </MenuButton>
        )}
        {visit.can("versions.read") && (
          <MenuLink icon="history" href={`/admin/versions/document/${state.id}`}>History</MenuLink>
        )}
        <StatusActions
          state={state}
          canPublish={canPublish}
          visit={visit}
          collection={collection}
          language={language}
        />
        {visit.documents.in("delete", collection.id) && (
          <MenuButton
            icon="trash"
            danger
            data-action={`DELETE /api/admin/documents/${state.id}`}
            data-then={`/admin/content/${collection.slug}`}
            data-done="Moved to the trash"
            data-uses={`/admin/documents/${state.id}/uses`}
            data-ask={state.status === "published"
              ? "It is removed from the public site immediately. You can restore it from the trash."
              : undefined}
          >
            Move to trash
          </MenuButton>
        )}
      </Menu>
    </>
  );
}

/** The changes of status that take a document off the site, or back to work. */
function StatusActions(
  { state, canPublish, visit, collection, language }: MoreProps,
) {
  return (
    <>
      {state.status === "published" && visit.can("documents.write") && (
        <MenuButton
          icon="trash"
          data-changes
          hidden={!state.hasChanges}
          data-action={`DELETE /api/admin/documents/${state.id}/working-copy`}
          data-then="reload"
          data-done="Changes discarded"
          data-ask="Discard the unpublished changes? They stay in the history."
        >
          Discard changes
        </MenuButton>
      )}
      {canPublish && state.status === "published" && (
        <MenuButton
          icon="eye"
          {...actOf("unpublish", state)}
          data-done="Unpublished"
          data-ask="Its page is removed from the public site immediately, and the document becomes a draft."
        >
          {language === undefined ? "Unpublish" : `Unpublish ${language}`}
        </MenuButton>
      )}
      {canPublish && state.status !== "archived" && (
        <MenuButton
          icon="archive"
          {...actOf("archive", state)}
          data-done="Archived"
          data-ask={state.status === "published"
            ? "Its page is removed from the public site immediately."
            : undefined}
        >
          Archive
        </MenuButton>
      )}
      {state.status === "archived" && visit.documents.in("delete", collection.id) && (
        <MenuButton icon="edit" {...actOf("untrash", state)} data-done="Back to draft">
          Back to draft
        </MenuButton>
      )}
    </>
  );
}

/** The attributes of a button that changes the status through the API. */
function actOf(verb: string, { id }: Pick<Acted, "id">) {
  return {
    "data-action": `POST /api/admin/documents/${id}/${verb}`,
    "data-then": "reload",
  };
}
