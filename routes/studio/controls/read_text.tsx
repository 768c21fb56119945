/**
 * Read-only rich text, shown without JavaScript and until the editor has loaded: text, headings, lists and
 * images, and other objects by name. Editing requires the editor, which preserves content it does not know.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isSpan, isTextBlock, type TextBlock } from "../../../kv/model/values/portable_text.ts";
import { textPictureUrl } from "../picture_address.ts";
import { pictureWords } from "../wording/picture_words.ts";
import type { ControlContext } from "./control_props.ts";
import { IMAGE_BLOCK } from "./image_block.ts";
import type { ReferencedMedium } from "./referenced.ts";

/** Levels of headings below that of a field's name. */
const HEADINGS: Readonly<Record<string, "h3" | "h4" | "h5">> = {
  h1: "h3",
  h2: "h3",
  h3: "h4",
  h4: "h5",
};

/** The text of a rich text field. The style sheet shows it if scripts are off. */
export function ReadText(
  { value, controlContext }: { value: Json; controlContext: ControlContext },
) {
  const blocks = Array.isArray(value) ? value : [];
  const hasOwnImages = controlContext.blocks.some(({ name }) => name === IMAGE_BLOCK.name);
  return (
    <div class="pt-read">
      <p class="help">
        Editing this text requires JavaScript, so that its formatting, images and blocks are
        preserved.
      </p>
      {blocks.map((block) => {
        if (isTextBlock(block)) return <ReadBlock block={block} />;
        if (!isJsonObject(block)) return <p class="pt-read-object">?</p>;
        const { _type, media } = block;
        if (_type !== IMAGE_BLOCK.name || hasOwnImages || typeof media !== "string") {
          return <p class="pt-read-object">{String(_type)}</p>;
        }
        return <Picture block={block} medium={controlContext.referenced.media.get(media)} />;
      })}
    </div>
  );
}

function ReadBlock({ block }: { block: TextBlock }): Child {
  const words = block.children.map((child) => isSpan(child) ? child.text : "").join("");
  if (typeof block.listItem === "string") {
    return <p class="pt-read-entry" dir="auto">{`• ${words}`}</p>;
  }
  if (block.style === "blockquote") return <blockquote dir="auto">{words}</blockquote>;
  const Heading = HEADINGS[String(block.style)];
  return Heading === undefined ? <p dir="auto">{words}</p> : <Heading dir="auto">{words}</Heading>;
}

/** As the editor draws it: of the same size before the picture is there, with the same words below. */
function Picture(
  { block: { media, alt, caption }, medium }: {
    block: JsonObject;
    medium: ReferencedMedium | undefined;
  },
) {
  return (
    <div class="pt-object pt-picture">
      <div class="pt-object-card">
        {medium === undefined ? <img alt="" /> : (
          <img
            src={textPictureUrl(medium)}
            alt={medium.alt}
            width={medium.width || undefined}
            height={medium.height || undefined}
            loading="lazy"
            data-medium={media}
            data-url={medium.url}
            data-filename={medium.filename}
            data-alt={medium.alt}
          />
        )}
        <span class="pt-object-text">
          <strong>{IMAGE_BLOCK.label}</strong>
          <span class="muted pt-object-words">{pictureWords(alt, medium ?? null)}</span>
        </span>
        {typeof caption === "string" && caption !== "" && <span class="pt-caption">{caption}</span>}
      </div>
    </div>
  );
}
