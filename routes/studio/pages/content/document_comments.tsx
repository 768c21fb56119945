/**
 * The comments panel of a document, filled by the browser code.
 *
 * @module
 */
import { ANCHOR_QUOTE_CHARS_MAX, COMMENT_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { EmbeddedJson } from "../../components/embedded_json.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { codesOf, type Collection, languagesOf } from "../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { originalOf } from "../../../../kv/model/languages/translation.ts";
import { languageLabel } from "../../wording/language_names.ts";
import type { Names } from "../../wording/user_names.ts";

interface CommentsPanelProps {
  id: string;
  visit: Visit;
  people: Names;
  /** Null for a document that is not yet there. */
  state: DocumentState | null;
  collection: Collection;
  /** The language of a translation that the page shows; absent for the original. */
  translation?: string;
}

/** The button that opens the panel, with the number of open threads. */
export function CommentsToggle({ open }: { open: number }) {
  return (
    <Button variant="quiet" data-comments-toggle aria-expanded="false" icon="comment">
      <span class="sr">Comments</span>
      <span data-comment-count>{open}</span>
    </Button>
  );
}

/** The panel: threads, and a form for a new one. */
export function CommentsPanel(
  { id, visit, people, state, collection, translation }: CommentsPanelProps,
) {
  const original = state === null
    ? languagesOf(collection)?.original
    : originalOf(state, collection);
  const canWrite = visit.can("documents.write");
  return (
    <section
      class="comments-panel"
      aria-labelledby="comments-title"
      data-comments
      data-id={id}
      hidden
    >
      <EmbeddedJson
        name="commentators"
        of={{
          me: visit.user.id,
          canWrite,
          canPublish: visit.can("documents.publish"),
          people: [...people],
          language: translation ?? original ?? null,
          isTranslation: translation !== undefined,
          original: original ?? null,
          languages: codesOf(collection).map((code) => [code, languageLabel(code, visit.schema)]),
          charsMax: COMMENT_CHARS_MAX,
          quoteCharsMax: ANCHOR_QUOTE_CHARS_MAX,
          timezone: visit.timezone,
        }}
      />
      <div class="dialog-head">
        <h2 id="comments-title" tabindex={-1}>Comments</h2>
        <IconButton icon="close" label="Close comments" data-comments-close />
      </div>
      <label class="check">
        <input type="checkbox" data-show-resolved />
        <span>Show resolved</span>
      </label>
      <div class="comment-threads" data-threads aria-live="polite"></div>
      {canWrite && (
        <form class="comment-form" data-new-comment>
          <label for="new-comment" data-about>New comment on the document</label>
          <blockquote class="comment-quote" dir="auto" data-quote hidden></blockquote>
          <textarea id="new-comment" dir="auto" rows={3} maxlength={COMMENT_CHARS_MAX}></textarea>
          <div class="row">
            <select aria-label="Mention a user" data-mention>
              <option value="">Mention …</option>
              {[...people].map(([personId, name]) => <option value={personId}>{name}</option>)}
            </select>
            <Button type="submit" variant="primary" size="small">Comment</Button>
          </div>
        </form>
      )}
    </section>
  );
}
