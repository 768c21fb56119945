/**
 * Fields of Advanced Custom Fields (ACF) as its field groups define them: posts of the type `acf-field` in an export.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../../../kv/model/values/json_object.ts";
import { phpValue } from "../../../text/php_value.ts";
import { childText, type WxrElement } from "../wxr_reader.ts";

/** A field. */
export interface AcfField {
  name: string;
  label: string;
  type: string;
  settings: JsonObject;
  /** The fields of a group, of rows, or of all layouts. */
  fields: AcfField[];
}

/** A layout of flexible content: a kind of blocks. */
export interface AcfLayout {
  name: string;
  label: string;
  fields: AcfField[];
}

/** The type of a field of which only some parts are known: the others are what their values look like. */
export const PARTS = "parts";

/** Types that hold no values. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(["message", "tab", "accordion", "separator"]);

/** The fields of an export by their keys. */
export class AcfDefinitions {
  readonly #byKey = new Map<string, AcfField>();
  readonly #byPost = new Map<string, AcfField>();
  readonly #waiting = new Map<string, AcfField[]>();

  /** Adds the definition in an item. */
  add(item: WxrElement): void {
    const text = (name: string) => childText(item, name).trim();
    const given = phpValue(text("content:encoded"));
    const settings = isJsonObject(given) ? given : {};
    const type = typeof settings.type === "string" ? settings.type : "";
    const id = text("wp:post_id");
    const field: AcfField = {
      name: text("excerpt:encoded"),
      label: text("title"),
      type,
      settings,
      fields: this.#waiting.get(id) ?? [],
    };
    this.#byKey.set(text("wp:post_name"), field);
    this.#byPost.set(id, field);
    if (WITHOUT_VALUE.has(type) || field.name === "") return;
    const parent = text("wp:post_parent");
    const siblings = this.#byPost.get(parent)?.fields ?? this.#waiting.get(parent) ?? [];
    if (!this.#byPost.has(parent)) this.#waiting.set(parent, siblings);
    siblings.push(field);
  }

  /** The field of a key; that of a cloned field names the original last. */
  find(key: string): AcfField | undefined {
    const [own = ""] = /field_[0-9a-z]+$/i.exec(key) ?? [];
    return this.#byKey.get(key) ?? this.#byKey.get(own);
  }
}

/** The layouts of flexible content. */
export function layoutsOf({ settings: { layouts }, fields }: AcfField): AcfLayout[] {
  if (!isJsonObject(layouts)) return [];
  return Object.entries(layouts).flatMap(([key, layout]): AcfLayout[] => {
    if (!isJsonObject(layout) || typeof layout.name !== "string") return [];
    const own = fields.filter(({ settings: { parent_layout: of } }) =>
      of === key || of === layout.key
    );
    return [{ name: layout.name, label: String(layout.label ?? layout.name), fields: own }];
  });
}

/** The values that can be chosen. */
export function choicesOf({ settings: { choices } }: AcfField): string[] {
  if (Array.isArray(choices)) return choices.map((_, index) => String(index));
  return isJsonObject(choices) ? Object.keys(choices) : [];
}

/** Whether a field holds several values. */
export function isMultiple({ type, settings }: AcfField): boolean {
  if (/^(?:relationship|gallery|checkbox)$/.test(type)) return true;
  if (type === "taxonomy") return /^(?:checkbox|multi_select)$/.test(String(settings.field_type));
  return settings.multiple === 1 || settings.multiple === "1" || settings.multiple === true;
}
