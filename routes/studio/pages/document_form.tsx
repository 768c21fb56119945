/**
 * The form of a document: its fields in the middle, what it is at the side, what can be done on top.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/collection.ts";
import type { DocumentState } from "../../../kv/model/document.ts";
import { hasWorkingCopy } from "../../../kv/model/working_copy.ts";
import type { Json } from "../../../kv/model/entity.ts";
import type { NestedField } from "../../../kv/model/field_definition.ts";
import { TITLE_CHARS_MAX } from "../../../kv/limits.ts";
import { EmbeddedJson } from "../components/embedded_json.tsx";
import { BlockTemplates } from "../controls/block_control.tsx";
import { Control } from "../controls/control.tsx";
import type { Surroundings } from "../controls/control_props.ts";
import type { Visit } from "../studio_env.ts";
import { DocumentBar } from "./document_bar.tsx";
import { WhenCreated } from "./when_created.tsx";
import { DocumentSide } from "./document_side.tsx";
import { PickerDialogs, PublishDialog } from "./document_dialogs.tsx";

/** What the form is given. */
export interface DocumentFormProps {
  visit: Visit;
  collection: Collection;
  values: Record<string, Json>;
  /** Null for a document that is not yet there. */
  state: DocumentState | null;
  version: number;
  /** Who made the newest version. */
  editor: string | null;
  surroundings: Surroundings;
}

const BLOCK_TREE: NestedField = {
  name: "blocks",
  label: "Page blocks",
  type: "block",
  required: false,
  help: "Sections of the page, in their order.",
  options: {},
};

/** The whole editor. */
export function DocumentForm(props: DocumentFormProps) {
  const { visit, collection, values, state, surroundings } = props;
  const { readOnly } = surroundings;
  const blocks = Array.isArray(values.blocks) ? values.blocks : [];
  return (
    <>
      <form class="editor" data-island="document-editor" data-row novalidate>
        <EmbeddedJson of={factsOf(props)} name="facts" />
        <DocumentBar visit={visit} state={state} readOnly={readOnly} collection={collection} />
        <div class="editor-columns">
          <div class="editor-main">
            <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
            {state?.status === "trashed" && (
              <p class="alert warn">
                This document is in the trash. Restore it to go on with it; it becomes a draft.
              </p>
            )}
            {state?.status === "scheduled" && readOnly && (
              <p class="alert info">
                This document is scheduled: changing it takes the right to publish.
              </p>
            )}
            <TitleControl
              title={String(values.title ?? "")}
              isNew={state === null}
              readOnly={readOnly}
            />

            {collection.fields.length === 0 && (
              <p class="alert info">
                This collection has no fields yet.{" "}
                {visit.can("collections.write") && (
                  <a href={`/admin/collections/${collection.slug}`}>Add some</a>
                )}
              </p>
            )}
            {collection.fields.map((field) => (
              <Control
                field={field}
                value={values[field.name] ?? null}
                id={`c-${field.name}`}
                surroundings={surroundings}
              />
            ))}
            {(surroundings.blocks.length > 0 || blocks.length > 0) && (
              <Control
                field={BLOCK_TREE}
                value={blocks}
                id="c-blocks"
                surroundings={surroundings}
                keepsEmpty
              />
            )}
          </div>
          <DocumentSide {...props} />
          <WhenCreated state={state}>{(id) => <PreviewPane id={id} />}</WhenCreated>
        </div>
      </form>
      <BlockTemplates surroundings={surroundings} />
      <PublishDialog state={state} timezone={visit.timezone} />
      <PickerDialogs visit={visit} />
    </>
  );
}

/** What the browser's code is told of the document. */
function factsOf(props: DocumentFormProps) {
  const { visit, collection, state, version, surroundings } = props;
  return {
    id: state?.id ?? null,
    collection: collection.slug,
    status: state?.status ?? "draft",
    hasWorkingCopy: props.state !== null && hasWorkingCopy(props.state),
    version,
    readOnly: surroundings.readOnly,
    canPublish: visit.can("documents.publish"),
    slugIsOpen: state === null || state.publishedAt === null,
    fields: collection.fields.map(({ name, label }) => [name, label]),
    jobId: visit.url.searchParams.get("job"),
    userId: visit.user.id,
  };
}

function TitleControl(
  { title, isNew, readOnly }: { title: string; isNew: boolean; readOnly: boolean },
) {
  return (
    <div class="control title-control" data-name="title" data-type="text">
      <label for="c-title" class="sr">Title</label>
      <textarea
        id="c-title"
        rows={1}
        maxlength={TITLE_CHARS_MAX}
        placeholder="Title"
        disabled={readOnly}
        data-one-line
        autofocus={isNew}
      >
        {title}
      </textarea>
    </div>
  );
}

/** The page as the public will see it; fetched when it is first asked for. */
function PreviewPane({ id }: { id: string }) {
  return (
    <section class="preview-pane" aria-label="Preview" data-preview hidden>
      <div class="spread">
        <fieldset class="segments" data-preview-width>
          <legend class="sr">Width of the preview</legend>
          {(["full", "tablet", "phone"] as const).map((width) => (
            <label>
              <input type="radio" name="preview-width" value={width} checked={width === "full"} />
              <span>{{ full: "Full", tablet: "Tablet", phone: "Phone" }[width]}</span>
            </label>
          ))}
        </fieldset>
        <span class="muted small">As it was saved last</span>
      </div>
      <iframe
        title="Preview"
        sandbox=""
        data-address={`/admin/documents/${id}/preview`}
        data-width="full"
      >
      </iframe>
    </section>
  );
}
