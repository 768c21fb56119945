/**
 * The form of a document: fields in the middle, facts in the sidebar, actions in the bar.
 *
 * @module
 */
import { SegmentedChoice } from "../../components/navigation/segmented_choice.tsx";
import { codesOf, type Collection } from "../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { hasWorkingCopy } from "../../../../kv/model/entities/working_copy.ts";
import { originalOf } from "../../../../kv/model/languages/translation.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { TITLE_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { PREVIEW_SANDBOX } from "../../../answers/preview_headers.ts";
import { EmbeddedJson } from "../../components/embedded_json.tsx";
import { BlockTemplates } from "../../controls/block_control.tsx";
import { Control } from "../../controls/control.tsx";
import type { ControlContext } from "../../controls/control_props.ts";
import { type Visit, visitOf } from "../../serving/studio_env.ts";
import { DocumentBar } from "./document_bar.tsx";
import { CommentsPanel } from "./document_comments.tsx";
import { documentPath } from "../../document_path.ts";
import { reviewTarget } from "./review_target.ts";
import type { Reviewer } from "./reviewers.tsx";
import { ReviewDialogs, ReviewNote } from "./document_review.tsx";
import type { Names } from "../../wording/user_names.ts";
import type { OpenReleases } from "../../../../kv/versioning/open_releases.ts";
import { AddToRelease } from "../planning/add_to_release.tsx";
import { releaseWith } from "../planning/release_languages.tsx";
import { SharePreview } from "../planning/share_preview.tsx";
import { ButtonLink } from "../../components/button.tsx";
import { Time } from "../../components/time.tsx";
import { LanguageNav } from "./translations/language_nav.tsx";
import { PublishLanguages } from "./translations/publish_languages.tsx";
import { languageLabel } from "../../wording/language_names.ts";
import { WhenCreated } from "../planning/when_created.tsx";
import { DocumentSide } from "./document_side.tsx";
import { MiddleFields } from "./placed_fields.tsx";
import { PickerDialogs, PublishDialog } from "./document_dialogs.tsx";

/** The props of the form. */
export interface DocumentFormProps {
  visit: Visit;
  collection: Collection;
  values: Record<string, Json>;
  /** Null for a document that is not yet there. */
  state: DocumentState | null;
  version: number;
  /** The author of the newest version. */
  editor: string | null;
  controlContext: ControlContext;
  /** The names of users. */
  people: Names;
  /** Users who can be asked for a review. */
  reviewers: readonly Reviewer[];
  /** Threads of comments that wait to be resolved. */
  openComments: number;
  /** The open releases; absent for a document that is not yet there. */
  releases?: OpenReleases;
  /** The origin of the front end that shows previews; null for the site itself. */
  frontEnd: string | null;
}

const BLOCK_TREE: NestedField = {
  name: "blocks",
  label: "Page blocks",
  type: "block",
  required: false,
  help: "Sections of the page, in order.",
  options: {},
};

/** The whole editor. */
export function DocumentForm(props: DocumentFormProps) {
  const { visit, collection, values, state, controlContext } = props;
  const { readOnly } = controlContext;
  const blocks = Array.isArray(values.blocks) ? values.blocks : [];
  const language = languageOf(props);
  const release = releaseOf(props);
  return (
    <>
      <form class="editor" data-island="document-editor" data-row novalidate>
        <EmbeddedJson of={factsOf(props)} name="facts" />
        <DocumentBar
          visit={visit}
          state={state}
          readOnly={readOnly}
          collection={collection}
          openComments={props.openComments}
          language={language}
          mayPlan={mayPlan(props)}
          release={release}
        />
        <OriginalNav {...props} />
        <div class="editor-columns">
          <div class="editor-main">
            <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
            <Notes {...props} />
            <TitleControl
              title={String(values.title ?? "")}
              isFirst={state === null && !collection.singleton}
              readOnly={readOnly}
            />

            {collection.fields.length === 0 && (
              <p class="alert info">
                This collection has no fields yet.{" "}
                {visit.can("collections.write") && (
                  <a href={`/admin/collections/${collection.slug}`}>Add fields</a>
                )}
              </p>
            )}
            <MiddleFields {...props}>
              {(controlContext.blocks.length > 0 || blocks.length > 0) && (
                <Control
                  field={BLOCK_TREE}
                  value={blocks}
                  id="c-blocks"
                  controlContext={controlContext}
                  keepsEmpty
                />
              )}
            </MiddleFields>
          </div>
          <DocumentSide {...props} release={release} />
          <WhenCreated state={state}>
            {(id) => <PreviewPane id={id} frontEnd={props.frontEnd} />}
          </WhenCreated>
        </div>
      </form>
      <BlockTemplates controlContext={controlContext} />
      <Dialogs {...props} release={release} language={language} />
      <PickerDialogs visit={visit} />
      <WhenCreated state={state}>{(id) => <Beside {...props} id={id} />}</WhenCreated>
    </>
  );
}

/** What is chosen before the document is published, or planned. */
function Dialogs(
  props: DocumentFormProps & {
    release: ReturnType<typeof releaseOf>;
    language: string | undefined;
  },
) {
  const { visit, collection, state, releases, release, language } = props;
  return (
    <>
      <PublishDialog
        state={state}
        timezone={visit.timezone}
        release={release}
        language={language}
        mayPlan={releases !== undefined && mayPlan(props)}
      />
      {state !== null && releases !== undefined && mayPlan(props) && (
        <AddToRelease
          {...{ state, collection, visit, releases }}
          code={originalOf(state, collection)}
        />
      )}
      {state !== null && language !== undefined && (
        <PublishLanguages state={state} collection={collection} schema={visit.schema} />
      )}
    </>
  );
}

/** Whether the document can be added to a release. */
function mayPlan({ state, visit }: DocumentFormProps): boolean {
  return state !== null && state.status !== "trashed" && visit.can("documents.write");
}

/** The open release that the original of the document is in. */
function releaseOf({ state, collection, releases }: DocumentFormProps) {
  return state === null || releases === undefined
    ? undefined
    : releaseWith(releases, state, collection, originalOf(state, collection));
}

/** The name of the original's language, if the document can be translated. */
function languageOf({ state, collection, visit: { schema } }: DocumentFormProps) {
  if (codesOf(collection).length === 0) return undefined;
  const code = state === null ? schema.languages?.original : originalOf(state, collection);
  return code && languageLabel(code, schema);
}

/** The links to the translations. */
function OriginalNav({ state, collection, visit: { schema } }: DocumentFormProps) {
  const original = state && originalOf(state, collection);
  if (!original) return null;
  return <LanguageNav state={state} collection={collection} schema={schema} current={original} />;
}

/** The preview next to the form. */
function Beside(
  { id, visit, people, reviewers, state, collection }: DocumentFormProps & { id: string },
) {
  const mayWrite = visit.can("documents.write");
  return (
    <>
      {mayWrite && <SharePreview id={id} />}
      {mayWrite && <ReviewDialogs path={documentPath(id)} visit={visit} reviewers={reviewers} />}
      {/* Users who may write in another language only take part in the discussion. */}
      <CommentsPanel
        {...{ id, people, state, collection }}
        visit={state === null ? visit : visitOf(visit, state)}
      />
    </>
  );
}

/** Notices above the form. */
function Notes(
  { state, collection, controlContext: { readOnly }, people, visit }: DocumentFormProps,
) {
  return (
    <>
      {state?.status === "trashed" && (
        <p class="alert warn">
          This document is in the trash. Restore it to keep working on it; it becomes a draft.
        </p>
      )}
      {state?.status === "scheduled" && readOnly && (
        <p class="alert info">
          This document is scheduled. You need permission to publish to change it.
        </p>
      )}
      <ReviewNote target={state && reviewTarget(state)} people={people} visit={visit}>
        {state !== null && (
          <ButtonLink size="small" href={`/admin/documents/${state.id}/changes`}>
            View changes
          </ButtonLink>
        )}
      </ReviewNote>
      {state?.status === "published" && (
        <UnpublishedNotice state={state} collection={collection} visit={visit} />
      )}
    </>
  );
}

/** The notice about unpublished changes. */
function UnpublishedNotice(
  { state, collection, visit }: { state: DocumentState; collection: Collection; visit: Visit },
) {
  return (
    <p class="alert info" data-changes hidden={!hasWorkingCopy(state, collection)}>
      You have unpublished changes. Readers see the version from{" "}
      <Time at={state.publishedAt ?? state.updatedAt} clock={visit} />.{" "}
      <a href={`/admin/documents/${state.id}/changes`}>Compare</a>
    </p>
  );
}

/** The document facts for the browser code. */
function factsOf(props: DocumentFormProps) {
  const { visit, collection, state, version, controlContext } = props;
  return {
    id: state?.id ?? null,
    collection: collection.slug,
    status: state?.status ?? "draft",
    hasWorkingCopy: props.state !== null && hasWorkingCopy(props.state, collection),
    version,
    readOnly: controlContext.readOnly,
    canPublish: visit.can("documents.publish"),
    slugIsOpen: state === null || state.publishedAt === null,
    fields: collection.fields.map(({ name, label }) => [name, label]),
    jobId: visit.url.searchParams.get("job"),
    userId: visit.user.id,
  };
}

function TitleControl(
  { title, isFirst, readOnly }: {
    title: string;
    /** Whether writing begins with it. */
    isFirst: boolean;
    readOnly: boolean;
  },
) {
  return (
    <div class="control title-control" data-name="title" data-type="text">
      <label for="c-title" class="sr">Title</label>
      <textarea
        id="c-title"
        dir="auto"
        rows={1}
        maxlength={TITLE_CHARS_MAX}
        placeholder="Title"
        disabled={readOnly}
        data-one-line
        autofocus={isFirst}
      >
        {title}
      </textarea>
    </div>
  );
}

/** The page as the public will see it; fetched when it is first asked for. */
function PreviewPane({ id, frontEnd }: { id: string; frontEnd: string | null }) {
  return (
    <section class="preview-pane" aria-label="Preview" data-preview hidden>
      <SegmentedChoice
        legend="Preview width"
        name="preview-width"
        choices={[["full", "Full"], ["tablet", "Tablet"], ["phone", "Phone"]]}
        chosen="full"
        data-preview-width
      />
      <iframe
        title="Preview"
        data-sandbox={frontEnd === null ? PREVIEW_SANDBOX : FRONT_END_SANDBOX}
        sandbox={frontEnd === null ? QUIET_SANDBOX : undefined}
        data-id={id}
        data-front-end={frontEnd ?? undefined}
        data-address={`/admin/documents/${id}/preview`}
        data-width="full"
      >
      </iframe>
    </section>
  );
}

/**
 * A page without players. Browsers warn of a frame that may run scripts in the origin of the page around it, also
 * while it is empty, so the rest of `data-sandbox` is set when the frame shows a page that needs it.
 */
const QUIET_SANDBOX = "allow-same-origin";
/** A front end runs its own code, under its own origin; it opens nothing over the studio. */
const FRONT_END_SANDBOX = "allow-scripts allow-same-origin allow-forms";
