/**
 * `defineCollection` in the types module: collections as code, and the types of their documents, without a
 * running service.
 *
 * @module
 */
import { FIELD_TYPE_NAMES } from "../../../kv/model/fields/field_definition.ts";
import type { FieldType } from "../../../kv/model/fields/field_type.ts";
import { FIELD_TYPES } from "../../../kv/model/fields/types/registry.ts";
import { filterSchema } from "../openapi/field_schema.ts";
import { typeOf, union } from "./types_value.ts";

/** The TypeScript type of values of a field that is defined as code: `D` is its definition. */
function valueType(type: FieldType): string {
  return type.kind === "array" ? `${itemType(type)}[]` : itemType(type);
}

function itemType({ name, richText, holds }: FieldType): string {
  if (richText) return "PortableTextBlock";
  if (holds === "blocks") return "Block";
  if (holds === "rows") return "NestedOf<D>";
  const options = { choices: [""] };
  const schema = filterSchema({ name, label: "", type: name, required: false, help: "", options });
  return schema.enum === undefined ? typeOf(schema) : "ChoicesOf<D>";
}

const VALUE_TYPES = FIELD_TYPE_NAMES
  .map((name) => `  ${name}: ${valueType(FIELD_TYPES[name])};`).join("\n");

/** The source of the definitions. */
export const DEFINITION_SOURCE = `/** A field of a collection, as code. */
export interface FieldSource {
  name: string;
  type: ${union(FIELD_TYPE_NAMES)};
  label?: string;
  required?: boolean;
  unique?: boolean;
  indexed?: boolean;
  sortable?: boolean;
  help?: string;
  options?: {
    readonly choices?: readonly string[];
    readonly collection?: string;
    readonly collections?: readonly string[];
    readonly fields?: readonly FieldSource[];
    readonly [option: string]: unknown;
  };
}

/** A collection, as code. */
export interface CollectionSource {
  /** Stable; a definition without one is new, or the one that has its slug. */
  id?: string;
  slug: string;
  name: string;
  description?: string;
  exposed?: boolean;
  fields: readonly FieldSource[];
  [property: string]: unknown;
}

/** Defines a collection: the default export of a file in \`schema/\`. */
export function defineCollection<const C extends CollectionSource>(definition: C): C {
  return definition;
}

/** The document of a collection that is defined as code. */
export type DocumentOf<C extends CollectionSource> = Framing & ValuesOf<C["fields"]>;

type ValuesOf<F extends readonly FieldSource[]> = {
  -readonly [D in F[number] as D["name"]]: ValueOf<D> | null;
};

type ChoicesOf<D extends FieldSource> = D["options"] extends { readonly choices: readonly (infer C)[] } ? C : string;

type NestedOf<D extends FieldSource> = D["options"] extends { readonly fields: infer F extends readonly FieldSource[] }
  ? Partial<ValuesOf<F>>
  : { [key: string]: Json };

/** The values of a field by its type. */
interface ValueTypes<D extends FieldSource> {
${VALUE_TYPES}
}

type ValueOf<D extends FieldSource> = ValueTypes<D>[D["type"]];`;
