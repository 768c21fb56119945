/**
 * Items of an export of WordPress beside the documents that they have become.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { answered } from "../sites/admin_answers.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "../harness/xml.ts";
import {
  type ContentFacts,
  factsOfBlocks,
  factsOfHtml,
  type GalleryImage,
  withoutTags,
  wordsOf,
} from "./wxr_content.ts";
import type { TransferSite } from "./transfer_site.ts";

/** A difference between the export and the site. */
export interface Difference {
  /** The kind of item and its number. */
  item: string;
  title: string;
  field: string;
  expected: unknown;
  found: unknown;
}

/** What a comparison has found. */
export interface Comparison {
  /** How many items of each kind were compared. */
  compared: Record<string, number>;
  differences: Difference[];
}

/** Kinds of items that do not become documents. */
const OTHERS: ReadonlySet<string> = new Set(["attachment", "nav_menu_item"]);
/** Taxonomies that say nothing about content. */
const IGNORED_TAXONOMIES: ReadonlySet<string> = new Set(["post_format", "nav_menu"]);

/** Compares an export with what a transfer has made of it. */
export async function compareWxr(
  site: TransferSite,
  xml: string,
  transferId: string,
): Promise<Comparison> {
  const [channel] = childrenOf(parseXml(xml), "channel");
  if (channel === undefined) throw new Error("The export has no channel");
  const comparison = new WxrComparison(site, channel);
  await comparison.load(transferId);
  for (const item of childrenOf(channel, "item")) await comparison.item(item);
  await comparison.terms();
  comparison.menus((await site.transfer(transferId)).plan.settings);
  return { compared: comparison.compared, differences: comparison.differences };
}

class WxrComparison {
  readonly compared: Record<string, number> = {};
  readonly differences: Difference[] = [];
  readonly #site: TransferSite;
  readonly #channel: XmlElement;
  /** Documents by kind and id in the source. */
  readonly #ids = new Map<string, string>();
  /** Names of files by their ids. */
  readonly #files = new Map<string, string>();
  /** Titles of documents by their ids. */
  readonly #titles = new Map<string, string>();
  #at = { item: "", title: "" };

  constructor(site: TransferSite, channel: XmlElement) {
    this.#site = site;
    this.#channel = channel;
  }

  async load(transferId: string): Promise<void> {
    for (const { source, sourceId, id } of await this.#site.report(transferId)) {
      if (id !== undefined) this.#ids.set(`${source} ${sourceId}`, id);
    }
    for (let page = 1;; page++) {
      const path = `/media?perPage=100&page=${page}`;
      const { data } = answered(await this.#site.admin("GET", path), 200);
      for (const { id, filename } of data) this.#files.set(id, filename);
      if (data.length < 100) break;
    }
    for (const id of new Set(this.#ids.values())) {
      const { status, json } = await this.#site.admin("GET", `/documents/${id}`);
      if (status === 200) this.#titles.set(id, json.title);
    }
  }

  async item(item: XmlElement): Promise<void> {
    const type = textOf(item, "wp:post_type");
    this.compared[type] = (this.compared[type] ?? 0) + 1;
    const number = textOf(item, "wp:post_id");
    this.#at = { item: `${type} ${number}`, title: textOf(item, "title") };
    if (type === "attachment") return this.#attachment(item);
    if (OTHERS.has(type)) return;
    const id = this.#ids.get(`${type} ${number}`);
    if (id === undefined) return this.#differ("document", "there", "missing");
    const document = answered(await this.#site.admin("GET", `/documents/${id}`), 200);
    this.#framing(item, document);
    this.#relations(item, document);
    this.#meta(item, document);
    this.#content(item, document.body ?? []);
  }

  #framing(item: XmlElement, document: Record<string, Json>): void {
    const text = (name: string) => textOf(item, name).trim();
    this.#equal("title", withoutTags(text("title")).replace(/\s+/g, " "), document.title);
    const slug = decodeURIComponent(text("wp:post_name"));
    if (slug !== "") this.#equal("slug", slug, document.slug);
    const isHidden = text("wp:post_password") !== "" || text("wp:status") === "private";
    const date = secondsOf(text("wp:post_date_gmt")) ?? secondsOf(text("wp:post_date"));
    const isFuture = date !== null && date > Date.now() / 1000;
    const states: Record<string, string> = {
      publish: "published",
      future: isFuture ? "scheduled" : "published",
      inherit: "published",
    };
    const status = isHidden ? "draft" : states[text("wp:status")] ?? "draft";
    this.#equal("status", status, document.status);
    if (date === null) return;
    this.#equal("createdAt", date, document.createdAt);
    if (status === "published") this.#equal("publishedAt", date, document.publishedAt);
    this.#equal(
      "excerpt",
      wordsOf(withoutTags(text("excerpt:encoded"))),
      wordsOf(String(document.excerpt ?? "")),
    );
  }

  #relations(item: XmlElement, document: Record<string, Json>): void {
    const named = new Map<string, (string | undefined)[]>();
    for (const { attributes: { domain = "", nicename } } of childrenOf(item, "category")) {
      if (nicename === undefined || IGNORED_TAXONOMIES.has(domain)) continue;
      const id = this.#ids.get(`${domain} ${nicename}`);
      named.set(domain, [...named.get(domain) ?? [], id]);
    }
    for (const [taxonomy, ids] of named) {
      const found = document[taxonomy];
      this.#equal(taxonomy, ids, Array.isArray(found) ? found : []);
    }
    const login = textOf(item, "dc:creator").trim();
    const author = childrenOf(this.#channel, "wp:author").find((one) =>
      textOf(one, "wp:author_login").trim() === login
    );
    const name = author === undefined ? login : textOf(author, "wp:author_display_name").trim();
    this.#equal("author", name || login, this.#titles.get(String(document.author)));
    const parent = textOf(item, "wp:post_parent").trim();
    if (parent === "0" || parent === "") return;
    const kind = textOf(item, "wp:post_type");
    this.#equal("parent", this.#ids.get(`${kind} ${parent}`) ?? null, document.parent ?? null);
  }

  /** Fields that people and plugins have added; those that begin with an underscore are WordPress's own. */
  #meta(item: XmlElement, document: Record<string, Json>): void {
    const values = new Map<string, string[]>();
    for (const meta of childrenOf(item, "wp:postmeta")) {
      const key = textOf(meta, "wp:meta_key").trim();
      values.set(key, [...values.get(key) ?? [], textOf(meta, "wp:meta_value")]);
    }
    const [cover = "0"] = values.get("_thumbnail_id") ?? [];
    if (cover !== "0") {
      this.#equal("cover", this.#fileOf(cover), this.#files.get(String(document.cover)));
    }
    for (const [key, given] of values) {
      if (key.startsWith("_") || key === "enclosure" || given.join("") === "") continue;
      const found = document[key.replace(/\W/g, "_")];
      const words = (text: string) => wordsOf(text.replace(/\b[aisbdN]:\d+(?::|;)?/g, " "));
      const shown = typeof found === "string" ? found : JSON.stringify(found ?? null);
      this.#equal(`meta ${key}`, given.flatMap(words), words(shown));
    }
  }

  #fileOf(number: string): string | undefined {
    const file = childrenOf(this.#channel, "item").find((one) =>
      textOf(one, "wp:post_id") === number
    );
    return file && textOf(file, "wp:attachment_url").split("/").at(-1);
  }

  /** The images of a gallery: those of some ids, or all that were uploaded to an item. */
  #gallery(ids: string[] | null, parent: string): GalleryImage[] {
    const items = childrenOf(this.#channel, "item")
      .filter((one) => textOf(one, "wp:post_type") === "attachment");
    const named = ids?.map((id) => items.find((one) => textOf(one, "wp:post_id") === id)) ??
      items.filter((one) => textOf(one, "wp:post_parent") === parent);
    return named.flatMap((one) => {
      const url = one === undefined ? "" : textOf(one, "wp:attachment_url");
      if (one === undefined || !/\.(?:jpe?g|png|gif|webp)$/i.test(url)) return [];
      return [{ url, caption: textOf(one, "excerpt:encoded") }];
    });
  }

  #attachment(item: XmlElement): void {
    const name = textOf(item, "wp:attachment_url").split("/").at(-1) ?? "";
    const isThere = [...this.#files.values()].includes(name);
    this.#equal("file", name, isThere ? name : undefined);
  }

  #content(item: XmlElement, body: Json): void {
    const own = textOf(item, "wp:post_id");
    const expected = factsOfHtml(textOf(item, "content:encoded"), (attributes) => {
      const [, ids] = /ids="([\d,\s]+)"/.exec(attributes) ?? [];
      return this.#gallery(ids?.split(",").map((id) => id.trim()) ?? null, own);
    });
    const found = factsOfBlocks(body, this.#files);
    for (const field of Object.keys(expected) as (keyof ContentFacts)[]) {
      if (field === "words") this.#words(expected.words, found.words);
      else this.#equal(field, expected[field], found[field]);
    }
  }

  /** The place where two texts begin to differ. */
  #words(expected: readonly string[], found: readonly string[]): void {
    const at = expected.findIndex((word, index) => word !== found[index]);
    if (at < 0 && expected.length === found.length) return;
    const start = Math.max(0, (at < 0 ? expected.length : at) - 3);
    const part = (words: readonly string[]) => words.slice(start, start + 12).join(" ");
    this.#differ("words", part(expected), part(found));
  }

  /** Categories, tags and other terms of the channel. */
  async terms(): Promise<void> {
    for (const element of this.#channel.children) {
      const [, kind = ""] = /^wp:(category|tag|term)$/.exec(element.name) ?? [];
      if (kind === "") continue;
      const isCategory = kind === "category";
      const text = (name: string) => textOf(element, `wp:${name}`).trim();
      const plain = { category: "category", tag: "post_tag" }[kind];
      const taxonomy = plain ?? text("term_taxonomy");
      if (IGNORED_TAXONOMIES.has(taxonomy)) continue;
      this.compared[taxonomy] = (this.compared[taxonomy] ?? 0) + 1;
      const slug = text(isCategory ? "category_nicename" : `${kind}_slug`);
      const title = text(isCategory ? "cat_name" : `${kind}_name`);
      this.#at = { item: `${taxonomy} ${slug}`, title };
      const id = this.#ids.get(`${taxonomy} ${slug}`);
      if (id === undefined) {
        this.#differ("document", "there", "missing");
        continue;
      }
      const document = answered(await this.#site.admin("GET", `/documents/${id}`), 200);
      this.#equal("title", withoutTags(title), document.title);
      this.#equal("slug", decodeURIComponent(slug), document.slug);
      const description = text(`${kind}_description`);
      this.#equal(
        "description",
        wordsOf(withoutTags(description)),
        wordsOf(document.description ?? ""),
      );
      const parent = text(isCategory ? "category_parent" : "term_parent");
      const expected = parent === "" ? null : this.#ids.get(`${taxonomy} ${parent}`);
      this.#equal("parent", expected, document.parent ?? null);
    }
  }

  /** The entries of menus, as the plan offers them. */
  menus(offers: readonly { key: string; source: string; value: Json }[]): void {
    const items = childrenOf(this.#channel, "item")
      .filter((item) => textOf(item, "wp:post_type") === "nav_menu_item");
    const byMenu = Map.groupBy(items, (item) => {
      const menu = childrenOf(item, "category").find(({ attributes }) =>
        attributes.domain === "nav_menu"
      );
      return menu?.text.trim() ?? "";
    });
    for (const [name, entries] of byMenu) {
      this.#at = { item: "menu", title: name };
      const order = (item: XmlElement) => Number(textOf(item, "wp:menu_order"));
      const labels = entries.toSorted((a, b) => order(a) - order(b)).map((one) => this.#label(one));
      const offer = offers.find(({ key, source }) => key === "site.menu" && source === name);
      const found = Array.isArray(offer?.value) ? offer.value : [];
      this.#equal("entries", labels, found.map((one) => (one as { label: string }).label));
    }
  }

  /** The label of an entry: its own, or the title of its target. */
  #label(item: XmlElement): string {
    const meta = (name: string) => {
      const found = childrenOf(item, "wp:postmeta").find((one) =>
        textOf(one, "wp:meta_key") === `_menu_item_${name}`
      );
      return found === undefined ? "" : textOf(found, "wp:meta_value").trim();
    };
    const own = textOf(item, "title").trim();
    if (own !== "") return withoutTags(own);
    for (const target of this.#channel.children) {
      const isItem = target.name === "item" && textOf(target, "wp:post_id") === meta("object_id");
      if (isItem && meta("type") === "post_type") {
        return withoutTags(textOf(target, "title").trim());
      }
      const isTerm = textOf(target, "wp:term_id") === meta("object_id");
      if (isTerm && meta("type") === "taxonomy") {
        return withoutTags(
          (textOf(target, "wp:cat_name") || textOf(target, "wp:tag_name") ||
            textOf(target, "wp:term_name")).trim(),
        );
      }
    }
    return "";
  }

  #equal(field: string, expected: unknown, found: unknown): void {
    if (JSON.stringify(expected) !== JSON.stringify(found)) this.#differ(field, expected, found);
  }

  #differ(field: string, expected: unknown, found: unknown): void {
    this.differences.push({ ...this.#at, field, expected, found });
  }
}

function secondsOf(text: string): number | null {
  if (text === "" || text.startsWith("0000")) return null;
  return Date.parse(`${text.replace(" ", "T")}Z`) / 1000;
}
