/**
 * Bodies that define a kind of block, whole or in part.
 *
 * @module
 */
import { writable } from "./definition_body.ts";
import { z } from "zod";
import { Refusal } from "../../refusals.ts";
import type { NestedField } from "../fields/field_definition.ts";
import { indexedDetails, nestedFields, nestingDetails } from "../fields/field_shape.ts";
import { BLOCK_NAME } from "../fields/types/block.ts";
import { fieldType } from "../fields/types/registry.ts";
import { boundedText } from "../values/text_check.ts";
import { below, parseBody } from "./zod_details.ts";

/** A kind of block as its author defines it. */
export interface BlockInput {
  name: string;
  label: string;
  fields: NestedField[];
}

/** A patch of a block definition. */
export type BlockPatch = Partial<BlockInput>;

const name = z.string().regex(BLOCK_NAME, "Must be a letter, then letters, digits, - and _");
const label = boundedText(0, 200);
/** A rule between sections is a block without fields. */
const fields = nestedFields(fieldType);

/** The body of a new kind of block. */
export const NewBlock = z.strictObject({
  name,
  label: label.default(""),
  fields: z.optional(fields),
});

/** A partial body. */
export const BlockChange = z.strictObject({
  name: name.exactOptional(),
  label: label.exactOptional(),
  fields: fields.exactOptional(),
});

/** Parses the definition of a new kind of block. */
export function parseBlock(body: unknown): BlockInput {
  const parsed = parseBody(NewBlock, writable(body));
  refuseDeep(parsed.fields ?? []);
  return { name: parsed.name, label: parsed.label || parsed.name, fields: parsed.fields ?? [] };
}

/** Parses a change of a kind of block; given `fields` take the place of the present ones. */
export function parseBlockPatch(body: unknown): BlockPatch {
  const parsed = parseBody(BlockChange, writable(body));
  refuseDeep(parsed.fields ?? []);
  return parsed;
}

function refuseDeep(fields: NestedField[]): void {
  const details = fields.flatMap((field, position) =>
    nestingDetails(field).map((detail) => below(`fields.${position}`, detail))
  );
  details.push(...indexedDetails(fields, null, "fields", fieldType));
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}
