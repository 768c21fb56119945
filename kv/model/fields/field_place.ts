/**
 * The places of a form: tabs, the groups on them, and the column beside the others.
 *
 * @module
 */
import type { FieldPlacement } from "./field_placement.ts";
import type { JsonObject } from "../values/json_object.ts";

/** One place in a form: the first of all has none of these. */
export type FieldPlace = Pick<FieldPlacement, "tab" | "group" | "side">;

/** The place that options say; in the column beside the others there are neither tabs nor groups. */
export function placeOf({ tab, group, side }: FieldPlace): FieldPlace {
  if (side === true) return { side };
  return { ...(tab && { tab }), ...(group && { group }) };
}

/** The places of a form, in its order: on each tab those of no group first, and at last the column beside. */
export function placesOf(fields: readonly { options: FieldPlace }[]): FieldPlace[] {
  const placed = fields.map(({ options }) => placeOf(options)).filter(({ side }) => !side);
  const tabs = [undefined, ...placed.map(({ tab }) => tab)];
  return [
    ...[...new Set(tabs)].flatMap((tab) => {
      const groups = placed.filter((place) => place.tab === tab).map(({ group }) => group);
      return [...new Set([undefined, ...groups])].map((group) =>
        placeOf({ tab: tab!, group: group! })
      );
    }),
    { side: true },
  ];
}

/** Options with another place. */
export function withPlace(options: JsonObject, place: FieldPlace): JsonObject {
  const { tab: _tab, group: _group, side: _side, ...rest } = options;
  return { ...rest, ...placeOf(place) };
}
