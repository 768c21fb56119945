/**
 * A changed field: rich text as the editor draws it, other text word by word, the rest side by side.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { FieldChange } from "../../history/field_changes.ts";
import { RichTextDiff } from "./rich_text_diff.tsx";

interface FieldDiffProps extends Omit<FieldChange, "name"> {
  charsMax?: number;
  /** The actions of the empty state. */
  children?: Child;
}

/** A field's change; of long values only the first `charsMax` characters, and no words. */
export function FieldDiff(
  { label, runs, before, after, images, blocks, charsMax = Infinity, children }: FieldDiffProps,
) {
  const isLong = before.length + after.length > charsMax;
  return (
    <div class="change" data-change={blocks === undefined ? "" : undefined}>
      <div class="spread">
        <h3>{label}</h3>
        {children}
      </div>
      {images !== undefined && <Images images={images} />}
      {blocks !== undefined
        ? <RichTextDiff blocks={blocks} isBrief={isLong} />
        : runs !== null && !isLong
        ? (
          <p class="words" dir="auto">
            {runs.map(({ kind, text }) => {
              if (kind === "same") return text;
              return kind === "added" ? <ins>{text}</ins> : <del>{text}</del>;
            })}
          </p>
        )
        : (
          <div class="sides">
            <pre class="code was" dir="auto" tabindex={0}>{clipped(before, charsMax)}</pre>
            <pre class="code is" dir="auto" tabindex={0}>{clipped(after, charsMax)}</pre>
          </div>
        )}
    </div>
  );
}

/** The old and the new image with their names. */
function Images({ images: [was, is] }: { images: NonNullable<FieldChange["images"]> }) {
  return (
    <div class="images">
      {was && <img class="was" src={was.url} alt={`Before: ${was.alt || was.filename}`} />}
      {is && <img class="is" src={is.url} alt={`After: ${is.alt || is.filename}`} />}
    </div>
  );
}

function clipped(text: string, charsMax: number): string {
  if (text === "") return "Nothing";
  return text.length > charsMax ? `${text.slice(0, charsMax)} …` : text;
}
