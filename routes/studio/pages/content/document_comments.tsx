/**
 * The comments panel of a document, filled by the browser code.
 *
 * @module
 */
import { ANCHOR_QUOTE_CHARS_MAX, COMMENT_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { EmbeddedJson } from "../../components/embedded_json.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import type { Names } from "./document_review.tsx";

/** The panel: threads, and a form for a new one. */
export function CommentsPanel({ id, visit, people }: { id: string; visit: Visit; people: Names }) {
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
