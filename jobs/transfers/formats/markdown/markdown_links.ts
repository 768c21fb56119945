/**
 * Links and images of Markdown files that lead to other files of their folder.
 *
 * @module
 */
import { decodedUri } from "../../../../kv/model/primitives/decoded_uri.ts";
import { slugify } from "../../../../kv/model/values/slug.ts";
import type { FileIndex } from "../../reading/file_index.ts";
import type { ReadableFile } from "../../reading/source_file.ts";
import { markdownParts } from "../../text/markdown_code.ts";
import type { Place } from "./markdown_place.ts";

/** The files of a source, and the pages among them. */
export interface FolderScope {
  files: FileIndex<ReadableFile>;
  byPath: ReadonlyMap<string, Place>;
}

/** The file that a text names, by a path from its own folder; null if there is none. */
export function fileAt(
  target: string,
  file: ReadableFile,
  { files }: FolderScope,
): string | null {
  if (/^(?:[a-z]+:|\/\/|#)/i.test(target)) return null;
  const clean = decodedUri(target.split(/[?#]/)[0] ?? "");
  const folder = file.path.split("/").slice(0, -1);
  for (const part of clean.split("/")) {
    if (part === "..") folder.pop();
    else if (part !== "." && part !== "") folder.push(part);
  }
  const path = clean.startsWith("/") ? clean.slice(1) : folder.join("/");
  return files.find(path)?.path ?? null;
}

/** Markdown with its relative images as files of the archive, and links to other files as paths of the site. */
export function withPaths(body: string, file: ReadableFile, scope: FolderScope): string {
  let text = "";
  let result = "";
  const end = () => {
    result += linked(text, new Links(file, scope));
    text = "";
  };
  for (const part of markdownParts(body)) {
    if (part.kind !== "fence") text += part.text;
    else {
      end();
      result += part.text;
    }
  }
  end();
  return result;
}

class Links {
  readonly #file: ReadableFile;
  readonly #scope: FolderScope;

  constructor(file: ReadableFile, scope: FolderScope) {
    this.#file = file;
    this.#scope = scope;
  }

  /** Where a link or an image leads. */
  to(target: string, isImage: boolean): string {
    const path = fileAt(target, this.#file, this.#scope);
    if (path === null) return target;
    const page = this.#scope.byPath.get(path);
    if (page !== undefined && !isImage) return pathOf(page);
    return page === undefined ? `archive:${encodeURI(path)}` : target;
  }

  /** The page that a name means wherever it is in the folder: of Obsidian, and of references of Hugo and Jekyll. */
  page(name: string): string | null {
    const { files, byPath } = this.#scope;
    for (const target of [name, `${name}.md`, `${name}.markdown`, `${name}/index.md`]) {
      const plain = target.replace(/^\//, "");
      const path = fileAt(target, this.#file, this.#scope) ?? files.find(plain)?.path;
      const page = path === undefined ? undefined : byPath.get(path);
      if (page !== undefined) return pathOf(page);
    }
    return null;
  }
}

function pathOf({ source, slug }: Place): string {
  return `/${slugify(source)}/${slug}`;
}

function linked(text: string, links: Links): string {
  return references(text, links)
    .replace(
      /!\[\[([^\]|#]+)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]/g,
      (_, name: string, label?: string) => {
        const page = links.page(name.trim());
        // A note inside another is a link to it.
        return page === null
          ? `![](${links.to(name.trim(), true).replaceAll(" ", "%20")})`
          : `[${label ?? name}](${page})`;
      },
    )
    .replace(
      /\[\[([^\]|#]*)(?:#([^\]|]*))?(?:\|([^\]]*))?\]\]/g,
      (_, name: string, heading = "", label?: string) => {
        const words = label ?? (name || heading);
        const target = name.trim() === "" ? `#${slugify(heading)}` : links.page(name.trim());
        return `[${words}](${target ?? `#${slugify(name)}`})`;
      },
    )
    .replace(
      /(!?)\[([^\]]*)\]\(\s*<?([^)\s>]+)>?(\s+["'][^)]*)?\)/g,
      (whole, mark, label, target, title = "") => {
        const next = links.to(target, mark === "!");
        return next === target ? whole : `${mark}[${label}](${next}${title})`;
      },
    )
    .replace(
      /(<img\b[^>]*?\bsrc=["'])([^"']+)/gi,
      (_, before, target) => before + links.to(target, true),
    );
}

/** Text whose references of Hugo and Jekyll are the addresses that they stand for. */
function references(text: string, links: Links): string {
  return text
    .replace(
      /\{\{[<%]\s*(?:rel)?ref\s+["']?([^"'\s>%]+)["']?[^>%]*[>%]\}\}/g,
      (whole, name) => links.page(name.split("#")[0] ?? name) ?? whole,
    )
    .replace(
      /\{%-?\s*(?:post_url|link)\s+["']?([^"'\s%]+)["']?\s*-?%\}/g,
      (whole, name) => links.page(name) ?? links.page(`_posts/${name}`) ?? whole,
    )
    .replace(/\{\{\s*site\.(?:base)?url\s*\}\}/g, "");
}
