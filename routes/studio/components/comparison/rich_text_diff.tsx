/**
 * Two rich texts compared, as the editor draws them: changes word by word, and side by side on wide screens.
 * Unchanged passages are folded.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { foldUnchanged } from "../../history/unchanged_passages.ts";
import type { BlockForm } from "../../history/block_form.ts";
import type { BlockDiff, FormattedRun } from "../../history/rich_text_diff.ts";
import { BRIEF_PARTS_MAX } from "../../../input/limits.ts";
import { thumbnailUrl } from "../../picture_address.ts";
import { counted } from "../../wording/words.ts";

/** Elements of the decorators that the editor offers. */
const MARK_TAGS = {
  strong: "strong",
  em: "em",
  underline: "u",
  "strike-through": "s",
  code: "code",
} as const;

/** The comparison of two rich texts; without folded passages, and only its beginning, if `isBrief`. */
export function RichTextDiff({ blocks, isBrief }: { blocks: BlockDiff[]; isBrief: boolean }) {
  const isOneSided = blocks.every(({ before }) => before === null) ||
    blocks.every(({ after }) => after === null);
  const parts = foldUnchanged(blocks);
  const shown = isBrief ? parts.slice(0, BRIEF_PARTS_MAX) : parts;
  return (
    <div class="text-diff">
      <div class={isOneSided ? "diff-rows one-sided" : "diff-rows"}>
        {shown.map((part) => {
          if (part.kind === "row") return <Row diff={part.diff} begins={part.begins} />;
          const summary = counted(part.rows.length, "unchanged block");
          if (isBrief) return <p class="diff-fold muted small">{summary}</p>;
          return (
            <details class="diff-fold">
              <summary>{summary}</summary>
              {part.rows.map((diff) => <Row diff={diff} begins={false} />)}
            </details>
          );
        })}
        {shown.length < parts.length && <p class="diff-fold muted small">More changes follow.</p>}
      </div>
    </div>
  );
}

function Row({ diff, begins }: { diff: BlockDiff; begins: boolean }) {
  const { kind, before, after, runs, note } = diff;
  const of = (...kinds: FormattedRun["kind"][]) => runs.filter(({ kind }) => kinds.includes(kind));
  return (
    <div class={`diff-row ${kind}`} data-change={begins ? "" : undefined}>
      {note !== null && <p class="diff-note">{note}</p>}
      {kind === "changed" && after !== null && (
        <Cell side="both" form={after} runs={runs}>
          {before?.image?.url !== after.image?.url && <Picture form={before} look="was" />}
        </Cell>
      )}
      {before !== null && <Cell side="was" form={before} runs={of("same", "removed")} />}
      {after !== null && <Cell side="is" form={after} runs={of("same", "added")} />}
    </div>
  );
}

function Cell(
  { side, form, runs, children }: {
    side: "both" | "was" | "is";
    form: BlockForm;
    runs: FormattedRun[];
    children?: Child;
  },
) {
  return (
    <div class={`diff-cell pt-text diff-${side}`}>
      {form.kind === "text"
        ? <TextBlock form={form}>{runs.map(formatted)}</TextBlock>
        : (
          <div class="diff-object">
            <span class="muted small">{form.label}</span>
            {children}
            <Picture form={form} look={side === "was" ? "was" : "is"} />
            {runs.length > 0 && (
              form.kind === "code"
                ? <pre class="code" tabindex={0}>{runs.map(formatted)}</pre>
                : <p dir="auto">{runs.map(formatted)}</p>
            )}
          </div>
        )}
    </div>
  );
}

function TextBlock({ form: { style, level, marker }, children }: {
  form: BlockForm;
  children: Child;
}) {
  if (level > 0) {
    return <p data-list="entry" data-level={level} data-marker={marker} dir="auto">{children}</p>;
  }
  if (style === "blockquote") return <blockquote dir="auto">{children}</blockquote>;
  // The name of the field is a heading of the third level.
  if (/^h[1-6]$/.test(style)) return <h4 class={`pt-${style}`} dir="auto">{children}</h4>;
  return <p dir="auto">{children}</p>;
}

function Picture({ form, look }: { form: BlockForm | null; look: "was" | "is" }) {
  if (!form?.image) return null;
  const { url, alt, filename } = form.image;
  return <img class={look} src={thumbnailUrl(url, 320)} alt={alt || filename} loading="lazy" />;
}

/** Words with their formatting, marked as removed or added. */
function formatted({ kind, text, marks, href }: FormattedRun): Child {
  let shown: Child = text;
  for (const mark of marks) {
    if (!Object.hasOwn(MARK_TAGS, mark)) continue;
    const Mark = MARK_TAGS[mark as keyof typeof MARK_TAGS];
    shown = <Mark>{shown}</Mark>;
  }
  if (href !== null) shown = <a data-href={href} title={href}>{shown}</a>;
  if (kind === "same") return shown;
  return kind === "added" ? <ins>{shown}</ins> : <del>{shown}</del>;
}
