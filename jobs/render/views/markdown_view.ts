/**
 * The Markdown of a document's values: the same fields, in the same order and parts, as its page shows.
 *
 * @module
 */
import { storedValue, typedBlocks } from "./stored_values.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { isPicture, pathOf } from "../../../kv/model/entities/media.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { BlockBounds } from "../rich_text/block_bounds.ts";
import { dateView } from "./date_view.ts";
import { FIELD_RENDERINGS } from "./field_renderings.ts";
import { fieldLabel } from "./field_label.ts";
import { fieldRole } from "./field_role.ts";
import {
  escapeMarkdown,
  markdownLine,
  markdownLink,
  markdownParts,
} from "../rich_text/markdown.ts";
import { portableTextMarkdown } from "../rich_text/portable_text.ts";
import { markdownAddress } from "../site_facts.ts";
import { type Lookup, publicReference, type Rendering } from "./view.ts";

/** A document's values in Markdown. */
export interface MarkdownView {
  /** Single values, one a line: `- Label: value`. */
  facts: string[];
  /** The main content, in order. */
  body: string[];
}

/** Turns stored values into Markdown. Stateful: use one per page. */
export class MarkdownViewer {
  readonly #rendering: Rendering;
  readonly #lookup: Lookup;
  readonly #bounds: BlockBounds;

  constructor(rendering: Rendering, lookup: Lookup) {
    this.#rendering = rendering;
    this.#lookup = lookup;
    this.#bounds = new BlockBounds(rendering.schema);
  }

  /** Values as Markdown, each found under the key that `keyOf` gives its field. */
  fields<F extends NestedField>(
    definitions: readonly F[],
    values: Record<string, Json>,
    keyOf: (field: F) => string,
    isLeftOut: (field: F) => boolean = () => false,
  ): MarkdownView {
    const view: MarkdownView = { facts: [], body: [] };
    for (const field of definitions) {
      const value = storedValue(values, keyOf(field));
      const role = fieldRole(field);
      if (value === null || role === "hidden" || isLeftOut(field)) continue;
      const text = FIELD_RENDERINGS[field.type].markdown(value, this, field);
      if (text === "") continue;
      if (role === "body" || role === "cover") view.body.push(text);
      else view.facts.push(`- ${markdownLine(fieldLabel(field))}: ${text}`);
    }
    return view;
  }

  /** Portable Text, with the blocks and media inside it. */
  richText(value: Json): string {
    return portableTextMarkdown(value, ({ _type, _key, ...values }, isInline) => {
      if (isInline) return null;
      const text = this.#bounds.isImage(_type)
        ? this.image(values.media as Json, values)
        : this.#block(_type, values as JsonObject);
      return text || null;
    }).trim();
  }

  /** A block tree, or the value of a block field. */
  blocks(value: Json): string {
    return markdownParts(typedBlocks(value).map(({ type, data }) => this.#block(type, data)));
  }

  /** A group, with its label above it. */
  group(field: NestedField, value: Json): string {
    return isJsonObject(value)
      ? this.#labelled(fieldLabel(field), [this.#nested(field, value)])
      : "";
  }

  /** A repeater's rows, with its label above them. */
  rows(field: NestedField, value: Json): string {
    const rows = Array.isArray(value) ? value.filter(isJsonObject) : [];
    return this.#labelled(fieldLabel(field), rows.map((row) => this.#nested(field, row)));
  }

  /** An image by id; the text may override its alt text. */
  image(id: Json | undefined, own: { alt?: unknown; caption?: unknown } = {}): string {
    const medium = typeof id === "string" ? this.#lookup.medium(id) : null;
    if (medium === null) return "";
    const alt = typeof own.alt === "string" && own.alt !== "" ? own.alt : medium.alt;
    const caption = typeof own.caption === "string" ? own.caption : "";
    const { url } = this.#rendering.site;
    const address = url + pathOf(medium.id, medium.filename);
    if (!isPicture(medium.mime)) return markdownLink(alt || medium.filename, address);
    return `!${markdownLink(alt, address, caption)}`;
  }

  /** A document by id, as a link to its Markdown; empty when the public may not see it. */
  reference(id: Json): string {
    const target = publicReference(this.#rendering, this.#lookup, id);
    if (target === null) return "";
    if (target.path === null) return escapeMarkdown(target.title);
    return markdownLink(target.title, markdownAddress(this.#rendering.site, target.path));
  }

  /** A time, for machines. */
  date(at: number): string {
    return dateView(at, this.#rendering.days).iso;
  }

  #block(name: string, values: JsonObject): string {
    return this.#bounds.within(
      name,
      ({ fields }) => together(this.fields(fields, values, ({ name }) => name)),
    ) ?? "";
  }

  #nested({ options }: NestedField, values: JsonObject): string {
    return together(this.fields(options.fields ?? [], values, ({ name }) => name));
  }

  #labelled(label: string, parts: string[]): string {
    const shown = parts.filter((part) => part !== "");
    return shown.length === 0 ? "" : markdownParts([`## ${markdownLine(label)}`, ...shown]);
  }
}

function together({ body, facts }: MarkdownView): string {
  return markdownParts([...body, facts.join("\n")]);
}
