/**
 * The terms of WXR as rows, with the languages that Polylang and WPML give them.
 *
 * @module
 */
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import type { SourceRow } from "../../reading/source_file.ts";
import { wordsOfHtml } from "../../text/html.ts";
import { phpValue } from "../../text/php_value.ts";
import { type ItemTerm } from "./wxr_item.ts";
import { childText, type WxrElement } from "./wxr_reader.ts";

/** The taxonomy whose terms hold together the translations of others: Polylang's. */
const TRANSLATIONS = "term_translations";

/** A term of a channel. */
interface Term extends ItemTerm {
  /** What others refer to it by. */
  number: string;
  description: string;
  parent: string;
  translation: SourceRow["translation"];
}

/** Collects the terms of an export. */
export class WxrTerms {
  readonly #terms = new Map<string, Term>();
  readonly #byNumber = new Map<string, Term>();
  /** Groups and languages of terms, by their numbers. */
  readonly #translations = new Map<string, { group: string; language: string }>();

  /** Takes an element of the channel. */
  take(element: WxrElement): Term {
    const term = termOf(element);
    const { taxonomy, slug } = term;
    if (taxonomy === TRANSLATIONS) this.#group(term);
    if (slug !== "") this.#terms.set(`${taxonomy} ${slug}`, term);
    this.#byNumber.set(term.number, term);
    return term;
  }

  /** The row of the term with a number. */
  rowOf(number: string): { id: string; _kind: string } | null {
    const term = this.#byNumber.get(number);
    return term === undefined ? null : { id: term.slug, _kind: term.taxonomy };
  }

  /** Notes a term that an item names; the channel may not list it. */
  note(term: ItemTerm): void {
    const key = `${term.taxonomy} ${term.slug}`;
    if (this.#terms.has(key)) return;
    this.#terms.set(key, {
      ...term,
      number: "",
      description: "",
      parent: "",
      translation: undefined,
    });
  }

  /** The description of such a term is an array of the translations' numbers by language. */
  #group({ slug: group, description }: Term): void {
    const value = phpValue(description);
    if (!isJsonObject(value)) return;
    for (const [language, number] of Object.entries(value)) {
      if (typeof number === "number") this.#translations.set(String(number), { group, language });
    }
  }

  /** The taxonomies of the terms, without some. */
  taxonomies(ignored: ReadonlySet<string>): string[] {
    const found = new Set([...this.#terms.values()].map(({ taxonomy }) => taxonomy));
    return [...found.difference(ignored)];
  }

  /** The rows of terms of all taxonomies but some. */
  *rows(ignored: ReadonlySet<string>): Generator<SourceRow> {
    for (const term of this.#terms.values()) {
      const { taxonomy, slug, name, number, description, parent } = term;
      if (ignored.has(taxonomy)) continue;
      const translation = term.translation ?? this.#translations.get(number);
      yield {
        source: taxonomy,
        id: slug,
        data: {
          slug,
          title: name,
          status: "publish",
          description: wordsOfHtml(description) || null,
          parent: parent || null,
        },
        ...(translation && { translation }),
      };
    }
  }
}

function termOf(element: WxrElement): Term {
  const kind = element.name.slice("wp:".length);
  const taxonomy = kind === "tag"
    ? "post_tag"
    : childText(element, "wp:term_taxonomy").trim() || "category";
  const text = (...names: string[]) => childText(element, ...names).trim();
  const slug = text("wp:term_slug", "wp:category_nicename", "wp:tag_slug");
  return {
    taxonomy,
    slug,
    name: wordsOfHtml(text("wp:term_name", "wp:cat_name", "wp:tag_name")) || slug,
    number: text("wp:term_id"),
    description: text("wp:term_description", "wp:category_description", "wp:tag_description"),
    parent: text("wp:term_parent", "wp:category_parent"),
    translation: translationOf(element),
  };
}

/** The language and group that WPML writes beside a term. */
function translationOf({ children }: WxrElement): SourceRow["translation"] {
  const meta = new Map(
    children.filter(({ name }) => name === "wp:termmeta")
      .map((one) => [childText(one, "wp:meta_key").trim(), childText(one, "wp:meta_value").trim()]),
  );
  const language = meta.get("_wpml_import_language_code") ?? "";
  const group = meta.get("_wpml_import_translation_group") ?? "";
  return language === "" || group === "" ? undefined : { group, language };
}
