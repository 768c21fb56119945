/**
 * WordPress: the REST API of a site, as the elements that its export has. Without a token it returns public content;
 * with `user:application password` also drafts, blocks, reusable blocks, menus and settings.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { WxrElement } from "../formats/wordpress/wxr_reader.ts";
import { type ApiAnswer, jsonArray, type LiveApi, objectsOf } from "./live_api.ts";
import { bearer, type LiveSystem } from "./live_system.ts";
import {
  attachmentElement,
  authorElement,
  element,
  itemElement,
  labelElement,
  menuItemElement,
  type Taxonomy,
  termElement,
  text,
  words,
} from "./wordpress_elements.ts";

/** Objects of one answer: all that WordPress gives. */
const PAGE = 100;
/** Types that are no content. */
const IGNORED = /^(?:attachment|nav_menu_item|wp_.*|rm_content_editor|elementor_library)$/;
/** Reusable blocks, which posts show in their places. */
const REUSABLE = "wp_block";
/** How posts are asked for with a token: as much as its user may read. Authors may not ask for private posts. */
const VIEWS = [
  "&context=edit&status=publish,future,draft,pending,private",
  "&context=edit&status=publish,future,draft,pending",
  "",
] as const;
/** Answers to a user who may not ask for a list in this way. */
const REFUSED = [400];

/** Reads the REST API of WordPress. */
export const wordpressApi: LiveSystem = {
  base: (url) =>
    `${url.replace(/\/(?:wp-json|wp-admin)(?:\/.*)?$/, "").replace(/\/+$/, "")}/wp-json`,
  headers: (token) => {
    if (!token.includes(":")) return Promise.resolve(bearer(token));
    const basic = new TextEncoder().encode(token).toBase64();
    return Promise.resolve({ authorization: `Basic ${basic}` });
  },
  async *files(api, token) {
    const reading = new WordpressReading(api, token !== "");
    yield { name: "wordpress.json", content: exportOf(reading) };
  },
};

async function* exportOf(reading: WordpressReading): AsyncGenerator<string> {
  yield '{"wordpress":"rest","elements":';
  yield* jsonArray(reading.elements());
  yield "}";
}

class WordpressReading {
  readonly #api: LiveApi;
  readonly #isSignedIn: boolean;
  readonly #authors = new Map<string, string>();
  readonly #taxonomies = new Map<string, Taxonomy>();
  #siteName = "";

  constructor(api: LiveApi, isSignedIn: boolean) {
    this.#api = api;
    this.#isSignedIn = isSignedIn;
  }

  async *elements(): AsyncGenerator<WxrElement> {
    yield* this.#site();
    yield* this.#terms();
    for await (const files of this.#pages("/wp/v2/media")) yield* files.map(attachmentElement);
    if (this.#isSignedIn) yield* this.#menus();
    const { body } = await this.#api.get("/wp/v2/types");
    const types = isJsonObject(body) ? Object.values(body).filter(isJsonObject) : [];
    if (this.#isSignedIn) yield* this.#items(types.filter(({ slug }) => slug === REUSABLE));
    yield* this.#items(types.filter(({ slug }) => !IGNORED.test(text(slug))));
    yield* this.#comments();
  }

  async *#site(): AsyncGenerator<WxrElement> {
    const { body } = await this.#api.get("/");
    if (!isJsonObject(body)) return;
    const address = text(body.home) || text(body.url);
    this.#siteName = words(body.name);
    yield element("title", this.#siteName);
    yield element("description", words(body.description));
    yield element("link", address);
    yield element("wp:base_blog_url", address);
    yield element("timezone", text(body.timezone_string));
    if (!this.#isSignedIn) return;
    // Only administrators see the settings.
    const settings = await this.#api.find("/wp/v2/settings");
    const { language } = isJsonObject(settings?.body) ? settings.body : {};
    yield element("language", text(language).replaceAll("_", "-"));
  }

  async *#terms(): AsyncGenerator<WxrElement> {
    const { body } = await this.#api.get("/wp/v2/taxonomies");
    for (const one of Object.values(isJsonObject(body) ? body : {})) {
      if (!isJsonObject(one) || /^(?:nav_menu|wp_.*)$/.test(text(one.slug))) continue;
      const [taxonomy, base] = [text(one.slug), text(one.rest_base)];
      yield labelElement(taxonomy, words(one.name));
      const found: JsonObject[] = [];
      for await (const terms of this.#pages(`/wp/v2/${base}`)) found.push(...terms);
      const terms = new Map(found.map(({ id, slug, name }) => [
        String(id),
        { slug: text(slug), name: words(name) },
      ]));
      this.#taxonomies.set(base, { name: taxonomy, terms });
      for (const term of found) {
        yield termElement(term, taxonomy, terms.get(String(term.parent))?.slug ?? "");
      }
    }
  }

  /** Menus are shown to users with the right to edit the theme. */
  async *#menus(): AsyncGenerator<WxrElement> {
    const menus = new Map<string, JsonObject>();
    for await (const found of this.#pages("/wp/v2/menus")) {
      for (const menu of found) menus.set(String(menu.id), menu);
    }
    if (menus.size === 0) return;
    for await (const items of this.#pages("/wp/v2/menu-items")) {
      yield* items.map((item) => menuItemElement(item, menus.get(String(item.menus)) ?? {}));
    }
  }

  async *#items(types: readonly JsonObject[]): AsyncGenerator<WxrElement> {
    for (const type of types) {
      const slug = text(type.slug);
      const path = `/wp/v2/${text(type.rest_base)}`;
      const view = await this.#viewOf(path);
      if (this.#isSignedIn && view !== VIEWS[0]) {
        const what = view === "" ? "Drafts and private items" : "Private items";
        yield element("warning", `${what} of "${words(type.name)}" are hidden from the token`);
      }
      yield labelElement(slug, words(type.name));
      for await (const posts of this.#pages(path, view)) {
        yield* await this.#unknownAuthors(posts);
        const names = {
          authors: this.#authors,
          taxonomies: this.#taxonomies,
          siteName: this.#siteName,
        };
        for (const post of posts) yield itemElement(post, slug, names);
      }
    }
  }

  /** The most that the token shows of a type. */
  async #viewOf(path: string): Promise<string> {
    if (!this.#isSignedIn) return "";
    for (const view of VIEWS) {
      if (await this.#api.find(pagePath(path, 1, view), REFUSED) !== null) return view;
    }
    return "";
  }

  /** The authors of posts that are not known yet: other users of a site have nothing to do with its content. */
  async #unknownAuthors(posts: readonly JsonObject[]): Promise<WxrElement[]> {
    const ids = new Set(posts.map(({ author }) => String(author ?? 0)));
    const unknown = [...ids].filter((id) => id !== "0" && !this.#authors.has(id));
    if (unknown.length === 0) return [];
    // An author who is not shown is asked for once.
    for (const id of unknown) this.#authors.set(id, "");
    const found: WxrElement[] = [];
    for await (const users of this.#pages("/wp/v2/users", `&include=${unknown.join(",")}`)) {
      for (const user of users) {
        this.#authors.set(String(user.id), text(user.slug));
        found.push(authorElement(user));
      }
    }
    return found;
  }

  async *#comments(): AsyncGenerator<WxrElement> {
    const answer = await this.#api.find("/wp/v2/comments?per_page=1");
    const count = Number(answer?.headers["x-wp-totalpages"] ?? 0);
    if (count > 0) yield element("comments", String(count));
  }

  async *#pages(path: string, more = ""): AsyncGenerator<JsonObject[]> {
    for (let page = 1;; page++) {
      const query = pagePath(path, page, more);
      // A list that this user may not read has no rows.
      const answer: ApiAnswer | null = page === 1
        ? await this.#api.find(query)
        : await this.#api.get(query);
      if (answer === null) return;
      yield objectsOf(answer.body);
      if (page >= Number(answer.headers["x-wp-totalpages"] ?? 1)) return;
    }
  }
}

function pagePath(path: string, page: number, more: string): string {
  return `${path}?per_page=${PAGE}&page=${page}&orderby=id&order=asc${more}`;
}
