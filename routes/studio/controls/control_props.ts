/**
 * What controls are given.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { Referenced } from "./referenced.ts";

/** What a control is given. */
export interface ControlProps {
  field: NestedField;
  value: Json;
  /** Unique on the page, also as the beginning of other ids. */
  id: string;
  controlContext: ControlContext;
  /** Whether an empty list or text is kept as it is; otherwise it is null. */
  keepsEmpty?: boolean;
}

/** What controls know besides their field. */
export interface ControlContext {
  /** Names of block definitions with their labels. */
  blocks: { name: string; label: string }[];
  blockFields: (name: string) => NestedField[] | undefined;
  /** What the document points to, as it is shown. */
  referenced: Referenced;
  readOnly: boolean;
  /** Whether whoever opens the form may add to the media library. */
  mayUpload: boolean;
  /** Hosts whose pages may be embedded in rich text, besides the services that every site knows. */
  embedHosts: readonly string[];
  /** Draws the fields of an object; controls that hold others ask for it here. */
  draw: (
    fields: readonly NestedField[],
    values: Json,
    id: string,
    controlContext: ControlContext,
  ) => Child;
}
