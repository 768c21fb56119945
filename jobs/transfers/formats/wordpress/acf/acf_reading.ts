/**
 * ACF in an export of WordPress, and in what its REST API shows of it. Definitions can come after the posts that have
 * the fields, so that they are read before everything else.
 *
 * @module
 */
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import type { FieldOptions } from "../../../../../kv/model/fields/field_definition.ts";
import type { PlanField } from "../../../../../kv/model/transfers/plan.ts";
import { isJsonObject, type JsonObject } from "../../../../../kv/model/values/json_object.ts";
import { parseJson } from "../../../reading/json_text.ts";
import type { ReadableFile } from "../../../reading/source_file.ts";
import { textOf } from "../../../reading/text_stream.ts";
import { hasExtension, type SourceFacts } from "../../format.ts";
import { metaOf } from "../wxr_item.ts";
import { childText, elementsOf, type WxrElement } from "../wxr_reader.ts";
import { fieldName } from "../../../mapping/infer_plan.ts";
import { AcfDefinitions, type AcfField, PARTS } from "./acf_definition.ts";
import { AcfShown } from "./acf_shown.ts";
import { acfType, layoutBlocks, type SlugsOf } from "./acf_types.ts";
import { type AcfNames, type AcfValues, acfValues } from "./acf_values.ts";

/** The type of posts that are definitions. */
const DEFINITION = "acf-field";

/** Types of fields by their names. */
type Types = Readonly<Record<string, AcfField>>;

/** Reads the definitions of all files, and how the fields of an API are used. */
export async function readAcf(files: readonly ReadableFile[]): Promise<AcfReading> {
  const definitions = new AcfDefinitions();
  const shown = new AcfShown();
  for (const file of files) {
    if (hasExtension(file, "json")) {
      for await (const element of elementsOf(file)) shown.note(shownIn(element));
    } else if (await mentions(file, DEFINITION)) {
      for await (const element of elementsOf(file)) {
        if (childText(element, "wp:post_type").trim() === DEFINITION) definitions.add(element);
      }
    }
  }
  return new AcfReading(definitions, shown);
}

/** Whether a text is anywhere in a file. */
async function mentions(file: ReadableFile, text: string): Promise<boolean> {
  let rest = "";
  for await (const part of textOf(file)) {
    if (`${rest}${part}`.includes(text)) return true;
    rest = part.slice(-text.length);
  }
  return false;
}

/** What the API shows of an item's fields. */
function shownIn(element: WxrElement): Json {
  const text = childText(element, "acf");
  return text === "" ? null : parseJson(text) ?? null;
}

/** The fields of ACF of a source. */
export class AcfReading {
  readonly #definitions: AcfDefinitions;
  readonly #shown: AcfShown;
  /** The fields that items of each kind have. */
  readonly #types = new Map<string, Map<string, AcfField>>();

  constructor(definitions: AcfDefinitions, shown: AcfShown) {
    this.#definitions = definitions;
    this.#shown = shown;
  }

  /** The values of an item. */
  valuesOf(item: WxrElement, source: string, names: AcfNames): AcfValues {
    const shown = shownIn(item);
    const found = shown === null
      ? acfValues(metaOf(item), this.#definitions, names)
      : this.#shown.valuesOf(shown, names);
    const types = this.#types.get(source) ?? new Map<string, AcfField>();
    if (found.fields.size > 0) this.#types.set(source, types);
    for (const [name, field] of found.fields) types.set(name, field);
    return found;
  }

  /** What the plan depends on. */
  facts(): Partial<SourceFacts> {
    const types = [...this.#types].map(([source, fields]) => [source, Object.fromEntries(fields)]);
    if (types.length === 0) return {};
    const blocks = layoutBlocks(
      [...this.#types.values()].flatMap((fields) => [...fields.values()]),
    );
    return { acf: Object.fromEntries(types), ...(blocks.length > 0 && { blocks }) };
  }
}

/** The fields of a kind of rows. */
export function acfTypesOf({ acf }: SourceFacts, source: string): Types {
  const types = isJsonObject(acf as Json) ? (acf as JsonObject)[source] : null;
  return (types ?? {}) as unknown as Types;
}

/** A field with the type that ACF gives it. */
export function withAcfType<F extends Pick<PlanField, "type" | "options">>(
  field: F & { convert?: string },
  known: AcfField | undefined,
  slugsOf: SlugsOf,
): F {
  if (known?.type === PARTS) {
    return {
      ...field,
      options: withParts(field.options as FieldOptions, known, slugsOf) as JsonObject,
    };
  }
  const type = known && acfType(known, slugsOf);
  if (!type) return field;
  const { convert: _, ...rest } = field;
  return { ...rest as F, options: {}, ...type };
}

/** Options whose nested fields have the types of those parts that are known. */
function withParts(options: FieldOptions, { fields: parts }: AcfField, slugsOf: SlugsOf) {
  const names = new Set<string>();
  const byName = new Map(parts.map((part) => [fieldName(part.name, names, true), part]));
  const fields = (options.fields ?? []).map(({ options: own = {}, ...field }) =>
    withAcfType({ ...field, options: own as JsonObject }, byName.get(field.name), slugsOf)
  );
  return { ...options, fields };
}
