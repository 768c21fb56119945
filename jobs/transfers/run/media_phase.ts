/**
 * The phase of media: every file that rows of a part name becomes an asset, unless it has become one before. What is
 * missing is listed, and keeps no document back unless the plan says so.
 *
 * @module
 */
import { createMedia, findMedia as findMedium, undeleteMedia } from "../../../kv/media/media.ts";
import { storeUpload } from "../../../kv/media/upload.ts";
import { MEDIA_BYTES_MAX } from "../../../kv/limits/media.ts";
import { AltText } from "../../../kv/model/entities/media.ts";
import { MediaFolder } from "../../../kv/model/entities/media_folder.ts";
import { hasNestedValues } from "../../../kv/model/fields/types/registry.ts";
import type { PlanField } from "../../../kv/model/transfers/plan.ts";
import { mediaFilename } from "../../../kv/model/values/media_name.ts";
import { currentKey } from "../../../kv/keys.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { namedJobId } from "../../../kv/jobs/jobs.ts";
import { decodedUri } from "../../../kv/model/primitives/decoded_uri.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { fileRow, findAssets } from "../../../kv/transfers/file_marks.ts";
import {
  keyOfRow,
  stageTransferChange,
  type Transferred,
} from "../../../kv/transfers/transfer_changes.ts";
import { REDIRECTS_MAX, TRANSFER_FETCHES_MAX, TRANSFER_MEDIUM_MS_MAX } from "../../limits.ts";
import { AddressRefused, isTemporary } from "../../network/guarded_request.ts";
import { fileHeaders } from "../live/live_source.ts";
import { readRows } from "../reading/row_store.ts";
import {
  allowedTypes,
  assetName,
  findMedia,
  isAccepted,
  type MediaSource,
} from "./media_source.ts";
import { partName, type StoredLine, writeLines } from "./report.ts";
import { addressesOf } from "./row_lookup.ts";
import { type PlannedRows, rowScope, type TransferRun } from "./transfer_run.ts";

/** Attempts to fetch a file. */
const ATTEMPTS = 3;
/** Characters of the time in an id. */
const TIME_CHARS = 10;

/** Brings the files of a part of the rows. */
export async function bringMedia(
  run: TransferRun,
  { collection, stored }: PlannedRows,
  part: number,
): Promise<null> {
  if (!collection.fields.some(canHoldMedia)) return null;
  const rows = await readRows(run.context, run.record, stored, part);
  const addresses = [...new Set(addressesOf(run, rows, rowScope(run, collection)))];
  if (addresses.length === 0) return null;
  const { context, plan: { sourceKey } } = run;
  const assets = await findAssets(context.store, sourceKey, addresses);
  const missing = addresses.filter((_, index) => assets[index] === null);
  const lines: StoredLine[] = [];
  for (let start = 0; start < missing.length; start += TRANSFER_FETCHES_MAX) {
    run.signal.throwIfAborted();
    const group = missing.slice(start, start + TRANSFER_FETCHES_MAX);
    lines.push(...await Promise.all(group.map((address) => bringOne(run, address))));
  }
  if (lines.length > 0) {
    const name = partName("media", stored.index, part);
    await writeLines(context, run.record.id, run.writer.jobId, name, lines);
  }
  return null;
}

function canHoldMedia({ type }: PlanField): boolean {
  return type === "media" || hasNestedValues(type);
}

/** The asset of an address, brought now if it was not brought before; null if it cannot be had. */
export async function bringAsset(run: TransferRun, address: string): Promise<string | null> {
  const name = assetName(run, address);
  const [known] = await findAssets(run.context.store, run.plan.sourceKey, [name]);
  return known ?? (await bringOne(run, name)).id ?? null;
}

async function bringOne(run: TransferRun, address: string): Promise<StoredLine> {
  const line = { source: "media", sourceId: address, collection: "media", problems: [] };
  const found = findMedia(run, address);
  if ("missing" in found) return failed(line, found.missing);
  if (run.isDry) {
    return await isAccepted(run, address)
      ? { ...line, status: "created" }
      : failed(line, new Refusal("UNSUPPORTED_MEDIA_TYPE").message);
  }
  try {
    return { ...line, status: "created", id: await makeMedium(run, address, found) };
  } catch (error) {
    if (run.signal.aborted) throw error;
    if (error instanceof Refusal && error.code === "UNAVAILABLE") throw error;
    if (error instanceof Refusal) return failed(line, error.message);
    // The response must not reveal whether an internal host exists.
    const isRefused = error instanceof AddressRefused;
    run.context.log.info("transfer: a file is missing", { reason: String(error) });
    return failed(line, isRefused ? "The address is not public" : "The file cannot be fetched");
  }
}

function failed(line: Omit<StoredLine, "status">, message: string): StoredLine {
  const problems = [{ path: "", code: "INVALID_REFERENCE", message, value: line.sourceId }];
  return { ...line, status: "failed", problems };
}

/** The id of the asset of an address: the same for every attempt, unless the asset was deleted for good since. */
async function mediumId(
  { context: { store }, writer: { transferId } }: TransferRun,
  address: string,
): Promise<string> {
  let name = `transfer ${transferId} ${address}`;
  for (;;) {
    const id = transferId.slice(0, TIME_CHARS) + namedJobId(name).slice(TIME_CHARS);
    const { value } = await store.get<CurrentRow>(currentKey("media_metadata", id));
    if (!value?.gone) return id;
    // An id is never used twice.
    name = `${name} after ${id}`;
  }
}

async function makeMedium(
  run: TransferRun,
  address: string,
  found: Exclude<MediaSource, { missing: string }>,
): Promise<string> {
  const { context, actor, plan: { sourceKey, media }, writer } = run;
  const id = await mediumId(run, address);
  const row = fileRow(sourceKey, address);
  const { jobId } = writer;
  const mark: Transferred = { id, hash: "", jobId, did: "created" };
  const present = await findMedium(context, id);
  if (present !== null) {
    if (present.deletedAt !== null) await undeleteMedia(context, actor, id);
    await context.store.commit(new Operation().set(keyOfRow(row), mark));
    return id;
  }
  const types = await allowedTypes(run);
  const upload = await storeUpload(context, await bytesOf(run, found), { types });
  const { alt = "", filename, focus } = found.asset;
  const folder = MediaFolder.safeParse(media.folder);
  await createMedia(context, actor, upload, {
    filename: nameOf(filename ?? lastPart(address, found)),
    alt: AltText.safeParse(alt).data ?? "",
    ...(focus && { focus }),
    ...(media.folder !== "" && folder.success && { folder: folder.data }),
  }, {
    id,
    summary: writer.summary,
    also: ({ operation }, _state, n) => {
      operation.set(keyOfRow(row), mark);
      const made = { type: "media_metadata", id } as const;
      stageTransferChange(operation, writer.transferId, made, { before: null, n, row }, null);
    },
  });
  return id;
}

function lastPart(address: string, found: Exclude<MediaSource, { missing: string }>): string {
  const path = "file" in found ? found.file.path : URL.parse(found.url)?.pathname ?? address;
  return decodedUri(path.split("/").at(-1) ?? "file");
}

function nameOf(name: string): string {
  try {
    return mediaFilename(name);
  } catch {
    return "file";
  }
}

async function bytesOf(
  { context, deps, record, signal }: TransferRun,
  found: Exclude<MediaSource, { missing: string }>,
): Promise<AsyncIterable<Uint8Array>> {
  if ("file" in found) {
    const stream = await context.objects.getStream(found.file.object);
    if (stream === null) throw new Error("The file of the archive is gone");
    return stream;
  }
  const call = { url: found.url, bytesMax: MEDIA_BYTES_MAX, msMax: TRANSFER_MEDIUM_MS_MAX, signal };
  let headers = await fileHeaders(deps, record, found.url);
  for (let attempt = 1;; attempt++) {
    try {
      // No address that a file leads to gets the token.
      const { status, body } = await deps.request(
        headers === undefined ? { ...call, redirectsMax: REDIRECTS_MAX } : { ...call, headers },
      );
      if (status === 200) return once(body);
      if (headers !== undefined && !isTemporary(status)) {
        headers = undefined;
        continue;
      }
      if (!isTemporary(status) || attempt >= ATTEMPTS) {
        throw new AddressMissing(`The address was answered with status ${status}`);
      }
    } catch (error) {
      const isFinal = error instanceof AddressRefused || error instanceof AddressMissing;
      if (isFinal || attempt >= ATTEMPTS) throw error;
    }
    await context.store.sleep(attempt * 200);
  }
}

/** An address without a file; no repetition mends that. */
class AddressMissing extends Error {
  override name = "AddressMissing";
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
