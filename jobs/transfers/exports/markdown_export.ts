/**
 * Documents as Markdown files with front matter, in a folder for each collection, with the media that they name.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { portableTextMarkdown } from "../../render/rich_text/portable_text.ts";
import {
  bodyField,
  type ExportedDocument,
  type ExportScope,
  isoOf,
  mediaFile,
  withoutNulls,
} from "./export_scope.ts";

/** A file of an archive. */
export interface ArchiveFile {
  path: string;
  content: string | ReadableStream<Uint8Array>;
}

/** The files of the archive. */
export async function* markdownExport(scope: ExportScope): AsyncGenerator<ArchiveFile> {
  const { stringify } = await import("yaml");
  for (const collection of scope.collections) {
    for await (const document of scope.documentsOf(collection)) {
      await scope.loadMedia(document);
      const front = stringify(frontMatter(document, scope));
      const body = bodyOf(document, scope);
      const path = `content/${collection.slug}/${document.state.slug}.md`;
      yield { path, content: `---\n${front}---\n\n${body}\n` };
    }
  }
  yield* mediaFiles(scope, "media");
}

/** The files of all media that were named. */
export async function* mediaFiles(scope: ExportScope, folder: string): AsyncGenerator<ArchiveFile> {
  for (const medium of scope.media) {
    const content = await scope.bytesOf(medium);
    if (content !== null) yield { path: `${folder}/${mediaFile(medium)}`, content };
  }
}

function frontMatter({ collection, wire, state }: ExportedDocument, scope: ExportScope) {
  const body = bodyField(collection);
  const fields = collection.fields.filter(({ name }) => name !== body).map(
    ({ name, type }): [string, Json] => {
      const value = wire[name] ?? null;
      if (type === "datetime") return [name, isoOf(value)];
      const medium = type === "media" ? scope.loaded(value) : null;
      return [name, medium === null ? value : `../../media/${mediaFile(medium)}`];
    },
  );
  return withoutNulls({
    id: state.id,
    title: state.title,
    slug: state.slug,
    date: isoOf(state.publishedAt ?? state.createdAt),
    ...(state.status !== "published" && { draft: true }),
    ...Object.fromEntries(fields),
  });
}

function bodyOf({ collection, wire }: ExportedDocument, scope: ExportScope): string {
  const name = bodyField(collection);
  if (name === null) return "";
  return portableTextMarkdown(wire[name] ?? [], (node) => {
    const medium = node._type === "image" ? scope.loaded(node.media as Json) : null;
    if (medium === null) return null;
    const alt = String(node.alt ?? medium.alt).replace(/[[\]]/g, "");
    const caption = String(node.caption ?? "").replaceAll('"', "'");
    const title = caption === "" ? "" : ` "${caption}"`;
    return `![${alt}](../../media/${mediaFile(medium)}${title})`;
  });
}
