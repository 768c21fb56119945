/**
 * Every format that is read, in the order in which they are recognized: the special ones before those that they are
 * written in.
 *
 * @module
 */
import type { TransferKind } from "../../../kv/model/transfers/plan.ts";
import { BadSource, type ReadableFile } from "../reading/source_file.ts";
import { headText } from "../reading/text_stream.ts";
import { csv, tsv } from "./csv.ts";
import type { HeadedFile, TransferFormat } from "./format.ts";
import { cms } from "./cms.ts";
import { contentful } from "./contentful.ts";
import { directus } from "./directus.ts";
import { ghost } from "./ghost.ts";
import { json, ndjson } from "./json.ts";
import { markdown } from "./markdown/markdown_folder.ts";
import { payload } from "./payload.ts";
import { sanity } from "./sanity.ts";
import { strapi } from "./strapi.ts";
import { wxr } from "./wordpress/wxr.ts";

const FORMATS: readonly TransferFormat[] = [
  cms,
  wxr,
  strapi,
  directus,
  ghost,
  contentful,
  payload,
  sanity,
  markdown,
  ndjson,
  json,
  tsv,
  csv,
];

/** Files whose first characters tell nothing. */
const MEDIA = /\.(?:jpe?g|png|gif|webp|avif|svg|ico|mp4|webm|mov|mp3|ogg|wav|pdf|woff2?|ttf|zip)$/i;
/** Files whose first characters are read. */
const HEADS = 200;

/** The format of an upload: the given kind, or the one that its files are of. */
export async function findFormat(
  files: readonly ReadableFile[],
  kind: TransferKind | null,
): Promise<TransferFormat> {
  if (kind !== null) {
    const format = FORMATS.find((one) => one.kind === kind);
    if (format === undefined) throw new BadSource(`Sources of the kind ${kind} cannot be read yet`);
    return format;
  }
  const headed: HeadedFile[] = [];
  let heads = 0;
  for (const file of files) {
    const isRead = !MEDIA.test(file.path) && heads < HEADS;
    if (isRead) heads += 1;
    headed.push({ ...file, head: isRead ? await headText(file) : "" });
  }
  const format = FORMATS.find((one) => one.matches(headed)) ??
    (headed.some(({ head }) => /^[^\n]*[,;\t][^\n]*\n/.test(head)) ? csv : undefined);
  if (format === undefined) {
    throw new BadSource("The kind of the source is not recognized: name it with ?kind=");
  }
  return format;
}
