/**
 * Each field type in the studio: its name, control, list cell, filter and options.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { FIELD_TYPE_NAMES, type FieldTypeName } from "../../../kv/model/fields/field_definition.ts";
import type { ControlProps } from "./control_props.ts";
import type { IconName } from "../components/icon_names.ts";
import { BlockControl } from "./block_control.tsx";
import { ChoiceControl, SelectControl } from "./choice_control.tsx";
import {
  booleanCell,
  type Cell,
  documentCell,
  documentsCell,
  listCell,
  mediumCell,
  numberCell,
  textCell,
  timeCell,
} from "./field_cells.tsx";
import { GroupControl, ReferencesControl, RepeaterControl } from "./nested_control.tsx";
import { MediaControl, ReferenceControl } from "./reference_control.tsx";
import {
  AddressControl,
  BooleanControl,
  DateControl,
  JsonControl,
  MailControl,
  NumberControl,
  RichTextControl,
  TextControl,
} from "./scalar_control.tsx";

/** The options of a field definition, each with one control. */
export type OptionControl =
  | "multiline"
  | "choices"
  | "minLength"
  | "maxLength"
  | "pattern"
  | "min"
  | "max"
  | "integer"
  | "minItems"
  | "maxItems"
  | "defaultText"
  | "defaultNumber"
  | "defaultFlag"
  | "collection"
  | "collections"
  | "mimes"
  | "allowed"
  | "fields";

/** A field type in the admin application. */
export interface FieldFacets {
  label: string;
  icon: IconName;
  /** One line that explains the type. */
  purpose: string;
  Control: (props: ControlProps) => Child;
  /** Whether the control is named by a label, by the legend of a group, or names itself. */
  named: "label" | "legend" | "itself";
  /** A value in a list; null for types that say nothing in a narrow cell. */
  cell: Cell | null;
  /** The kind of filter; null if the type cannot be filtered. */
  filter: "text" | "choices" | "flag" | "number" | "date" | "document" | null;
  /** Whether a value can be edited inside a list, in one line. */
  quick: boolean;
  options: readonly OptionControl[];
}

const LABELLED = {
  named: "label",
  cell: textCell,
  filter: "text",
  quick: true,
  options: [],
} as const;
const LONG = { named: "legend", cell: null, filter: null, quick: false, options: [] } as const;

/** Every field type in the admin application. */
export const FIELD_FACETS: Readonly<Record<FieldTypeName, FieldFacets>> = {
  text: {
    ...LABELLED,
    label: "Text",
    icon: "text",
    purpose: "A word, a sentence or a few plain paragraphs",
    Control: TextControl,
    options: ["multiline", "minLength", "maxLength", "pattern", "defaultText"],
  },
  rich_text: {
    ...LONG,
    label: "Rich text",
    icon: "rich_text",
    purpose: "Headings, lists, links and emphasis",
    Control: RichTextControl,
  },
  number: {
    ...LABELLED,
    label: "Number",
    icon: "number",
    purpose: "Whole or with decimals, within bounds",
    Control: NumberControl,
    cell: numberCell,
    filter: "number",
    options: ["min", "max", "integer", "defaultNumber"],
  },
  boolean: {
    label: "Yes or no",
    icon: "switch",
    purpose: "A switch",
    Control: BooleanControl,
    named: "itself",
    cell: booleanCell,
    filter: "flag",
    quick: true,
    options: ["defaultFlag"],
  },
  datetime: {
    ...LABELLED,
    label: "Date and time",
    icon: "event",
    purpose: "Date and time, stored in UTC",
    Control: DateControl,
    cell: timeCell,
    filter: "date",
  },
  select: {
    ...LABELLED,
    label: "Single choice",
    icon: "choice",
    purpose: "One value from a list",
    Control: SelectControl,
    filter: "choices",
    options: ["choices", "defaultText"],
  },
  multi_select: {
    label: "Multiple choice",
    icon: "list",
    purpose: "Several values from a list",
    Control: ChoiceControl,
    named: "legend",
    cell: listCell,
    filter: "choices",
    quick: false,
    options: ["choices", "maxItems"],
  },
  url: {
    ...LABELLED,
    label: "URL",
    icon: "link",
    purpose: "http, https or mailto",
    Control: AddressControl,
  },
  email: {
    ...LABELLED,
    label: "Email",
    icon: "mail",
    purpose: "An email address",
    Control: MailControl,
  },
  json: {
    ...LONG,
    label: "JSON",
    icon: "json",
    purpose: "Any JSON value",
    Control: JsonControl,
    named: "label",
  },
  media: {
    label: "Image",
    icon: "image",
    purpose: "An image from the media library",
    Control: MediaControl,
    named: "legend",
    cell: mediumCell,
    filter: null,
    quick: false,
    options: ["mimes"],
  },
  reference: {
    label: "Reference",
    icon: "reference",
    purpose: "Another document",
    Control: ReferenceControl,
    named: "legend",
    cell: documentCell,
    filter: "document",
    quick: true,
    options: ["collection", "collections"],
  },
  references: {
    label: "References",
    icon: "reference",
    purpose: "Several other documents, in order",
    Control: ReferencesControl,
    named: "legend",
    cell: documentsCell,
    filter: "document",
    quick: false,
    options: ["collections", "minItems", "maxItems"],
  },
  repeater: {
    ...LONG,
    label: "Repeater",
    icon: "rows",
    purpose: "A list of rows with the same fields",
    Control: RepeaterControl,
    options: ["minItems", "maxItems", "fields"],
  },
  group: {
    ...LONG,
    label: "Group",
    icon: "group",
    purpose: "Fields grouped under one name",
    Control: GroupControl,
    options: ["fields"],
  },
  block: {
    ...LONG,
    label: "Blocks",
    icon: "blocks",
    purpose: "A list of blocks of several kinds",
    Control: BlockControl,
    options: ["allowed"],
  },
};

/** The types that have an option, for `data-for`. */
export function typesWithOption(option: OptionControl): string {
  return FIELD_TYPE_NAMES.filter((type) => FIELD_FACETS[type].options.includes(option)).join(" ");
}
