/**
 * How values of each field type are rendered: what templates see of them, where they stand, and how the
 * default theme shows them.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { FieldTypeName, NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { FieldRole } from "../../../kv/model/fields/field_role.ts";
import { safeLink } from "./link.ts";
import { escapeMarkdown, markdownLink } from "../rich_text/markdown.ts";
import type { MarkdownViewer } from "./markdown_view.ts";
import type { FieldView, Viewer } from "./view.ts";

/** What a value's view may need besides the value. */
interface ValueScope {
  viewer: Viewer;
  field: NestedField;
  view: FieldView;
}

/** What a value is to its reader. */
export type FieldKind = "words" | "prose" | "choice" | "address" | "medium";

/** One field type, rendered. */
interface FieldRendering {
  /** What templates see of a value that is not null; null when there is nothing to show. */
  view: (value: Json, scope: ValueScope) => unknown;
  /** Where values stand, unless the field's name says more. */
  role: (field: NestedField) => FieldRole;
  /** Whether a value may sum its document up. */
  isSummary: boolean;
  /** What a value is to its reader, by which templates tell blocks apart; absent where nothing depends on it. */
  kind?: FieldKind;
  /** Liquid of the default theme, for themes and blocks without a template of their own. */
  template: string;
  /** The Markdown of a value that is not null; empty when there is nothing to show. */
  markdown: (value: Json, viewer: MarkdownViewer, field: NestedField) => string;
}

const asIs = (value: Json) => value;
const asText = (value: Json) => escapeMarkdown(String(value));

const as = (role: FieldRole) => ({ role: () => role, isSummary: false });
const FACT = as("facts");
const BODY = as("body");
/** For programs, for lists, or for no reader at all: addresses of mail above all. */
const HIDDEN = as("hidden");
const PLAIN = "{{ field.value }}";
const SECTION = `<section class="group"><h2>{{ field.label }}</h2>`;

/** Highest that an upright picture is shown within a text, pixels. */
const UPRIGHT_HEIGHT = 704;

/**
 * The Liquid of the size of a picture that is no higher than so many pixels. A style sheet that bounds the height and
 * leaves the width to the picture keeps no place for it until it is there.
 */
export function sizeUpTo(heightMax: number, value: string): string {
  return `{% assign high = ${value}.height | at_most: ${heightMax} %}` +
    `width="{{ ${value}.width | times: high | divided_by: ${value}.height | round }}" height="{{ high }}"`;
}

/** The Liquid of the picture in a field. */
export function pictureOf(field: string): string {
  const value = `${field}.value`;
  return `<img src="{{ ${value}.path }}"{% if ${value}.srcset != "" %} srcset="{{ ${value}.srcset }}" sizes="(min-width: 46rem) 42rem, 100vw"{% endif %} alt="{{ ${value}.alt }}" {% if ${value}.height > ${value}.width %}${
    sizeUpTo(UPRIGHT_HEIGHT, value)
  }{% else %}width="{{ ${value}.width }}" height="{{ ${value}.height }}"{% endif %} loading="lazy">`;
}

/** A picture; sound and films with their controls; a link to anything else. */
const MEDIUM = `{% assign kind = field.value.mime | slice: 0, 6 %}{% if kind == "image/" %}` +
  `<figure{% if field.value.height > field.value.width %} class="tall"{% endif %}>${
    pictureOf("field")
  }{% if field.caption %}<figcaption>{{ field.caption }}</figcaption>{% endif %}</figure>` +
  `{% elsif kind == "audio/" %}<audio controls preload="none" src="{{ field.value.path }}"></audio>` +
  `{% elsif kind == "video/" %}<video controls preload="metadata" src="{{ field.value.path }}"></video>` +
  `{% else %}<p class="file"><a href="{{ field.value.path }}">{% if field.value.alt != "" %}{{ field.value.alt }}{% else %}{{ field.value.filename }}{% endif %}</a></p>{% endif %}`;

/** Every field type, rendered. */
export const FIELD_RENDERINGS: Readonly<Record<FieldTypeName, FieldRendering>> = {
  text: {
    view: (value, { field, view }) => {
      view.multiline = field.options.multiline ?? false;
      return value;
    },
    role: ({ options }) => options.multiline === true ? "body" : "facts",
    isSummary: true,
    kind: "words",
    template: `{% if field.multiline %}<p class="plain">${PLAIN}</p>{% else %}${PLAIN}{% endif %}`,
    markdown: asText,
  },
  rich_text: {
    ...BODY,
    view: (value, { viewer }) => viewer.richText(value),
    kind: "prose",
    template: `<div class="prose">${PLAIN}</div>`,
    markdown: (value, viewer) => viewer.richText(value),
  },
  number: { ...FACT, view: asIs, template: PLAIN, markdown: asText },
  boolean: {
    ...HIDDEN,
    view: asIs,
    template: "{% if field.value %}Yes{% else %}No{% endif %}",
    markdown: asText,
  },
  datetime: {
    ...FACT,
    view: (value, { viewer }) => typeof value === "number" ? viewer.moment(value) : null,
    template: `<time datetime="{{ field.value.iso }}">{{ field.value.moment }}</time>`,
    markdown: (value, viewer) => typeof value === "number" ? viewer.date(value) : "",
  },
  select: { ...FACT, view: asIs, kind: "choice", template: PLAIN, markdown: asText },
  multi_select: {
    ...as("tags"),
    view: asIs,
    template: `{{ field.value | join: ", " }}`,
    markdown: (value) => Array.isArray(value) ? value.map(asText).join(", ") : "",
  },
  url: {
    ...FACT,
    view: (value) => safeLink(value),
    kind: "address",
    template:
      `<a href="${PLAIN}" rel="noopener">{{ field.value | replace_first: "https://", "" | replace_first: "http://", "" }}</a>`,
    markdown: (value) => {
      const link = safeLink(value);
      return link === null ? "" : markdownLink(link, link);
    },
  },
  email: {
    ...HIDDEN,
    view: asIs,
    template: `<a href="mailto:{{ field.value | url_encode }}">${PLAIN}</a>`,
    markdown: asText,
  },
  json: { ...HIDDEN, view: asIs, template: "", markdown: () => "" },
  media: {
    ...BODY,
    view: (value, { viewer }) => viewer.medium(value),
    kind: "medium",
    template: MEDIUM,
    markdown: (value, viewer) => viewer.image(value),
  },
  reference: {
    ...FACT,
    view: (value, { viewer }) => viewer.reference(value),
    template:
      `{% if field.value.path %}<a href="{{ field.value.path }}">{{ field.value.title }}</a>{% else %}{{ field.value.title }}{% endif %}`,
    markdown: (value, viewer) => viewer.reference(value),
  },
  repeater: {
    ...BODY,
    view: (value, { viewer, field, view }) => viewer.repeater(field, value, view),
    template:
      `${SECTION}<ol class="rows">{% for row in field.rows %}<li>{% render "block", block: row %}</li>{% endfor %}</ol></section>`,
    markdown: (value, viewer, field) => viewer.rows(field, value),
  },
  group: {
    ...BODY,
    view: (value, { viewer, field, view }) => viewer.group(field, value, view),
    template: `${SECTION}{% render "block", block: field %}</section>`,
    markdown: (value, viewer, field) => viewer.group(field, value),
  },
  block: {
    ...BODY,
    view: (value, { viewer }) => viewer.blocks(value),
    template: "{% for block in field.value %}{{ block }}{% endfor %}",
    markdown: (value, viewer) => viewer.blocks(value),
  },
};
