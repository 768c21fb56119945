/**
 * The bar above the form of a translation: save status, and actions that name the language.
 *
 * @module
 */
import { isOff } from "../../../../../kv/model/languages/translation.ts";
import { pageLanguagesOf } from "../../../../../kv/model/languages/language.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Menu, MenuButton, MenuLink } from "../../../components/overlays/menu.tsx";
import { StatusBadge } from "../../../components/status.tsx";
import { documentPath } from "../../../document_path.ts";
import { AskForReview } from "../document_review.tsx";
import { publishLabel } from "../document_bar.tsx";
import { CommentsToggle } from "../document_comments.tsx";
import { AddToReleaseButton } from "../../planning/add_to_release.tsx";
import { PublishLanguagesButton } from "./publish_languages.tsx";
import type { TranslationFormProps } from "./translation_form.tsx";

type BarProps = TranslationFormProps & { language: string };

/** The bar. */
export function TranslationBar(props: BarProps) {
  const { visit, state, translation: { status, workingCopy }, controlContext, language } = props;
  const { review } = props;
  const { readOnly } = controlContext;
  const hasChanges = workingCopy !== undefined;
  const isPublished = status === "published";
  return (
    <div class="editor-bar">
      <StatusBadge status={isOff(state) ? state.status : status} />
      {isPublished && (
        <span class="badge scheduled" data-changes hidden={!hasChanges}>Unpublished changes</span>
      )}
      <p class="save-state" data-save-state role="status">
        {readOnly ? "Read only" : "All changes saved"}
      </p>
      <div class="page-actions">
        <CommentsToggle open={props.openComments} />
        {!readOnly && <Button type="submit">Save</Button>}
        {!readOnly && <AskForReview target={review.target} visit={visit} />}
        {!readOnly && visit.can("documents.publish") && !isOff(state) && (
          <Button
            variant="primary"
            data-publish
            data-changes={isPublished ? "" : undefined}
            hidden={isPublished && !hasChanges}
          >
            {publishLabel(status, language)}
          </Button>
        )}
        <More {...props} />
      </div>
    </div>
  );
}

function More(props: BarProps) {
  const { visit, state, translation, collection, note } = props;
  const isPublished = translation.status === "published";
  const mayPublish = visit.can("documents.publish") && !isOff(state);
  const page = pageLanguagesOf(visit.schema.languages).find(({ code }) => code === note.code);
  return (
    <>
      <IconButton icon="more" popovertarget="document-menu" label="More actions" />
      <Menu id="document-menu">
        <MenuLink
          icon="eye"
          href={`/admin/documents/${state.id}/preview?language=${note.code}`}
          target="_blank"
          rel="noopener"
        >
          Preview
        </MenuLink>
        {isPublished && page !== undefined && (
          <MenuLink
            icon="external"
            href={`${page.prefix}/${collection.slug}/${translation.slug}`}
            target="_blank"
            rel="noopener"
          >
            View on the site
          </MenuLink>
        )}
        {mayPublish && <PublishLanguagesButton />}
        {!note.readOnly && <AddToReleaseButton />}
        {visit.can("versions.read") && (
          <MenuLink icon="history" href={`/admin/versions/document/${state.id}`}>History</MenuLink>
        )}
        <StatusActions {...props} />
      </Menu>
    </>
  );
}

/** Unpublishing, the choice of the original, and the removal. */
function StatusActions({ visit, state, translation, language, note }: BarProps) {
  const path = `/api/admin${documentPath(state.id, note.code)}`;
  const isPublished = translation.status === "published";
  const mayPublish = visit.can("documents.publish") && !isOff(state);
  return (
    <>
      {isPublished && !note.readOnly && (
        <MenuButton
          icon="trash"
          data-changes
          hidden={translation.workingCopy === undefined}
          data-action={`DELETE ${path}/working-copy`}
          data-then="reload"
          data-done="Changes discarded"
          data-ask="Discard the unpublished changes? They stay in the history."
        >
          Discard changes
        </MenuButton>
      )}
      {isPublished && mayPublish && (
        <MenuButton
          icon="eye"
          data-action={`POST ${path}/unpublish`}
          data-then="reload"
          data-done={`${language} unpublished`}
          data-ask={`The ${language} page is removed from the public site immediately. Other languages stay published.`}
        >
          {`Unpublish ${language}`}
        </MenuButton>
      )}
      {mayPublish && (
        <MenuButton
          icon="flag"
          data-action={`POST /api/admin/documents/${state.id}/original`}
          data-body={JSON.stringify({ language: note.code })}
          data-then={`/admin/documents/${state.id}`}
          data-done={`${language} is the original now`}
          data-ask={`${language} becomes the original, and ${note.original.name} a translation of it.`}
        >
          {`Make ${language} the original`}
        </MenuButton>
      )}
      {!note.readOnly && (
        <MenuButton
          icon="trash"
          danger
          data-action={`DELETE ${path}`}
          data-then={`/admin/documents/${state.id}`}
          data-done={`${language} translation removed`}
          data-ask={`The ${language} translation is removed${
            isPublished ? ", and its page from the public site" : ""
          }. You can restore it from the history.`}
        >
          {`Remove ${language} translation`}
        </MenuButton>
      )}
    </>
  );
}
