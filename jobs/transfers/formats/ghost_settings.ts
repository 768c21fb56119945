/**
 * The settings of Ghost: title, description, images and menus. All of them are offered in the plan.
 *
 * @module
 */
import { NAME_CHARS_MAX } from "../../../kv/limits/content.ts";
import { MENU_ENTRIES_MAX } from "../../../kv/limits/packages.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { PlanSetting } from "../../../kv/model/transfers/plan.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { parseJson } from "../reading/json_text.ts";
import type { SourceRow } from "../reading/source_file.ts";
import type { SourceFacts } from "./format.ts";

/** The settings of this service that settings of Ghost are. */
const KEYS: Readonly<Record<string, PlanSetting["key"]>> = {
  title: "site.title",
  description: "site.description",
  default_locale: "site.language",
  lang: "site.language",
  locale: "site.language",
  active_timezone: "site.timezone",
  timezone: "site.timezone",
  accent_color: "site.accent",
  logo: "site.logo",
  icon: "site.icon",
  cover_image: "site.image",
};

/** The settings that are menus. */
const MENUS = ["navigation", "secondary_navigation"];

/** The settings that are read. Among the others are keys of payment and mail services. */
export const SETTINGS_READ: ReadonlySet<string> = new Set([...Object.keys(KEYS), ...MENUS]);

/** The addresses that Ghost puts in front of paths. */
const OWN = /^__GHOST_URL__(?=\/|$)/;

/** Offers the settings of a site. */
export class GhostSettings {
  readonly #settings: ReadonlyMap<string, Json>;
  readonly #rows = new Map<string, [kind: string, id: string]>();

  constructor(settings: ReadonlyMap<string, Json>) {
    this.#settings = settings;
  }

  /** Notes a row that menus can lead to. */
  row({ source, id, data }: SourceRow): void {
    const [address] = Array.isArray(data._addresses) ? data._addresses : [];
    if (typeof address === "string" && id !== null) this.#rows.set(address, [source, id]);
  }

  /** Adds the settings and menus to the facts. */
  finish(facts: SourceFacts): void {
    const offers = facts.offers ??= [];
    for (const [name, value] of this.#settings) {
      const key = ownValue(KEYS, name);
      if (key === undefined || typeof value !== "string" || value.trim() === "") continue;
      if (offers.some((one) => one.key === key)) continue;
      offers.push({ key, source: name, value: value.trim().replace("__GHOST_URL__/", "/") });
    }
    for (const name of MENUS) {
      const given = this.#settings.get(name) ?? null;
      const entries = typeof given === "string" ? parseJson(given) : given;
      const value = (Array.isArray(entries) ? entries.filter(isJsonObject) : [])
        .flatMap((entry) => this.#entry(entry, facts)).slice(0, MENU_ENTRIES_MAX);
      if (value.length > 0) offers.push({ key: "site.menu", source: name, value });
    }
  }

  #entry({ label, url }: JsonObject, facts: SourceFacts): { label: string; url: string }[] {
    if (typeof label !== "string" || typeof url !== "string" || label.trim() === "") return [];
    const address = url.replace(OWN, "") || "/";
    if (!/^(?:\/(?!\/)|https?:\/\/)/.test(address)) return [];
    const row = this.#rows.get(address.endsWith("/") ? address : `${address}/`);
    if (row !== undefined) (facts.links ??= {})[address] = row;
    return [{ label: [...label.trim()].slice(0, NAME_CHARS_MAX).join(""), url: address }];
  }
}
