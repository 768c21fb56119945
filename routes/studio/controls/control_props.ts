/**
 * The props of controls.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { Referenced } from "./referenced.ts";

/** The props of a control. */
export interface ControlProps {
  field: NestedField;
  value: Json;
  /** Unique on the page, also as the beginning of other ids. */
  id: string;
  controlContext: ControlContext;
  /** Whether an empty list or text stays empty; otherwise it becomes null. */
  keepsEmpty?: boolean;
  /** The text that is shown while a text is empty. */
  placeholder?: string | undefined;
}

/** The language of the texts in a form. */
export interface TextLanguage {
  lang: string;
  dir: "ltr" | "rtl";
}

/** The context that all controls of a form share. */
export interface ControlContext {
  /** Block types with their labels. */
  blocks: { name: string; label: string }[];
  blockFields: (name: string) => NestedField[] | undefined;
  /** The documents and files that the document refers to. */
  referenced: Referenced;
  readOnly: boolean;
  /** The language of all texts; absent if each text's direction follows from its letters. */
  text?: TextLanguage;
  /** Whether the user may upload files. */
  mayUpload: boolean;
  /** Additional hosts whose pages may be embedded in rich text. */
  embedHosts: readonly string[];
  /** Renders the fields of an object; passed in because nested controls would otherwise import in a circle. */
  draw: (
    fields: readonly NestedField[],
    values: Json,
    id: string,
    controlContext: ControlContext,
  ) => Child;
}
