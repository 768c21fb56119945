/**
 * All content as one JSON file: definitions, documents and the addresses of media. Another site of this service reads it
 * back as it is.
 *
 * @module
 */
import { mediaUrl } from "../../../kv/model/entities/media.ts";
import type { ExportScope } from "./export_scope.ts";

/** The format of the file. */
const CMS_FORMAT = 1;

/** The file, piece by piece. */
export async function* jsonExport(scope: ExportScope, siteUrl: string): AsyncGenerator<string> {
  const collections = scope.collections.map(({ slug, name, description, fields }) => ({
    slug,
    name,
    description,
    fields: fields.map(({ name, label, type, required, help, options, indexed, sortable }) => {
      return { name, label, type, required, help, options, indexed, sortable };
    }),
  }));
  yield `{"cms":{"format":${CMS_FORMAT},"site":${JSON.stringify(siteUrl)}},\n`;
  yield `"collections":${JSON.stringify(collections)},\n"documents":[`;
  let separator = "\n";
  for (const collection of scope.collections) {
    for await (const document of scope.documentsOf(collection)) {
      await scope.loadMedia(document);
      yield `${separator}${JSON.stringify({ _collection: collection.slug, ...document.wire })}`;
      separator = ",\n";
    }
  }
  const media = scope.media.map((medium) => {
    const { id, filename, alt } = medium;
    return { id, filename, alt, url: `${siteUrl}${mediaUrl(medium)}` };
  });
  yield `\n],\n"media":${JSON.stringify(media)}}\n`;
}
