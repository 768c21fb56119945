/**
 * Systems whose API is read instead of an export: its answers are stored as an export of the system, which is analysed
 * like any other.
 *
 * @module
 */
import { type Context, openSecret } from "../../../kv/context.ts";
import { hasApi, type LiveKind } from "../../../kv/model/transfers/plan.ts";
import { transferFilePath } from "../../../kv/objects/paths.ts";
import type { TransferFile, TransferRecord } from "../../../kv/transfers/transfers.ts";
import type { TransferDeps } from "../run/transfer_deps.ts";
import { contentfulApi } from "./contentful_api.ts";
import { directusApi } from "./directus_api.ts";
import { ghostApi } from "./ghost_api.ts";
import { LiveApi } from "./live_api.ts";
import type { LiveSystem } from "./live_system.ts";
import { payloadApi } from "./payload_api.ts";
import { sanityApi } from "./sanity_api.ts";
import { strapiApi } from "./strapi_api.ts";
import { wordpressApi } from "./wordpress_api.ts";

const SYSTEMS: Readonly<Record<LiveKind, LiveSystem>> = {
  wxr: wordpressApi,
  ghost: ghostApi,
  contentful: contentfulApi,
  strapi: strapiApi,
  directus: directusApi,
  sanity: sanityApi,
  payload: payloadApi,
};

/** How a source is downloaded. */
export interface DownloadOptions {
  signal: AbortSignal;
  /** Called with the number of answers of an API after each. */
  onAnswer: (answers: number) => Promise<void>;
}

/** Reads the API of a transfer's source; answers the files of the export that it makes. */
export async function readLiveSource(
  { request, content: { context } }: TransferDeps,
  { id, generation, url = "", kind, token }: TransferRecord,
  options: DownloadOptions,
): Promise<TransferFile[]> {
  if (!hasApi(kind)) throw new TypeError(`No API is known for the kind ${kind}`);
  const system = SYSTEMS[kind];
  const secret = secretOf(context, { id, token });
  const api = new LiveApi({
    context,
    request,
    transferId: id,
    generation,
    base: system.base(url),
    headers: () => system.headers(secret),
    ...options,
  });
  const files: TransferFile[] = [];
  for await (const { name, content } of system.files(api, secret)) {
    const object = transferFilePath(id, `live-${files.length}`);
    const stream = ReadableStream.from(content).pipeThrough(new TextEncoderStream());
    const { bytes } = await context.objects.putStream(object, stream);
    files.push({ name, bytes, object });
  }
  return files;
}

/** The headers that open a file of the source itself: systems can show their files to users alone. */
export async function fileHeaders(
  { content: { context } }: Pick<TransferDeps, "content">,
  { id, url = "", kind, token, isLive }: TransferRecord,
  address: string,
): Promise<Record<string, string> | undefined> {
  if (isLive !== true || token === undefined || !hasApi(kind)) return undefined;
  const system = SYSTEMS[kind];
  const base = URL.parse(system.base(url));
  if (base === null || URL.parse(address)?.origin !== base.origin) return undefined;
  return await system.headers(secretOf(context, { id, token }));
}

function secretOf(
  context: Context,
  { id, token }: { id: string; token: string | undefined },
): string {
  return token === undefined ? "" : openSecret(context, token, { transfer: id }) ?? "";
}
