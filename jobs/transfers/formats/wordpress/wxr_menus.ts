/**
 * The settings in WXR: title, description and language of the site, and its menus. All of them are offered in the plan.
 *
 * @module
 */
import { NAME_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { MENU_ENTRIES_MAX } from "../../../../kv/limits/packages.ts";
import type { PlanSetting } from "../../../../kv/model/transfers/plan.ts";
import type { SourceFacts } from "../format.ts";
import { wordsOfHtml } from "../../text/html.ts";
import { metaOf } from "./wxr_item.ts";
import { childText, type WxrElement } from "./wxr_reader.ts";

/** An entry of a menu. */
interface MenuItem {
  menu: string;
  title: string;
  order: number;
  /** What it leads to: a row of the source, or an address. */
  type: string;
  kind: string;
  target: string;
  url: string;
}

/** A page or term that an entry can lead to. */
interface MenuTarget {
  title: string;
  address: string;
  /** What identifies its row. */
  id: string;
}

/** Elements of a channel that are settings; the API has the time zone too. */
const TEXTS: Readonly<Record<string, PlanSetting["key"]>> = {
  title: "site.title",
  description: "site.description",
  language: "site.language",
  timezone: "site.timezone",
};

/** Collects the settings and menus of a site. */
export class WxrMenus {
  readonly #texts = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #items: MenuItem[] = [];
  readonly #targets = new Map<string, MenuTarget>();
  #base = "";

  /** The language of the site; empty if the export does not name it. */
  get language(): string {
    return this.#texts.get("language") ?? "";
  }

  /** Notes an element of the channel. */
  fact({ name, text }: WxrElement): void {
    const value = wordsOfHtml(text).replace(/\s+/g, " ");
    if (value === "") return;
    if (Object.hasOwn(TEXTS, name) && !this.#texts.has(name)) this.#texts.set(name, value);
    if (name === "link" || name === "wp:base_blog_url") this.#base ||= value;
  }

  /** Notes the name of a menu. */
  name(slug: string, name: string): void {
    this.#names.set(slug, name);
  }

  /** Notes a page or term; `number` is the number that entries of menus know it by. */
  target(kind: string, number: string, target: MenuTarget): void {
    if (number !== "") this.#targets.set(`${kind} ${number}`, target);
  }

  /** Notes an entry of a menu. */
  item(item: WxrElement): void {
    const meta = metaOf(item);
    const text = (name: string) => meta.get(`_menu_item_${name}`)?.trim() ?? "";
    const menu = item.children.find(({ name, attributes }) =>
      name === "category" && attributes.domain === "nav_menu"
    );
    const slug = menu?.attributes.nicename ?? "";
    if (menu !== undefined && menu.text.trim() !== "") this.#names.set(slug, menu.text.trim());
    this.#items.push({
      menu: slug,
      title: wordsOfHtml(childText(item, "title")),
      order: Number(childText(item, "wp:menu_order")) || 0,
      type: text("type"),
      kind: text("object"),
      target: text("object_id"),
      url: text("url"),
    });
  }

  /** Adds the settings and menus to the facts. */
  finish(facts: SourceFacts): void {
    const offers = facts.offers ??= [];
    for (const [name, value] of this.#texts) {
      const key = TEXTS[name];
      if (key !== undefined) offers.push({ key, source: name, value });
    }
    const links = facts.links ??= {};
    for (const [slug, items] of Map.groupBy(this.#items, ({ menu }) => menu)) {
      items.sort((a, b) => a.order - b.order);
      // Entries below others follow them: menus have one level.
      const entries = items.flatMap((item) => this.#entry(item, links) ?? []);
      const name = this.#names.get(slug) ?? slug;
      const value = entries.slice(0, MENU_ENTRIES_MAX);
      if (value.length > 0) offers.push({ key: "site.menu", source: name, value });
      const left = items.length - value.length;
      if (left > 0) {
        facts.warnings.push(`${left} entries of the menu "${name}" have no place in a menu`);
      }
    }
  }

  #entry(
    { title, type, kind, target, url }: MenuItem,
    links: NonNullable<SourceFacts["links"]>,
  ): { label: string; url: string } | null {
    const found = type === "custom" ? undefined : this.#targets.get(`${kind} ${target}`);
    const address = this.#local(found?.address ?? url);
    const label = [...(title || found?.title || "")].slice(0, NAME_CHARS_MAX).join("");
    if (label === "" || address === null) return null;
    if (found !== undefined) links[address] = [kind, found.id];
    return { label, url: address };
  }

  /** An address of the site itself as its path; null if it leads nowhere. */
  #local(address: string): string | null {
    const url = URL.parse(address, this.#base || undefined);
    if (address === "" || address.startsWith("#") || url === null) {
      return address.startsWith("/") ? address : null;
    }
    if (!/^https?:$/.test(url.protocol)) return null;
    const isOwn = url.host === URL.parse(this.#base)?.host;
    return isOwn ? url.pathname + url.search : url.href;
  }
}
