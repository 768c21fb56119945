/**
 * The body that brings a package: its bytes as a part, or the address to download it from. It is looked
 * into, or installed by a job.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { z } from "zod";
import type { InstallRequest } from "../../../kv/jobs/payloads.ts";
import {
  downloadPackage,
  type PackageFacts,
  packageFacts,
} from "../../../jobs/packages/package_facts.ts";
import type { Context } from "../../../kv/context.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import {
  ADDRESS_CHARS_MAX,
  CAPABILITY_CHARS_MAX,
  PACKAGE_BYTES_MAX,
} from "../../../kv/limits/packages.ts";

import { PackageFault, type PackageKind } from "../../../kv/model/entities/package_manifest.ts";
import { refuseCapabilitiesBeyond } from "../../../kv/model/entities/token_cover.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { packageUploadPath } from "../../../kv/objects/paths.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { type MultipartField, readMultipart } from "../../input/multipart.ts";
import { ACCEPTED_CAPABILITIES_MAX } from "../../input/limits.ts";

const Consent = {
  accept: z.array(z.string().max(CAPABILITY_CHARS_MAX)).max(ACCEPTED_CAPABILITIES_MAX).default([]),
  downgrade: z.boolean().default(false),
};
const UploadFields = z.strictObject(Consent);
const url = z.url({ protocol: /^https?$/ }).max(ADDRESS_CHARS_MAX);
/** A package on the web, and what is accepted of it. */
export const AddressBody = z.strictObject({ ...Consent, url });
const BareAddressBody = z.strictObject({ url });
const NoFields = z.strictObject({});

/** Takes a package in, as bytes or address, and starts its INSTALL; answers the job's id. */
export async function startInstall(
  { content: { context, schema } }: Deps,
  c: HttpContext<AdminEnv>,
  kind: PackageKind,
): Promise<string> {
  const upload = context.newId(context.now());
  const consent = isUpload(c)
    ? { url: null, ...await receive(context, c, kind, upload) }
    : parseBody(AddressBody, await readJsonObject(c.req.raw));
  try {
    refuseCapabilitiesBeyond(c.get("session"), consent.accept, await schema.current());
  } catch (error) {
    await context.objects.delete(packageUploadPath(upload));
    throw error;
  }
  const payload = { kind, upload, ...consent, userId: c.get("session").userId };
  const operation = new Operation();
  const jobId = addJob(operation, context, {
    type: "INSTALL",
    payload: payload satisfies InstallRequest,
  });
  await context.store.commit(operation);
  return jobId;
}

/** The manifest and capabilities of a package; nothing is stored. */
export async function inspectPackage(
  { packages, content: { context } }: Deps,
  c: HttpContext<AdminEnv>,
  kind: PackageKind,
): Promise<PackageFacts> {
  const field = isUpload(c) ? "package" : "url";
  try {
    const packed = isUpload(c)
      ? await readPacked(context, c, kind)
      : await downloadPackage(packages.request, await addressIn(c), kind);
    return await packageFacts(packages, packed, kind);
  } catch (error) {
    if (!(error instanceof PackageFault)) throw error;
    const details = [{ field, code: "INVALID_CHOICE" as const, message: error.message }];
    throw new Refusal("VALIDATION_FAILED", { details }, { cause: error });
  }
}

function isUpload(c: HttpContext<AdminEnv>): boolean {
  return /^multipart\/form-data\b/i.test(c.req.header("content-type") ?? "");
}

async function addressIn(c: HttpContext<AdminEnv>): Promise<string> {
  return parseBody(BareAddressBody, await readJsonObject(c.req.raw)).url;
}

async function readPacked(
  { now }: Context,
  c: HttpContext<AdminEnv>,
  kind: PackageKind,
): Promise<Uint8Array> {
  const bytesMax = PACKAGE_BYTES_MAX[kind].packed;
  let packed: Uint8Array | null = null;
  const fields = await readMultipart(c.req.raw, {
    bytesMax,
    fieldsMax: 1,
    now,
    onFile: async ({ name, stream }) => {
      if (name !== "package") throw invalid(name, "UNKNOWN_KEY", "Unknown form field");
      packed = joinBytes(await Array.fromAsync(counted(stream, bytesMax)));
    },
  });
  if (packed === null) throw invalid("package", "REQUIRED", "A package is required");
  parseBody(NoFields, Object.fromEntries(fields.map(({ name, value }) => [name, value])));
  return packed;
}

async function receive(
  { objects, now }: Context,
  c: HttpContext<AdminEnv>,
  kind: PackageKind,
  upload: string,
): Promise<z.infer<typeof UploadFields>> {
  const bytesMax = PACKAGE_BYTES_MAX[kind].packed;
  let received = false;
  const key = packageUploadPath(upload);
  try {
    const fields = await readMultipart(c.req.raw, {
      bytesMax,
      fieldsMax: ACCEPTED_CAPABILITIES_MAX + 1,
      now,
      onFile: async ({ name, stream }) => {
        if (name !== "package") throw invalid(name, "UNKNOWN_KEY", "Unknown form field");
        await objects.putStream(key, ReadableStream.from(counted(stream, bytesMax)));
        received = true;
      },
    });
    if (!received) throw invalid("package", "REQUIRED", "A package is required");
    return parseBody(UploadFields, fieldsOf(fields));
  } catch (error) {
    if (received) await objects.delete(key);
    throw error;
  }
}

async function* counted(
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) throw new Refusal("PAYLOAD_TOO_LARGE");
    yield piece;
  }
}

function fieldsOf(fields: MultipartField[]): Record<string, unknown> {
  const accept = fields.filter(({ name }) => name === "accept").map(({ value }) => value);
  const body: Record<string, unknown> = { accept };
  for (const { name, value } of fields) {
    if (name === "accept") continue;
    body[name] = value === "true" ? true : value === "false" ? false : value;
  }
  return body;
}
