/**
 * The form of a translation beside its original: each localized field on one row, and the shared fields below.
 *
 * @module
 */
import { SegmentedChoice } from "../../../components/navigation/segmented_choice.tsx";
import { type Collection, isLocalized } from "../../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../../kv/model/entities/document.ts";
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { fieldType } from "../../../../../kv/model/fields/types/registry.ts";
import { directionOf } from "../../../../../kv/model/languages/language.ts";
import type { Translation } from "../../../../../kv/model/languages/translation.ts";
import { EmbeddedJson } from "../../../components/embedded_json.tsx";
import { BlockTemplates } from "../../../controls/block_control.tsx";
import { Control } from "../../../controls/control.tsx";
import type { ControlContext, TextLanguage } from "../../../controls/control_props.ts";
import { describeValue } from "../../../history/value_text.ts";
import type { Visit } from "../../../serving/studio_env.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { type NextReview, ReviewNote } from "../document_review.tsx";
import type { Names } from "../../../wording/user_names.ts";
import { changesHref, type ReviewTarget } from "../review_target.ts";
import type { Reviewer } from "../reviewers.tsx";
import { CommentsPanel } from "../document_comments.tsx";
import { PickerDialogs, PublishDialog } from "../document_dialogs.tsx";
import { SearchPanel } from "../search_panel.tsx";
import { TranslationBar } from "./translation_bar.tsx";
import { LanguageNav } from "./language_nav.tsx";
import { type NoteContext, TranslationNote } from "./translation_note.tsx";
import type { TranslatedField } from "./translation_view.ts";

/** The props of the form. */
export interface TranslationFormProps {
  visit: Visit;
  collection: Collection;
  state: DocumentState;
  translation: Translation;
  fields: TranslatedField[];
  /** The values of the document, for the shared fields. */
  values: Record<string, Json>;
  controlContext: ControlContext;
  note: NoteContext;
  release: { name: string } | undefined;
  review: TranslationReview;
  /** The names of users. */
  people: Names;
  /** Threads of comments that wait to be resolved. */
  openComments: number;
}

/** The review of a translation. */
export interface TranslationReview {
  target: ReviewTarget;
  /** Users who can be asked for a review. */
  reviewers: readonly Reviewer[];
  next: NextReview | null;
}

/** The form with its dialogs. */
export function TranslationForm(props: TranslationFormProps) {
  const { visit, collection, state, translation, controlContext, note, release } = props;
  const language = note.nameOf(note.code);
  return (
    <>
      <form class="editor translation" data-island="document-editor" data-row novalidate>
        <EmbeddedJson of={factsOf(props)} name="facts" />
        <TranslationBar {...props} language={language} />
        <LanguageNav
          state={state}
          collection={collection}
          schema={visit.schema}
          current={note.code}
        />
        <TranslationReviewNote {...props} />
        <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
        <SideSwitch original={note.original.name} language={language} />
        <div class="translation-heads" aria-hidden="true">
          <p>{note.original.name}</p>
          <p>{language}</p>
        </div>
        <h2 class="sr">Fields</h2>
        {props.fields.map((translated) => <FieldRow translated={translated} {...props} />)}
        <SharedFields {...props} />
        <SearchPanel visit={visit} collection={collection} state={state} language={note.code} />
      </form>
      <BlockTemplates controlContext={controlContext} />
      <PublishDialog
        state={translation}
        timezone={visit.timezone}
        release={release}
        language={language}
        mayPlan={false}
      />
      <PickerDialogs visit={visit} />
      <CommentsPanel
        id={state.id}
        translation={note.code}
        {...{ visit, people: props.people, state, collection }}
      />
    </>
  );
}

function TranslationReviewNote(
  { review: { target, next }, people, visit, state, note }: TranslationFormProps,
) {
  return (
    <ReviewNote target={target} people={people} visit={visit} next={next}>
      <ButtonLink size="small" href={changesHref(state.id, note.code)}>View changes</ButtonLink>
    </ReviewNote>
  );
}

/** On narrow screens, one language is shown at a time. */
function SideSwitch({ original, language }: { original: string; language: string }) {
  return (
    <SegmentedChoice
      class="side-switch"
      legend="Shown language"
      name="side"
      choices={[["original", original], ["translation", language]]}
      chosen="translation"
    />
  );
}

/** The language of texts, for spelling and direction. */
export function textLanguage(code: string): TextLanguage {
  return { lang: code, dir: directionOf(code) };
}

/** The context of a field's control; a URL follows its own letters. */
function contextFor(
  { text, ...context }: ControlContext,
  name: string,
): ControlContext {
  return name === "slug" || text === undefined ? context : { ...context, text };
}

function FieldRow(
  { translated, ...props }: TranslationFormProps & { translated: TranslatedField },
) {
  const { field, original, own, fallback } = translated;
  const { note, controlContext } = props;
  const text = fallback === undefined ? null : describeValue(fallback.value, field, note);
  const readOnly = { ...field, help: "", required: false };
  return (
    <div class="translation-row" data-field={field.name}>
      <div class="translation-side original" data-row>
        <Control
          field={readOnly}
          value={original}
          id={`o-${field.name}`}
          controlContext={{
            ...controlContext,
            readOnly: true,
            text: textLanguage(note.original.code),
          }}
        />
      </div>
      <div class="translation-side">
        <Control
          field={field}
          value={own}
          id={`c-${field.name}`}
          controlContext={contextFor(controlContext, field.name)}
          placeholder={text === null || !text.isWords ? undefined : text.text}
          keepsEmpty={fieldType(field.type).holds === "blocks" && own !== null}
        />
        <TranslationNote translated={translated} context={note} />
      </div>
    </div>
  );
}

/** The fields that all languages share, which are changed in the original. */
function SharedFields({ collection, values, state, controlContext, note }: TranslationFormProps) {
  const shared = collection.fields.filter((field) => !isLocalized(collection, field));
  if (shared.length === 0) return null;
  return (
    <details class="card translation-shared" data-row>
      <summary>Shared by all languages</summary>
      <p class="muted">
        These fields are not translated.{" "}
        <a href={`/admin/documents/${state.id}`}>{`Edit them in ${note.original.name}`}</a>
      </p>
      {shared.map((field) => (
        <Control
          field={{ ...field, help: "" }}
          value={values[field.name] ?? null}
          id={`s-${field.name}`}
          controlContext={{ ...controlContext, readOnly: true }}
        />
      ))}
    </details>
  );
}

/** The facts for the browser code. */
function factsOf(
  { visit, collection, state, translation, fields, controlContext, note }: TranslationFormProps,
) {
  return {
    id: state.id,
    language: note.code,
    collection: collection.slug,
    status: translation.status,
    hasWorkingCopy: translation.workingCopy !== undefined,
    version: 0,
    readOnly: controlContext.readOnly,
    canPublish: visit.can("documents.publish"),
    slugIsOpen: translation.publishedAt === null,
    fields: fields.map(({ field: { name, label } }) => [name, label]),
    jobId: visit.url.searchParams.get("job"),
    userId: visit.user.id,
  };
}
