/**
 * WXR, the export of WordPress.
 *
 * @module
 */
import type { Plan, PlanCollection } from "../../../../kv/model/transfers/plan.ts";
import { inferField } from "../../mapping/infer_plan.ts";
import type { SourceRow } from "../../reading/source_file.ts";
import type { SourceAsset } from "../../run/transfer_facts.ts";
import { wordsOfHtml } from "../../text/html.ts";
import {
  filesWith,
  noteLanguage,
  type PlanScope,
  type ReadScope,
  type TransferFormat,
} from "../format.ts";
import {
  defined,
  type KnownField,
  referencesTo,
  referenceTo,
  slugsOfSources,
  withAuthors,
  withFields,
  withoutEmpty,
} from "../plan_fields.ts";
import { AcfReading, acfTypesOf, readAcf, withAcfType } from "./acf/acf_reading.ts";
import type { SlugsOf } from "./acf/acf_types.ts";
import { itemRow, languageOf, metaOf, termsOf } from "./wxr_item.ts";
import { WxrLeftOut } from "./wxr_left_out.ts";
import { WxrMenus } from "./wxr_menus.ts";
import { WxrTerms } from "./wxr_terms.ts";
import { childText, elementsOf, isWhole, type WxrElement } from "./wxr_reader.ts";

/** Kinds of items that are no content. */
const IGNORED: ReadonlySet<string> = new Set([
  ...["revision", "custom_css", "customize_changeset", "oembed_cache", "user_request"],
  ...["wp_global_styles", "wp_template", "wp_template_part", "wp_navigation", "acf-field"],
  ...["acf-field-group", "wp_font_family", "wp_font_face"],
]);

/** Taxonomies that say nothing about content. */
const IGNORED_TAXONOMIES: ReadonlySet<string> = new Set([
  ...["post_format", "nav_menu", "link_category", "wp_theme", "language", "post_translations"],
  ...["term_language", "term_translations"],
]);

/** The state of an item that has that of its parent. */
const INHERIT = "inherit";

const TYPE_NAMES: Readonly<Record<string, string>> = { post: "Posts", page: "Pages" };
const TAXONOMY_NAMES: Readonly<Record<string, string>> = {
  category: "Categories",
  post_tag: "Tags",
};

/** Reads an export of WordPress. */
export const wxr: TransferFormat = {
  kind: "wxr",
  matches: (files) =>
    files.some(({ head }) =>
      head.startsWith('{"wordpress":"rest"') ||
      /xmlns:wp=|<wp:wxr_version>|wordpress\.org\/export/.test(head) && /<rss|<channel/.test(head)
    ),
  async *read(scope) {
    const acf = await readAcf(filesWith(scope.files, "xml", "json"));
    const reading = new WxrReading(scope, acf);
    for (const file of filesWith(scope.files, "xml", "json")) {
      for await (const element of elementsOf(file)) yield* reading.take(element);
    }
    yield* reading.finish();
  },
  adjust: adjustPlan,
};

class WxrReading {
  readonly #facts: ReadScope["facts"] & {
    assets: Record<string, SourceAsset>;
    reusable: Record<string, string>;
    attached: Record<string, string[]>;
  };
  readonly #terms = new WxrTerms();
  readonly #authors = new Map<string, SourceRow["data"]>();
  /** Names that people gave types and taxonomies; the API tells them. */
  readonly #labels = new Map<string, string>();
  #comments = 0;
  readonly #menus = new WxrMenus();
  /** The states of items by their ids, and the rows that wait for one. */
  readonly #states = new Map<string, string>();
  readonly #waiting: SourceRow[] = [];
  readonly #left = new WxrLeftOut();

  readonly #acf: AcfReading;
  /** The logins of users by their numbers. */
  readonly #logins = new Map<string, string>();

  constructor({ facts }: ReadScope, acf: AcfReading) {
    this.#acf = acf;
    this.#facts = Object.assign(facts, {
      assets: {},
      reusable: {},
      attached: {},
      keepsLanguages: true,
    });
  }

  *take(element: WxrElement): Generator<SourceRow> {
    if (!isWhole(element)) return this.#fact(element);
    if (element.name === "item") return yield* this.#item(element);
    if (element.name === "wp:author") return this.#author(element);
    const { taxonomy, slug, name, number } = this.#terms.take(element);
    if (taxonomy === "nav_menu") this.#menus.name(slug, name);
    if (slug === "" || IGNORED_TAXONOMIES.has(taxonomy)) return;
    const address = `/${taxonomy === "post_tag" ? "tag" : taxonomy}/${slug}/`;
    this.#menus.target(taxonomy, number, { title: name, address, id: slug });
  }

  #author(element: WxrElement): void {
    const text = (name: string) => childText(element, name).trim();
    const login = text("wp:author_login");
    if (login === "") return;
    this.#logins.set(text("wp:author_id"), login);
    this.#authors.set(login, {
      title: wordsOfHtml(text("wp:author_display_name")) || login,
      bio: text("wp:author_description") || null,
      website: text("wp:author_url") || null,
    });
  }

  #fact(element: WxrElement): void {
    const { name, text, attributes: { kind = "" } } = element;
    this.#menus.fact(element);
    if (name === "label" && text !== "") this.#labels.set(kind, text);
    if (name === "comments") this.#comments += Number(text) || 0;
    if (name === "warning") this.#facts.warnings.push(text);
    const isBlog = name === "wp:base_blog_url";
    if ((isBlog || name === "wp:base_site_url" || name === "link") && text.trim() !== "") {
      if (isBlog || this.#facts.sourceKey === undefined) this.#facts.sourceKey = text.trim();
    }
  }

  *#item(item: WxrElement): Generator<SourceRow> {
    const type = childText(item, "wp:post_type").trim() || "post";
    this.#comments += item.children.filter(({ name }) => name === "wp:comment").length;
    if (type === "attachment") return this.#attachment(item);
    if (type === "nav_menu_item") return this.#menus.item(item);
    if (type === "wp_block") {
      const content = childText(item, "content:encoded");
      for (const name of ["wp:post_id", "wp:post_name"]) {
        const key = childText(item, name).trim();
        if (key !== "") this.#facts.reusable[key] = content;
      }
      return;
    }
    if (IGNORED.has(type) || childText(item, "wp:status") === "auto-draft") return;
    const named = termsOf(item);
    const terms = named.filter(({ taxonomy }) => !IGNORED_TAXONOMIES.has(taxonomy));
    const translation = languageOf(item, named, this.#menus.language);
    // A language that was guessed counts only where others of its group confirm it.
    if (translation?.isNamed) noteLanguage(this.#facts, translation.language);
    for (const term of terms) this.#terms.note(term);
    const creator = childText(item, "dc:creator").trim();
    if (creator !== "" && !this.#authors.has(creator)) {
      this.#authors.set(creator, { title: creator });
    }
    this.#facts.names[type] = TYPE_NAMES[type] ?? this.#labels.get(type) ?? type;
    const acf = this.#acf.valuesOf(item, type, {
      term: (number) => this.#terms.rowOf(number),
      user: (number) => this.#logins.get(number) ?? null,
    });
    const row = itemRow(item, type, terms, acf);
    const id = row.id ?? "";
    const title = wordsOfHtml(childText(item, "title"));
    this.#menus.target(type, id, { title, address: childText(item, "link").trim(), id });
    this.#left.item(item, type);
    const { group = "", language = "" } = translation ?? {};
    yield* this.#inheriting(
      translation === null ? row : { ...row, translation: { group, language } },
    );
  }

  /** Rows that have the state of their parent wait for it. */
  *#inheriting(row: SourceRow): Generator<SourceRow> {
    const { status, parent } = row.data;
    if (status === INHERIT && !this.#states.has(String(parent))) {
      this.#waiting.push(row);
      return;
    }
    const own = status === INHERIT ? this.#states.get(String(parent)) ?? "draft" : status;
    this.#states.set(row.id ?? "", String(own));
    yield { ...row, data: { ...row.data, status: own ?? null } };
  }

  #attachment(item: WxrElement): void {
    const id = childText(item, "wp:post_id").trim();
    const url = (childText(item, "wp:attachment_url") || childText(item, "guid")).trim();
    const meta = metaOf(item);
    const asset: SourceAsset = {
      key: id,
      url,
      alt: meta.get("_wp_attachment_image_alt")?.trim() ?? "",
      caption: wordsOfHtml(childText(item, "excerpt:encoded")),
    };
    const isPicture = /\.(?:jpe?g|png|gif|webp|avif)$/i.test(URL.parse(url)?.pathname ?? url);
    if (isPicture) (this.#facts.attached[childText(item, "wp:post_parent").trim()] ??= []).push(id);
    this.#left.file(id, url);
    this.#facts.assets[id] = asset;
    if (url !== "") this.#facts.assets[url] = asset;
  }

  *finish(): Generator<SourceRow> {
    const facts = this.#facts;
    for (const { data, ...row } of this.#waiting) {
      // Without its parent, nothing says that it was public.
      const status = this.#states.get(String(data.parent)) ?? "draft";
      yield { ...row, data: { ...data, status } };
    }
    for (const { translation, ...row } of this.#terms.rows(IGNORED_TAXONOMIES)) {
      const { source } = row;
      facts.names[source] = TAXONOMY_NAMES[source] ?? this.#labels.get(source) ?? source;
      if (translation !== undefined) noteLanguage(facts, translation.language);
      yield translation === undefined ? row : { ...row, translation };
    }
    for (const [login, author] of this.#authors) {
      facts.names.authors = "Authors";
      const data = { slug: login, status: "publish", ...author };
      yield { source: "authors", id: login, data };
    }
    Object.assign(facts, this.#acf.facts());
    facts.taxonomies = this.#terms.taxonomies(IGNORED_TAXONOMIES);
    if (this.#comments > 0) facts.warnings.push(`${this.#comments} comments are not taken`);
    facts.warnings.push(...this.#left.warnings(facts.attached));
    this.#menus.finish(facts);
  }
}

/** References to terms: what a document is tagged with on the public site. */
function termsTo(plan: Plan, taxonomy: string): KnownField | undefined {
  const field = referencesTo(plan, taxonomy);
  if (!field) return field;
  return { ...field, options: { ...field.options, role: "tags" } };
}

function adjustPlan(plan: Plan, { shapes, facts }: PlanScope): Plan {
  const taxonomies = Array.isArray(facts.taxonomies) ? facts.taxonomies.map(String) : [];
  const isTerm = (source: string) => taxonomies.includes(source);
  const slugsOf: SlugsOf = (targets) => {
    if (typeof targets !== "string") return slugsOfSources(plan, targets);
    const sources = plan.collections.map(({ source }) => source);
    const isWanted = (source: string) =>
      source !== "authors" && isTerm(source) === (targets === "terms");
    return slugsOfSources(plan, sources.filter(isWanted));
  };
  const collections = plan.collections.map((collection): PlanCollection => {
    const { source } = collection;
    if (source === "authors" || isTerm(source)) {
      const parent = isTerm(source) ? referenceTo(plan, source) : null;
      const known = defined({
        parent,
        description: { type: "text", options: { multiline: true } },
        bio: { type: "text", options: { multiline: true } },
      });
      return withoutEmpty(
        withFields({ ...collection, sourceId: "slug" }, known),
        shapes.get(source),
      );
    }
    const known = defined({
      content: { to: "body", type: "rich_text", convert: "gutenberg" },
      excerpt: { type: "text", options: { multiline: true } },
      author: referenceTo(plan, "authors"),
      featured: { to: "cover", type: "media" },
      parent: referenceTo(plan, source),
      meta: null,
      _addresses: null,
      ...Object.fromEntries(taxonomies.map((name) => [name, termsTo(plan, name)])),
    });
    const shape = shapes.get(source);
    const adjusted = withFields({
      ...collection,
      sourceId: "id",
      title: "title",
      slug: "slug",
      publishedAt: "publishedAt",
    }, known);
    const names = new Set(adjusted.fields.map(({ to }) => to));
    const meta = shape?.fields.get("meta")?.inner;
    const types = acfTypesOf(facts, source);
    const custom = [...meta?.fields ?? []].map(([key, stats]) => {
      const { from: _, ...inferred } = inferField(key, stats, shape?.rows ?? 0, names);
      const known = withAcfType(inferred, types[key], slugsOf);
      return { ...known, from: `meta.${key}` };
    });
    const fields = [...adjusted.fields, ...custom].slice(0, 150);
    return withoutEmpty({ ...adjusted, fields }, shape);
  });
  return withAuthors({ ...plan, collections });
}
