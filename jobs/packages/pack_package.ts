/**
 * Makes a package out of files and signs it: the other side of `verify_package.ts`.
 *
 * @module
 */
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import { Buffer } from "node:buffer";
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { packTar } from "modern-tar";
import { z } from "zod";
import {
  MANIFEST_FILE,
  PackageFault,
  parseManifest,
  SIGNATURE_FILE,
} from "../../kv/model/entities/package_manifest.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { DEFAULT_THEME } from "../render/theme/default/theme.ts";
import { checkPackage } from "./check_package.ts";
import { type PackageFiles, readPackage } from "./read_package.ts";
import { signedBytes } from "./verify_package.ts";

/** A key to sign with, as it is kept in a file. */
export const SigningKey = z.strictObject({
  id: z.string().regex(/^[a-zA-Z0-9._-]{1,64}$/),
  /** PKCS 8, base64. */
  privateKey: z.base64(),
  /** The 32 bytes that the setting `packages.publishers` names, base64. */
  publicKey: z.base64(),
  /** The prefix of the IDs of its packages; keys of the first versions have none. */
  prefix: z.string().optional(),
});
export type SigningKey = z.infer<typeof SigningKey>;

/** A manifest without its key and digests. */
export type ManifestDraft = Record<string, unknown>;

/** The length of what stands before the raw bytes of a public key in its DER. */
const KEY_HEAD_BYTES = 12;

/** A new key. */
export function newSigningKey(id: string, prefix?: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(KEY_HEAD_BYTES);
  return {
    id,
    privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    publicKey: raw.toString("base64"),
    ...(prefix !== undefined && { prefix }),
  };
}

/** The line that proves a manifest. */
export function signatureLine(manifest: Uint8Array, key: SigningKey): Uint8Array<ArrayBuffer> {
  const der = Buffer.from(key.privateKey, "base64");
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const signature = sign(null, signedBytes(manifest), privateKey).toString("base64");
  return new TextEncoder().encode(`${key.id} ${signature}\n`);
}

/** A signed package of files; refuses what no site would install. */
export async function packPackage(
  draft: ManifestDraft,
  files: PackageFiles,
  key: SigningKey,
): Promise<Uint8Array<ArrayBuffer>> {
  const digests = [...files].map(([path, body]) => [path, sha256(body)]);
  const full = { ...draft, publisher: key.id, files: Object.fromEntries(digests) };
  const manifest = new TextEncoder().encode(JSON.stringify(full, null, 2) + "\n");
  const parsed = parseManifest(manifest);
  if (!parsed.id.startsWith(key.prefix ?? "")) {
    throw new PackageFault(
      `the key ${key.id} signs what begins with ${key.prefix}, and the manifest says ${parsed.id}`,
    );
  }
  checkPackage(parsed, files);
  const packed = await packFiles([
    [MANIFEST_FILE, manifest],
    [SIGNATURE_FILE, signatureLine(manifest, key)],
    ...files,
  ]);
  await readPackage(packed, parsed.kind);
  return packed;
}

/** Files as a gzip tarball. */
export async function packFiles(
  files: Iterable<readonly [string, Uint8Array]>,
): Promise<Uint8Array<ArrayBuffer>> {
  const entries = [...files].map(([name, data]) => ({
    header: {
      name,
      size: data.byteLength,
      type: "file" as const,
      mode: 0o644,
      mtime: new Date(0),
    },
    data: new Uint8Array(data),
  }));
  const stream = new Blob([await packTar(entries)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The default theme as the files of a package. */
export function defaultThemeFiles(): PackageFiles {
  const encoder = new TextEncoder();
  const files = new Map<string, Uint8Array>();
  files.set("theme.json", encoder.encode(JSON.stringify({ name: "Default" }) + "\n"));
  for (const [name, text] of Object.entries(DEFAULT_THEME.templates)) {
    files.set(`templates/${name}.liquid`, encoder.encode(text));
  }
  for (const [name, { body }] of Object.entries(DEFAULT_THEME.assets)) {
    files.set(`assets/${name}`, body);
  }
  return files;
}

/** The manifest of the default theme. */
export const DEFAULT_THEME_MANIFEST: ManifestDraft = {
  id: "site.cms.default-theme",
  kind: "theme",
  version: "1.0.0",
  api: ">=1 <2",
  name: "Default",
  capabilities: [],
  hosts: [],
  hooks: [],
  settings: {},
};

/** The draft of a manifest as a folder has it; the key and the digests are put in when it is packed. */
export function parseDraft(text: string): ManifestDraft {
  const draft: unknown = JSON.parse(text);
  if (!isJsonObject(draft)) throw new PackageFault(`${MANIFEST_FILE} is not an object`);
  return draft as ManifestDraft;
}
