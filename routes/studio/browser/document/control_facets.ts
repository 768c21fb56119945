/**
 * Runs in the browser. What code besides reading and writing asks of the controls of each field type.
 *
 * @module
 */
import type { ControlType } from "./control_values.ts";

/** What a control's value is like. */
export interface ControlFacets {
  /** Whether the control holds any value as it is, so that nothing need be tried on it. */
  isVerbatim: boolean;
  /** What of a value a block can be known by. */
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
  repeater: NOTHING,
  group: NOTHING,
  block: NOTHING,
  choice: NOTHING,
  lines: NOTHING,
};
