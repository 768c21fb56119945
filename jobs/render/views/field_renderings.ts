/**
 * How values of each field type are rendered: what templates see of them, where on the page they appear, and
 * their Markdown. Their HTML is `theme/default/field.liquid`.
 *
 * @module
 */
import type { PageRole } from "../../../kv/model/fields/field_role.ts";
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { FieldTypeName, NestedField } from "../../../kv/model/fields/field_definition.ts";
import { safeLink } from "./link.ts";
import { escapeMarkdown, markdownLink } from "../rich_text/markdown.ts";
import type { MarkdownViewer } from "./markdown_view.ts";
import type { FieldView, Viewer } from "./view.ts";

/** The context of a value's view. */
interface ValueScope {
  viewer: Viewer;
  field: NestedField;
  view: FieldView;
}

/** The kind of value, as readers see it. */
export type FieldKind = "words" | "prose" | "choice" | "address" | "medium";

/** One field type, rendered. */
interface FieldRendering {
  /** The view of a non-null value for templates; null if nothing is shown. */
  view: (value: Json, scope: ValueScope) => unknown;
  /** The default role of values, unless the field's name implies another. */
  role: (field: NestedField) => PageRole;
  /** Whether a value may sum its document up. */
  isSummary: boolean;
  /** The kind by which templates distinguish blocks; absent if nothing depends on it. */
  kind?: FieldKind;
  /** The Markdown of a value that is not null; empty when there is nothing to show. */
  markdown: (value: Json, viewer: MarkdownViewer, field: NestedField) => string;
}

const asIs = (value: Json) => value;
const asText = (value: Json) => escapeMarkdown(String(value));

const as = (role: PageRole) => ({ role: () => role, isSummary: false });
const FACT = as("facts");
const BODY = as("body");
/** Not shown to readers: for programs or lists only, such as email addresses. */
const HIDDEN = as("hidden");

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
    markdown: asText,
  },
  rich_text: {
    ...BODY,
    view: (value, { viewer }) => viewer.richText(value),
    kind: "prose",
    markdown: (value, viewer) => viewer.richText(value),
  },
  number: { ...FACT, view: asIs, markdown: asText },
  boolean: {
    ...HIDDEN,
    view: asIs,
    markdown: asText,
  },
  datetime: {
    ...FACT,
    view: (value, { viewer }) => typeof value === "number" ? viewer.moment(value) : null,
    markdown: (value, viewer) => typeof value === "number" ? viewer.date(value) : "",
  },
  select: { ...FACT, view: asIs, kind: "choice", markdown: asText },
  multi_select: {
    ...as("tags"),
    view: asIs,
    markdown: (value) => Array.isArray(value) ? value.map(asText).join(", ") : "",
  },
  url: {
    ...FACT,
    view: (value) => safeLink(value),
    kind: "address",
    markdown: (value) => {
      const link = safeLink(value);
      return link === null ? "" : markdownLink(link, link);
    },
  },
  email: {
    ...HIDDEN,
    view: asIs,
    markdown: asText,
  },
  json: { ...HIDDEN, view: asIs, markdown: () => "" },
  media: {
    ...BODY,
    view: (value, { viewer }) => viewer.medium(value),
    kind: "medium",
    markdown: (value, viewer) => viewer.image(value),
  },
  reference: {
    ...FACT,
    view: (value, { viewer }) => viewer.reference(value),
    markdown: (value, viewer) => viewer.reference(value),
  },
  references: {
    ...FACT,
    view: (value, { viewer }) => {
      const views = idsIn(value).map((id) => viewer.reference(id)).filter((view) => view !== null);
      return views.length === 0 ? null : views;
    },
    markdown: (value, viewer) =>
      idsIn(value).map((id) => viewer.reference(id)).filter((link) => link !== "").join(", "),
  },
  repeater: {
    ...BODY,
    view: (value, { viewer, field, view }) => viewer.repeater(field, value, view),
    markdown: (value, viewer, field) => viewer.rows(field, value),
  },
  group: {
    ...BODY,
    view: (value, { viewer, field, view }) => viewer.group(field, value, view),
    markdown: (value, viewer, field) => viewer.group(field, value),
  },
  block: {
    ...BODY,
    view: (value, { viewer }) => viewer.blocks(value),
    markdown: (value, viewer) => viewer.blocks(value),
  },
};
