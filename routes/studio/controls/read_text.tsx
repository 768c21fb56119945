/**
 * Rich text to be read where no script runs: its words, headings and lists, and what else stands in it by
 * name. Writing needs the editor, which alone keeps everything it does not know.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../kv/model/entity.ts";
import { isJsonObject } from "../../../kv/model/json_object.ts";
import { isSpan, isTextBlock, type TextBlock } from "../../../kv/model/portable_text.ts";

/** Levels of headings below that of a field's name. */
const HEADINGS: Readonly<Record<string, "h3" | "h4" | "h5">> = {
  h1: "h3",
  h2: "h3",
  h3: "h4",
  h4: "h5",
};

/** The words of a rich text. The style sheet shows it where no script runs. */
export function ReadText({ value }: { value: Json }) {
  const blocks = Array.isArray(value) ? value : [];
  return (
    <div class="pt-read">
      <p class="help">
        This text can be read here. Changing it needs JavaScript, so that formatting, images and
        blocks in it are kept.
      </p>
      {blocks.map((block) =>
        isTextBlock(block)
          ? <ReadBlock block={block} />
          : <p class="pt-read-object">{isJsonObject(block) ? String(block._type) : "?"}</p>
      )}
    </div>
  );
}

function ReadBlock({ block }: { block: TextBlock }): Child {
  const words = block.children.map((child) => isSpan(child) ? child.text : "").join("");
  if (typeof block.listItem === "string") return <p class="pt-read-entry">{`• ${words}`}</p>;
  if (block.style === "blockquote") return <blockquote>{words}</blockquote>;
  const Heading = HEADINGS[String(block.style)];
  return Heading === undefined ? <p>{words}</p> : <Heading>{words}</Heading>;
}
