/**
 * The note below a field of a translation: whether it is translated, what readers see instead, what has changed in
 * the original, and the actions.
 *
 * @module
 */
import { fieldType } from "../../../../../kv/model/fields/types/registry.ts";
import { Button } from "../../../components/button.tsx";
import { FieldDiff } from "../../../components/comparison/field_diff.tsx";
import { documentPath } from "../../../document_path.ts";
import { describeValue, type ValueContext } from "../../../history/value_text.ts";
import type { FieldStanding, TranslatedField } from "./translation_view.ts";

/** The translation whose fields have notes. */
export interface NoteContext extends ValueContext {
  id: string;
  code: string;
  /** The name of the original's language. */
  original: { code: string; name: string };
  nameOf: (code: string) => string;
  readOnly: boolean;
}

/** Characters of a value that readers see instead. */
const FALLBACK_CHARS = 240;

const STANDING_BADGES: Readonly<Record<NonNullable<FieldStanding>, [look: string, text: string]>> =
  {
    own: ["good", "Translated"],
    outdated: ["warn", "Outdated"],
    fallback: ["", "Falls back"],
    missing: ["warn", "Not translated"],
  };

interface NoteProps {
  translated: TranslatedField;
  context: NoteContext;
}

/** The note. */
export function TranslationNote({ translated, context }: NoteProps) {
  const { field, standing, original } = translated;
  const isSlug = field.name === "slug";
  return (
    <div class="translation-note" id={`note-${field.name}`} data-translation-note>
      {!isSlug && (
        <div class="row">
          {standing !== null && <Badge standing={standing} />}
          {!context.readOnly && original !== null && (
            <Actions translated={translated} context={context} />
          )}
        </div>
      )}
      {standing === "fallback" && <Fallback translated={translated} context={context} />}
      {standing === "outdated" && <Change translated={translated} context={context} />}
    </div>
  );
}

function Actions({ translated: { field, standing, own }, context }: NoteProps) {
  const { id, code, original, nameOf } = context;
  const path = `/api/admin${documentPath(id, code)}`;
  return (
    <>
      {standing === "outdated" && (
        <Button
          size="small"
          icon="check"
          data-action={`POST ${path}/accept`}
          data-body={JSON.stringify({ fields: [field.name] })}
          data-then="reload"
          data-done="Marked as up to date"
        >
          Mark as up to date
          <span class="sr">{`: ${field.label}`}</span>
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        icon="copy"
        data-action={`POST ${path}/copy`}
        data-body={JSON.stringify({ from: original.code, fields: [field.name] })}
        data-then="reload"
        data-ask={own === null
          ? undefined
          : `The ${nameOf(code)} value is replaced. It stays in the history.`}
        data-verb="Replace"
      >
        {`Copy from ${original.name}`}
        <span class="sr">{`: ${field.label}`}</span>
      </Button>
    </>
  );
}

function Badge({ standing }: { standing: NonNullable<FieldStanding> }) {
  const [look, text] = STANDING_BADGES[standing];
  return <span class={`badge ${look}`}>{text}</span>;
}

function Fallback({ translated: { field, fallback }, context }: NoteProps) {
  if (fallback === undefined) return null;
  const name = context.nameOf(fallback.language);
  const { text, isWords } = describeValue(fallback.value, field, context);
  // The control itself shows what is typed as its placeholder.
  const isTyped = typeof fallback.value === "string" && field.options.choices === undefined &&
    fieldType(field.type).referenceTo === null;
  if (isWords && isTyped) return <p class="muted small">{`Readers see the ${name} text.`}</p>;
  const shown = text.length > FALLBACK_CHARS ? `${text.slice(0, FALLBACK_CHARS)} …` : text;
  return (
    <p class="muted small">
      {`Readers see ${name}: `}
      <q lang={fallback.language} dir="auto">{shown}</q>
    </p>
  );
}

function Change({ translated: { change }, context: { original } }: NoteProps) {
  if (!change) {
    return (
      <p class="muted small">
        {`The ${original.name} text has changed since. Its earlier version is no longer stored.`}
      </p>
    );
  }
  return <FieldDiff {...change} label={`Changed in ${original.name}`} />;
}
