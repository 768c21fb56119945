/**
 * What each field type is for, as the builder explains it.
 *
 * @module
 */
import type { FieldTypeName } from "../../../kv/model/field_definition.ts";

/** Label and one line of each type. */
export const TYPE_GUIDE: Readonly<Record<FieldTypeName, readonly [label: string, line: string]>> = {
  text: ["Text", "A word, a sentence or a few plain paragraphs"],
  rich_text: ["Rich text", "Headings, lists, links and emphasis"],
  number: ["Number", "Whole or with decimals, within bounds"],
  boolean: ["Yes or no", "A switch"],
  datetime: ["Date and time", "An instant, kept in UTC"],
  select: ["Choice", "One of a list"],
  multi_select: ["Choices", "Several of a list"],
  url: ["Web address", "http, https or mailto"],
  email: ["Email", "One address"],
  json: ["JSON", "Anything else, as it is"],
  media: ["Image", "One image from the media library"],
  reference: ["Reference", "Another document"],
  repeater: ["Repeater", "A list of rows with the same fields"],
  group: ["Group", "Some fields under one name"],
  block: ["Blocks", "A list of blocks of several kinds"],
};

/** What a type is called. */
export function typeLabel(type: FieldTypeName): string {
  return TYPE_GUIDE[type][0];
}
