/**
 * `some`, `every` and `none` in filters: conditions on the items of a repeater or of a list of blocks.
 *
 * @module
 */
import { allOf, type Condition, type ItemsCondition } from "../../kv/index/query/condition.ts";
import { BLOCK_TYPE_KEY } from "../../kv/index/query/item_condition.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { FieldTypeName, NestedField } from "../../kv/model/fields/field_definition.ts";
import { isGroup } from "../../kv/model/fields/indexed_fields.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { FilterScope } from "./filter_budget.ts";

/** How many of the items must meet a condition. */
const QUANTIFIERS = ["some", "every", "none"] as const;

/** The name of the block tree, which no field has. */
const TREE_NAME = "blocks";

/** A list whose items can be filtered by. */
interface ItemList extends Pick<ItemsCondition, "name" | "key" | "steps" | "types"> {
  /** The fields of its items, as those of a collection. */
  items: Collection;
}

/** Parses the condition on one item. */
type ParseItem = (operand: unknown, scope: FilterScope, path: string) => Condition;

/** The condition of an object of quantifiers on a list; null if the name is of no list, or asks for none. */
export function itemsCondition(
  name: string,
  value: unknown,
  scope: FilterScope,
  parse: { path: string; item: ParseItem },
): Condition | null {
  if (!isJsonObject(value)) return null;
  const keys = Object.keys(value);
  if (!keys.some(isQuantifier)) return null;
  const list = findItemList(name, scope);
  if (list === null) return null;
  const { items, ...rest } = list;
  return allOf(
    ...keys.map((key): Condition => {
      if (!isQuantifier(key)) {
        const about = `${parse.path} does not support ${key.slice(0, 50)}; use one of: ${
          QUANTIFIERS.join(", ")
        }`;
        throw new Refusal("FILTER_OPERATOR_INVALID", { about });
      }
      const inner: FilterScope = { ...scope, collection: items, framing: [], filtered: [] };
      const of = parse.item(value[key], inner, `${parse.path}.${key}`);
      return { kind: "items", ...rest, quantifier: key, of };
    }),
  );
}

function isQuantifier(key: string): key is typeof QUANTIFIERS[number] {
  return (QUANTIFIERS as readonly string[]).includes(key);
}

/** The lists of a collection whose items can be filtered by: their names, and the keys of an item as fields. */
export function itemLists(
  collection: Collection,
  blocks: FilterScope["blocks"],
): Pick<ItemList, "name" | "items">[] {
  const namesIn = (fields: readonly NestedField[], prefix: string): string[] =>
    fields.flatMap((field) => [
      `${prefix}${field.name}`,
      ...isGroup(field) ? namesIn(field.options.fields ?? [], `${prefix}${field.name}.`) : [],
    ]);
  const names = new Set([...namesIn(collection.fields, ""), TREE_NAME]);
  return [...names].flatMap((name) => findItemList(name, { collection, blocks }) ?? []);
}

function findItemList(
  name: string,
  { collection, blocks }: Pick<FilterScope, "collection" | "blocks">,
): ItemList | null {
  if (name === TREE_NAME && !collection.fields.some((field) => field.name === name)) {
    return { name, key: null, steps: [], ...blockItems([...blocks.keys()], blocks) };
  }
  const [first = "", ...steps] = name.split(".");
  const root = collection.fields.find((field) => field.name === first);
  let field: NestedField | undefined = root;
  for (const step of steps) {
    if (field === undefined || !isGroup(field)) return null;
    field = field.options.fields?.find((one) => one.name === step);
  }
  if (root === undefined || field === undefined) return null;
  const { holds, kind } = fieldType(field.type);
  const at = { name, key: root.key, steps };
  if (holds === "blocks") {
    return { ...at, ...blockItems(field.options.allowed ?? [...blocks.keys()], blocks) };
  }
  if (holds !== "rows" || kind !== "array") return null;
  const { fields = [] } = field.options;
  return { ...at, items: collectionOf(fields), types: { "": typesOf(fields) } };
}

/** The keys of blocks: their type, and those of their definitions; of equal ones the first counts. */
function blockItems(
  allowed: readonly string[],
  blocks: FilterScope["blocks"],
): Pick<ItemList, "items" | "types"> {
  const definitions = allowed.map((name) => blocks.get(name)).filter((one) => one !== undefined);
  const byName = new Map<string, NestedField>();
  for (const field of definitions.flatMap(({ fields }) => fields)) {
    const known = byName.get(field.name);
    const isFiltered = fieldType(field.type).operators.length > 0;
    if (known === undefined || (isFiltered && fieldType(known.type).operators.length === 0)) {
      byName.set(field.name, field);
    }
  }
  const items = collectionOf([...byName.values()].filter(({ name }) => name !== "type"));
  items.fields.push({ ...columnOf(TYPE), key: BLOCK_TYPE_KEY });
  const types = Object.fromEntries(
    definitions.map(({ name, fields }) => [name, typesOf(fields)]),
  );
  return { items, types };
}

/** The type of a block, as its item has it. */
const TYPE: NestedField = {
  name: "type",
  label: "Type",
  type: "text",
  required: false,
  help: "",
  options: {},
};

function typesOf(fields: readonly NestedField[]): { [key: string]: FieldTypeName } {
  return Object.fromEntries(fields.map(({ name, type }) => [name, type]));
}

/** The keys of items stand in for the fields of a collection, all of them indexed. */
function collectionOf(fields: readonly NestedField[]): Collection {
  return {
    id: "",
    slug: "",
    name: "",
    description: "",
    exposed: false,
    createdAt: 0,
    updatedAt: 0,
    fields: fields.map(columnOf),
  };
}

/** Items do not follow references, so their targets are left out. */
function columnOf(field: NestedField): Collection["fields"][number] {
  const { collection: _, collections: __, ...options } = field.options;
  return {
    ...field,
    options,
    id: "",
    collectionId: "",
    key: field.name,
    unique: false,
    indexed: true,
    sortable: false,
    position: 0,
    createdAt: 0,
    updatedAt: 0,
  };
}
