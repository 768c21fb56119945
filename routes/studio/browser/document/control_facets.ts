/**
 * Runs in the browser. Facts about the controls of each field type, other than reading and writing them.
 *
 * @module
 */
import type { ControlType } from "./control_values.ts";

/** The shape of a control's value. */
export interface ControlFacets {
  /** Whether the control can hold any value unchanged, so that no trial is needed. */
  isVerbatim: boolean;
  /** The part of a value by which a block can be recognized. */
  preview: "words" | "rich words" | "medium" | null;
}

const NOTHING: ControlFacets = { isVerbatim: false, preview: null };
const WORDS: ControlFacets = { isVerbatim: false, preview: "words" };

/** The facets of every type of control. */
export const CONTROL_FACETS: Readonly<Record<ControlType, ControlFacets>> = {
  text: WORDS,
  rich_text: { isVerbatim: true, preview: "rich words" },
  number: NOTHING,
  boolean: NOTHING,
  datetime: NOTHING,
  select: WORDS,
  multi_select: NOTHING,
  url: WORDS,
  email: WORDS,
  json: { isVerbatim: true, preview: null },
  media: { isVerbatim: false, preview: "medium" },
  reference: NOTHING,
  references: NOTHING,
  repeater: NOTHING,
  group: NOTHING,
  block: NOTHING,
  choice: NOTHING,
  lines: NOTHING,
};
