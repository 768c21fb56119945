/**
 * The files of a transfer: a form with up to twenty of them, streamed to the object store, or an address.
 *
 * @module
 */
import { z } from "zod";
import { type Context, sealSecret } from "../../../kv/context.ts";
import {
  TRANSFER_BYTES_MAX,
  TRANSFER_FILES_MAX,
  TRANSFER_NAME_CHARS_MAX,
  TRANSFER_TOKEN_CHARS_MAX,
} from "../../../kv/limits/transfers.ts";
import { ADDRESS_CHARS_MAX } from "../../../kv/limits/packages.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import {
  hasApi,
  LIVE_KINDS,
  TRANSFER_KINDS,
  type TransferKind,
} from "../../../kv/model/transfers/plan.ts";
import { transferFilePath } from "../../../kv/objects/paths.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import type { TransferFile } from "../../../kv/transfers/transfers.ts";
import { readJsonObject } from "../../input/body.ts";
import { readMultipart } from "../../input/multipart.ts";

/** The REST API of WordPress: the same kind as its export. */
const WORDPRESS = "wordpress";

/** An export on the web, or the API of a site. */
export const TransferAddress = z.strictObject({
  url: z.string().max(ADDRESS_CHARS_MAX).refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
    "Must be an http or https address",
  ),
  kind: z.enum([...TRANSFER_KINDS, WORDPRESS]).exactOptional(),
  /** Of the API at the address. */
  token: z.string().max(TRANSFER_TOKEN_CHARS_MAX).regex(/^[!-~]*(?: [!-~]+)*$/).exactOptional(),
  name: z.string().max(TRANSFER_NAME_CHARS_MAX).exactOptional(),
});

/** What was sent. */
export interface TransferUpload {
  files: TransferFile[];
  url?: string;
  isLive?: true;
  token?: string;
  name: string;
  kind: TransferKind | null;
}

/** Reads the body of a new transfer; its files lie below the transfer's id. */
export async function receiveTransfer(
  context: Context,
  request: Request,
  id: string,
): Promise<TransferUpload> {
  const kind = parseKind(new URL(request.url).searchParams.getAll("kind"));
  if (isForm(request)) {
    const { files, name, key } = await receiveFiles(context, request, id);
    return {
      files,
      name: name || files[0]?.name || "upload",
      kind,
      ...(key !== "" && { token: sealSecret(context, key) }),
    };
  }
  const { url, name, kind: named, token } = parseBody(
    TransferAddress,
    await readJsonObject(request),
  );
  const known = kind ?? (named === WORDPRESS ? "wxr" : named ?? null);
  const isLive = token !== undefined || named === WORDPRESS || isApi(url, known);
  if (isLive && !hasApi(known)) {
    const message = `Must be one of ${LIVE_KINDS.join(", ")} for an API`;
    throw invalid("kind", known === null ? "REQUIRED" : "INVALID_CHOICE", message);
  }
  const { pathname = "", host = url } = URL.parse(url) ?? {};
  const initial = isLive ? host : pathname.split("/").at(-1) || host;
  return {
    files: [],
    url,
    ...(isLive && { isLive }),
    ...(token !== undefined && { token: sealSecret(context, token) }),
    name: name || initial,
    kind: known,
  };
}

/** Whether an address is that of an API: no file of an export is there. */
function isApi(url: string, kind: TransferKind | null): boolean {
  return hasApi(kind) && !/\.[a-z0-9]{2,6}$/i.test(URL.parse(url)?.pathname ?? "");
}

/** Whether the body of a request is a form with files. */
export function isForm({ headers }: Request): boolean {
  return /^multipart\//i.test(headers.get("content-type") ?? "");
}

function parseKind(values: readonly string[]): TransferKind | null {
  const [value, again] = values;
  if (value === undefined) return null;
  const kind = TRANSFER_KINDS.find((one) => one === value);
  if (kind === undefined || again !== undefined) {
    throw invalid("kind", "INVALID_CHOICE", `Must be one of ${TRANSFER_KINDS.join(", ")}`);
  }
  return kind;
}

/** Streams the files of a form to the object store. If it fails, nothing remains. */
export async function receiveFiles(
  context: Context,
  request: Request,
  id: string,
): Promise<{ files: TransferFile[]; name: string; key: string }> {
  const files: TransferFile[] = [];
  let bytes = 0;
  try {
    const fields = await readMultipart(request, {
      bytesMax: TRANSFER_BYTES_MAX,
      // One more, which is refused by its name.
      filesMax: TRANSFER_FILES_MAX + 1,
      fieldsMax: 5,
      now: context.now,
      onFile: async ({ name, filename, stream }) => {
        if (name !== "file") throw invalid(name, "UNKNOWN_KEY", "Unknown form field");
        if (files.length >= TRANSFER_FILES_MAX) {
          throw invalid("file", "TOO_LONG", `At most ${TRANSFER_FILES_MAX} files`);
        }
        const object = transferFilePath(id, context.newId(context.now()));
        const stored = await context.objects.putStream(object, ReadableStream.from(stream));
        bytes += stored.bytes;
        files.push({ name: plainName(filename), bytes: stored.bytes, object });
        if (bytes > TRANSFER_BYTES_MAX) throw new Refusal("PAYLOAD_TOO_LARGE");
      },
    });
    if (files.length === 0) throw invalid("file", "REQUIRED", "A file is required");
    const unknown = fields.find(({ name }) => name !== "name" && name !== "key");
    if (unknown !== undefined) throw invalid(unknown.name, "UNKNOWN_KEY", "Unknown form field");
    const valueOf = (name: string) => fields.find((one) => one.name === name)?.value ?? "";
    const name = valueOf("name").trim().slice(0, TRANSFER_NAME_CHARS_MAX);
    return { files, name, key: valueOf("key").slice(0, TRANSFER_TOKEN_CHARS_MAX) };
  } catch (error) {
    await Promise.all(files.map(({ object }) => context.objects.delete(object)));
    throw error;
  }
}

/** The last part of a file's name, without what no name may have. */
function plainName(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? "";
  return last.replace(/[\x00-\x1f\x7f]/g, "").slice(0, 200) || "file";
}
