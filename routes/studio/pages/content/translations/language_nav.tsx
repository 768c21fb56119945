/**
 * The languages of a document, each with its state: links between the forms of the original and of its
 * translations.
 *
 * @module
 */
import type { Collection, Schema } from "../../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../../kv/model/entities/document.ts";
import { originalOf } from "../../../../../kv/model/languages/translation.ts";
import { documentPath } from "../../../document_path.ts";
import { languageLabel } from "../../../wording/language_names.ts";
import { counted } from "../../../wording/words.ts";
import { STATUS_LABELS } from "../../../components/status.tsx";
import { type LanguageRow, languageRows } from "./language_rows.ts";

interface LanguageNavProps {
  state: DocumentState;
  collection: Collection;
  schema: Schema;
  /** The language of the form. */
  current: string;
}

/** The links; nothing for a document without languages. */
export function LanguageNav({ state, collection, schema, current }: LanguageNavProps) {
  const rows = languageRows(state, collection);
  if (rows.length < 2) return null;
  const original = originalOf(state, collection);
  return (
    <nav class="languages" aria-label="Languages" id="languages" data-translation-note>
      {rows.map((row) => {
        const isOriginal = row.language === original;
        return (
          <a
            href={`/admin${documentPath(state.id, isOriginal ? undefined : row.language)}`}
            aria-current={row.language === current ? "page" : undefined}
          >
            <LanguageMark row={row} />
            {languageLabel(row.language, schema)}
            <span class="muted small">{isOriginal ? "Original" : standingText(row)}</span>
          </a>
        );
      })}
    </nav>
  );
}

/** The languages of a document in a list, each a link to its form. */
export function LanguageMarks(
  { id, rows, schema }: { id: string; rows: LanguageRow[]; schema: Schema },
) {
  return (
    <span class="language-marks">
      {rows.map((row, index) => (
        <a
          href={`/admin${documentPath(id, index === 0 ? undefined : row.language)}`}
          title={`${languageLabel(row.language, schema)}: ${
            index === 0 ? "Original" : standingText(row)
          }`}
        >
          <LanguageMark row={row} />
          {row.language}
        </a>
      ))}
    </span>
  );
}

/** A dot that shows the status of a language: filled if published, half filled if outdated, else a ring. */
function LanguageMark({ row: { status, state } }: { row: LanguageRow }) {
  const mark = state === "outdated" ? state : status ?? "missing";
  return (
    <span class={`language-mark ${mark}`}>
      <span class="sr">{status === null ? "Not translated" : STATUS_LABELS[status]}</span>
    </span>
  );
}

/** How a translation stands, in words. */
function standingText({ state, missing, outdated }: LanguageRow): string {
  if (state === "missing") return "Not translated";
  if (outdated !== null && outdated.length > 0) return counted(outdated.length, "outdated field");
  if (missing !== null && missing.length > 0) return counted(missing.length, "untranslated field");
  return "Up to date";
}
