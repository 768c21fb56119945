/**
 * What an export of WordPress has that has no place in a document, in words for the report.
 *
 * @module
 */
import { TRANSFER_FILES_NAMED_MAX } from "../../../limits.ts";
import { metaOf } from "./wxr_item.ts";
import { childText, type WxrElement } from "./wxr_reader.ts";

/** Uploaded files in a content, without the size that WordPress adds to their names. */
const FILES = /\/([^\s"'<>/?#\\]+?)(?:-\d{1,5}x\d{1,5})?(\.\w{2,5})(?=["'?#\s\\<)]|$)/g;

/** Counts what is left out. */
export class WxrLeftOut {
  readonly #counts = new Map<string, number>();
  readonly #files: { id: string; name: string }[] = [];
  /** Ids and names of files that something shows. */
  readonly #shown = new Set<string>();
  readonly #galleries = new Set<string>();

  /** Notes an item that becomes a document. */
  item(item: WxrElement, type: string): void {
    const meta = metaOf(item);
    const note = (isThere: boolean, what: string) => {
      if (isThere) this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    };
    const template = meta.get("_wp_page_template")?.trim() ?? "";
    const isFormatted = item.children.some(({ name, attributes }) =>
      name === "category" && attributes.domain === "post_format"
    );
    note(childText(item, "wp:is_sticky").trim() === "1", "Sticky posts, kept like others");
    note(isFormatted, "Post formats, not kept");
    note(template !== "" && template !== "default", "Page templates, not kept");
    note(childText(item, "wp:post_password") !== "", "Items with a password, kept as drafts");
    note(childText(item, "wp:status").trim() === "private", "Private items, kept as drafts");
    note(
      type === "page" && /[1-9]/.test(childText(item, "wp:menu_order")),
      "Page orders, not kept",
    );
    const content = childText(item, "content:encoded");
    for (const [, name = "", extension = ""] of content.matchAll(FILES)) {
      this.#shown.add(name + extension);
    }
    for (const [, ids = ""] of content.matchAll(/\b(?:ids|include)=["']?([\d,\s]+)/gi)) {
      for (const id of ids.split(",")) this.#shown.add(`#${id.trim()}`);
    }
    this.#shown.add(`#${meta.get("_thumbnail_id")?.trim() ?? ""}`);
    if (/\[gallery\b/i.test(content)) this.#galleries.add(childText(item, "wp:post_id").trim());
  }

  /** Notes a file of the media library. */
  file(id: string, url: string): void {
    this.#files.push({ id, name: (URL.parse(url)?.pathname ?? url).split("/").at(-1) ?? url });
  }

  /** What was left out; `attached` are the files that were uploaded to each post. */
  warnings(attached: Readonly<Record<string, readonly string[]>>): string[] {
    for (const id of this.#galleries) {
      for (const file of attached[id] ?? []) this.#shown.add(`#${file}`);
    }
    const unused = this.#files
      .filter(({ id, name }) => !this.#shown.has(`#${id}`) && !this.#shown.has(name))
      .map(({ name }) => name);
    const named = unused.slice(0, TRANSFER_FILES_NAMED_MAX).join(", ");
    const more = unused.length > TRANSFER_FILES_NAMED_MAX ? ", …" : "";
    return [
      ...[...this.#counts].map(([what, count]) => `${what}: ${count}`),
      ...(unused.length === 0
        ? []
        : [`Files that no item shows, not taken (${unused.length}): ${named}${more}`]),
    ];
  }
}
