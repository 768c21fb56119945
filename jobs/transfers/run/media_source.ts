/**
 * Where the bytes of an asset of a source are: in the archive, or at an address that the plan allows.
 *
 * @module
 */
import { decodedUri } from "../../../kv/model/primitives/decoded_uri.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { SNIFF_BYTES, sniffType } from "../../../kv/media/file_bytes.ts";
import { MEDIA_MIMES, type MediaMime } from "../../../kv/model/entities/media.ts";
import { type FileKind, fileMimes } from "../../../kv/model/values/file_type.ts";
import type { FileIndex } from "../reading/file_index.ts";
import type { SourceFile } from "../reading/source_file.ts";
import type { SourceAsset } from "./transfer_facts.ts";
import type { TransferRun } from "./transfer_run.ts";

/** Prefixes that systems put in front of the paths of an export's own files. */
const PREFIX = /^(?:__GHOST_URL__\/|(?:image|file)@(?:file:\/\/)?|file:\/\/|archive:)\.?\/*/;

/** The bytes of an asset, or why there are none. */
export type MediaSource =
  & { asset: SourceAsset }
  & ({ file: SourceFile } | { url: string } | { missing: string });

/** The name that an asset is remembered by: sizes that WordPress made of an image are the image itself. */
export function assetName({ facts }: Pick<TransferRun, "facts">, address: string): string {
  const { assets = {} } = facts.facts;
  const whole = address.replace(/-\d{1,5}x\d{1,5}(?=\.[a-z]{3,4}(?:$|\?))/i, "");
  for (const name of [address, whole, withOtherScheme(whole)]) {
    if (Object.hasOwn(assets, name)) return assets[name]?.key ?? name;
  }
  return address;
}

function withOtherScheme(address: string): string {
  return address.startsWith("https:")
    ? address.replace("https:", "http:")
    : address.replace("http:", "https:");
}

/** Where an asset is. */
export function findMedia(
  { plan: { media }, facts, files }: Pick<TransferRun, "plan" | "facts" | "files">,
  address: string,
): MediaSource {
  const { assets = {} } = facts.facts;
  const asset = ownValue(assets, address) ?? { url: address };
  const file = media.from.includes("archive") ? findFile(files, asset) : undefined;
  if (file !== undefined) return { asset, file };
  const url = URL.parse(asset.url?.startsWith("//") ? `https:${asset.url}` : asset.url ?? "");
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { asset, missing: "The file is not in the archive" };
  }
  if (!media.from.includes("addresses")) {
    return { asset, missing: "The plan does not fetch files from addresses" };
  }
  if (!media.hosts.includes(url.host)) {
    return { asset, missing: `The plan does not fetch files from ${url.host}` };
  }
  return { asset, url: url.href };
}

/** The types of files that the site takes. */
export async function allowedTypes(
  { deps: { settings } }: Pick<TransferRun, "deps">,
): Promise<MediaMime[]> {
  const kinds = await settings.get<FileKind[] | null>("media.file_types");
  return [...MEDIA_MIMES, ...fileMimes(kinds ?? [])];
}

/** Whether a run would make an asset of an address, as far as is known without fetching it. */
export async function isAccepted(
  run: Pick<TransferRun, "plan" | "facts" | "files" | "context" | "deps">,
  address: string,
): Promise<boolean> {
  const found = findMedia(run, address);
  if ("missing" in found) return false;
  if ("url" in found) return true;
  const { file } = found;
  const range = { start: 0, end: Math.min(SNIFF_BYTES, file.bytes) };
  const stream = await run.context.objects.getStream(file.object, range);
  if (stream === null) return false;
  const head = new Uint8Array(await new Response(stream as ReadableStream<never>).arrayBuffer());
  const type = await sniffType(head);
  return type !== null && (await allowedTypes(run)).includes(type);
}

/** The file of an archive that an address means: by its whole path, or by the end of it. */
function findFile(
  files: FileIndex<SourceFile>,
  { url, path }: SourceAsset,
): SourceFile | undefined {
  for (const given of [path, url]) {
    if (given === undefined || given === "") continue;
    const wanted = plainPath((URL.parse(given)?.pathname ?? given).replace(PREFIX, ""))
      .replace(/^\/+/, "");
    if (wanted === "") continue;
    // `https://example.org/wp-content/uploads/2019/a.png` and `uploads/2019/a.png`.
    const found = files.find(wanted) ?? (isFetched(given) ? files.findInside(wanted) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isFetched(address: string): boolean {
  return /^https?:/i.test(address);
}

/** A path without what follows it in an address. */
function plainPath(address: string): string {
  return decodedUri(address.split(/[?#]/)[0] ?? address);
}
