/**
 * The bar above a document's form: whether it is saved, and what can be done.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/collection.ts";
import type { DocumentState } from "../../../kv/model/document.ts";
import { Icon } from "../components/icon.tsx";
import { StatusBadge } from "../components/status.tsx";
import type { Visit } from "../studio_env.ts";
import { WhenCreated } from "./when_created.tsx";

interface DocumentBarProps {
  visit: Visit;
  state: DocumentState | null;
  readOnly: boolean;
  collection: Collection;
}

/** Stays in sight while one scrolls. */
export function DocumentBar({ visit, state, readOnly, collection }: DocumentBarProps) {
  const status = state?.status ?? "draft";
  const canPublish = visit.can("documents.publish") && status !== "trashed";
  return (
    <div class="editor-bar">
      <StatusBadge status={status} />
      <p class="save-state" data-save-state role="status">
        {state === null ? "Not saved yet" : readOnly ? "Read only" : "All changes saved"}
      </p>
      {!readOnly && <ul class="people" aria-label="Also here" data-people hidden></ul>}
      <div class="page-actions">
        {status !== "trashed" && <WhenCreated state={state}>{() => <PreviewToggle />}</WhenCreated>}
        {!readOnly && (
          <button type="submit" class={status === "published" ? "button primary" : "button"}>
            {status === "published" ? "Update" : "Save"}
          </button>
        )}
        {canPublish && !readOnly && status !== "published" && (
          <button type="button" class="button primary" data-publish>
            {status === "scheduled" ? "Change schedule …" : "Publish …"}
          </button>
        )}
        {status === "trashed" && visit.can("documents.write") && (
          <Act verb="untrash" state={state!} class="button primary" done="Restored as a draft">
            Restore
          </Act>
        )}
        {status !== "trashed" && (
          <WhenCreated state={state}>
            {(id) => (
              <More
                state={{ id, status, slug: state?.slug ?? "" }}
                canPublish={canPublish}
                visit={visit}
                collection={collection}
              />
            )}
          </WhenCreated>
        )}
      </div>
    </div>
  );
}

function PreviewToggle() {
  return (
    <button
      type="button"
      class="button quiet"
      data-preview-toggle
      aria-pressed="false"
      title="⌘\\"
    >
      <Icon name="eye" /> Preview
    </button>
  );
}

type Acted = Pick<DocumentState, "id" | "status" | "slug">;

function More(
  { state, canPublish, visit, collection }: {
    state: Acted;
    canPublish: boolean;
    visit: Visit;
    collection: Collection;
  },
) {
  return (
    <>
      <button
        type="button"
        class="icon-button"
        popovertarget="document-menu"
        aria-label="More actions"
      >
        <Icon name="more" />
      </button>
      <div id="document-menu" class="menu editor-menu" popover="auto">
        {state.status === "published" && (
          <a
            class="menu-entry"
            href={`/${collection.slug}/${state.slug}`}
            target="_blank"
            rel="noopener"
          >
            <Icon name="external" /> View on the site
          </a>
        )}
        {visit.can("versions.read") && (
          <a class="menu-entry" href={`/admin/versions/document/${state.id}`}>
            <Icon name="history" /> Versions
          </a>
        )}
        {canPublish && state.status === "published" && (
          <Act verb="unpublish" state={state} done="Unpublished">
            <Icon name="eye" /> Unpublish
          </Act>
        )}
        {canPublish && state.status !== "archived" && (
          <Act verb="archive" state={state} done="Archived">
            <Icon name="archive" /> Archive
          </Act>
        )}
        {state.status === "archived" && visit.can("documents.write") && (
          <Act verb="untrash" state={state} done="Back to draft">
            <Icon name="edit" /> Back to draft
          </Act>
        )}
        {visit.can("documents.write") && (
          <button
            type="button"
            class="menu-entry danger"
            data-action={`DELETE /api/admin/documents/${state.id}`}
            data-then={`/admin/content/${collection.slug}`}
            data-done="Moved to the trash"
            data-ask={state.status === "published"
              ? "It disappears from the public site at once. It can be restored from the trash."
              : undefined}
          >
            <Icon name="trash" /> Move to trash
          </button>
        )}
      </div>
    </>
  );
}

function Act(
  { verb, state, done, children, class: name = "menu-entry" }: {
    verb: string;
    state: Acted;
    done: string;
    // deno-lint-ignore no-explicit-any
    children: any;
    class?: string;
  },
) {
  return (
    <button
      type="button"
      class={name}
      data-action={`POST /api/admin/documents/${state.id}/${verb}`}
      data-then="reload"
      data-done={done}
    >
      {children}
    </button>
  );
}
