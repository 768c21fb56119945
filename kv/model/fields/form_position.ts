/**
 * The positions in a form: tabs, the groups on them, and the side column.
 *
 * @module
 */
import type { FieldPlacement } from "./field_placement.ts";
import type { JsonObject } from "../values/json_object.ts";

/** One place in a form: the first of all has none of these. */
export type FormPosition = Pick<FieldPlacement, "tab" | "group" | "side">;

/** The position that options specify; the side column has neither tabs nor groups. */
export function formPositionOf({ tab, group, side }: FormPosition): FormPosition {
  if (side === true) return { side };
  return { ...(tab && { tab }), ...(group && { group }) };
}

/** The positions of a form, in order: per tab first the ungrouped fields, then the groups; the side column is last. */
export function formPositions(fields: readonly { options: FormPosition }[]): FormPosition[] {
  const placed = fields.map(({ options }) => formPositionOf(options)).filter(({ side }) => !side);
  const tabs = [undefined, ...placed.map(({ tab }) => tab)];
  return [
    ...[...new Set(tabs)].flatMap((tab) => {
      const groups = placed.filter((position) => position.tab === tab).map(({ group }) => group);
      return [...new Set([undefined, ...groups])].map((group) =>
        formPositionOf({ tab: tab!, group: group! })
      );
    }),
    { side: true },
  ];
}

/** Options with another place. */
export function withFormPosition(options: JsonObject, position: FormPosition): JsonObject {
  const { tab: _tab, group: _group, side: _side, ...rest } = options;
  return { ...rest, ...formPositionOf(position) };
}
