/**
 * Menus of Payload: lists in its globals whose rows have a label and lead somewhere. All of them are offered in the plan.
 *
 * @module
 */
import { NAME_CHARS_MAX } from "../../../kv/limits/content.ts";
import { MENU_ENTRIES_MAX } from "../../../kv/limits/packages.ts";
import { TRANSFER_DEPTH_MAX } from "../../../kv/limits/transfers.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { SourceRow } from "../reading/source_file.ts";
import type { SourceFacts } from "./format.ts";

/** Names of fields that hold the label of an entry, and the address that it leads to. */
const LABELS = ["label", "title", "name", "text"];
const ADDRESSES = ["url", "href", "link", "path"];

/** An entry of a menu. */
interface MenuEntry {
  label: string;
  url: string;
  /** The row that it refers to. */
  target: [kind: string, id: string] | null;
}

/** Offers the menus of a site. */
export class PayloadMenus {
  readonly #menus: { name: string; entries: MenuEntry[] }[] = [];
  /** The last parts of the addresses of rows that menus lead to, by kind and id. */
  readonly #slugs = new Map<string, string>();

  /** Notes the menus of a global, whose references have been resolved. */
  global({ source, data: { _translations, _draft, ...values } }: SourceRow): void {
    const visit = (value: Json, path: string, depth: number): void => {
      if (depth > TRANSFER_DEPTH_MAX || !isGroup(value)) return;
      for (const [name, one] of Object.entries(value)) {
        const inner = `${path}.${name}`;
        if (Array.isArray(one)) this.#list(inner, one);
        else visit(one, inner, depth + 1);
      }
    };
    visit(values, source, 0);
  }

  #list(name: string, rows: readonly Json[]): void {
    const entries = rows.flatMap((row) => entriesOf(row, 0));
    if (!entries.some(leadsSomewhere)) return;
    this.#menus.push({ name, entries });
    for (const { target } of entries) {
      if (target !== null) this.#slugs.set(nameOf(...target), target[1]);
    }
  }

  /** Notes a row that menus may lead to. */
  row({ source, data: { id, slug } }: SourceRow): void {
    const name = nameOf(source, String(id));
    if (typeof slug === "string" && slug !== "" && this.#slugs.has(name)) {
      this.#slugs.set(name, slug);
    }
  }

  /** Adds the menus to the facts. */
  finish(facts: SourceFacts): void {
    const links = facts.links ??= {};
    for (const { name, entries } of this.#menus) {
      const value = entries.filter(leadsSomewhere).slice(0, MENU_ENTRIES_MAX)
        .map(({ label, url, target }) => {
          if (target === null) return { label, url };
          const slug = this.#slugs.get(nameOf(...target)) ?? "";
          const address = `/${encodeURIComponent(target[0])}/${encodeURIComponent(slug)}`;
          links[address] = target;
          return { label, url: address };
        });
      (facts.offers ??= []).push({ key: "site.menu", source: name, value });
      const left = entries.length - value.length;
      if (left > 0) {
        facts.warnings.push(`${left} entries of the menu "${name}" have no place in a menu`);
      }
    }
  }
}

function nameOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}

function leadsSomewhere({ url, target }: MenuEntry): boolean {
  return target !== null || /^(?:\/(?!\/)|https?:\/\/)/.test(url);
}

/** The entry of a row, followed by those below it: menus have one level. */
function entriesOf(row: Json, depth: number): MenuEntry[] {
  if (!isGroup(row) || depth > TRANSFER_DEPTH_MAX) return [];
  const entry = entryOf(row);
  const below = Object.values(row).flatMap((value) =>
    Array.isArray(value) ? value.flatMap((one) => entriesOf(one, depth + 1)) : []
  );
  return entry.label === "" ? below : [entry, ...below];
}

/** The entry of a row, by its own values or those of a group in it, such as `link`. */
function entryOf(row: JsonObject): MenuEntry {
  const parts = [row, ...Object.values(row).filter(isGroup)];
  const textOf = (names: readonly string[]) => {
    const texts = parts.flatMap((part) => names.map((name) => part[name]))
      .filter((value) => typeof value === "string").map((text) => text.trim());
    return texts.find((text) => text !== "") ?? "";
  };
  const url = textOf(ADDRESSES);
  // Payload keeps a reference that was chosen before the type of the link was changed.
  const isCustom = url !== "" && parts.some(({ type }) => type === "custom");
  const [target = null] = isCustom
    ? []
    : parts.flatMap((part) => Object.values(part).flatMap(referenceOf));
  return { label: [...textOf(LABELS)].slice(0, NAME_CHARS_MAX).join(""), url, target };
}

/** Whether a value is a group of fields, and neither a reference nor rich text. */
function isGroup(value: Json): value is JsonObject {
  return isJsonObject(value) && !("root" in value) && !("_ref" in value);
}

function referenceOf(value: Json): [kind: string, id: string][] {
  if (!isJsonObject(value)) return [];
  const { _ref, _kind } = value;
  return typeof _ref === "string" && typeof _kind === "string" ? [[_kind, _ref]] : [];
}
