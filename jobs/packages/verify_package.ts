/**
 * Whether a package is what its publisher signed: the signature covers the exact bytes of the manifest,
 * the manifest the digest of every file, and a setting says whose signatures are believed for which ids.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createPublicKey, verify } from "node:crypto";
import type { z } from "zod";
import { MANIFEST_BYTES_MAX } from "../../kv/limits/packages.ts";
import {
  type Manifest,
  MANIFEST_FILE,
  PackageFault,
  parseManifest,
  SIGNATURE_FILE,
} from "../../kv/model/entities/package_manifest.ts";
import { fitsApi, PACKAGE_API } from "../../kv/model/values/semantic_version.ts";
import type { Publisher } from "../../kv/model/entities/setting.ts";
import { joinBytes } from "../../kv/objects/object_bytes.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import type { PackageFiles } from "./read_package.ts";

/** Stands in front of what is signed, so that no signature is good for anything else. */
const SIGNATURE_DOMAIN = "cms-package-v1\n";

/** DER of an Ed25519 public key, up to its 32 bytes. */
const KEY_HEAD = Uint8Array.of(0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0);
const SIGNATURE = /^([a-zA-Z0-9._-]{1,64}) ([A-Za-z0-9+/]{86}==)\n?$/;

/** A publisher as the setting spells it. */
export type PublisherKey = z.infer<typeof Publisher>;

/** The keys that a package is verified with. */
export interface Trust {
  publishers: readonly PublisherKey[];
  /** Epoch seconds. */
  at: number;
}

/** The bytes that a signature covers. */
export function signedBytes(manifest: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinBytes([new TextEncoder().encode(SIGNATURE_DOMAIN), manifest]);
}

/** The manifest of a package that can be believed; throws a {@linkcode PackageFault} otherwise. */
export function verifyPackage(files: PackageFiles, trust: Trust): Manifest {
  const bytes = files.get(MANIFEST_FILE)!;
  if (bytes.byteLength > MANIFEST_BYTES_MAX) {
    throw new PackageFault(`${MANIFEST_FILE} has over ${MANIFEST_BYTES_MAX} bytes`);
  }
  // Nothing of the manifest is read before its signature is known to be good.
  const publisher = verifySignature(bytes, files.get(SIGNATURE_FILE)!, trust);
  const manifest = parseManifest(bytes);
  if (manifest.publisher !== publisher.id) {
    throw new PackageFault(`The manifest names another key than the one that signed it`);
  }
  if (!manifest.id.startsWith(publisher.prefix)) {
    throw new PackageFault(`The key ${publisher.id} may not sign ${manifest.id}`);
  }
  if (!fitsApi(manifest.api)) {
    throw new PackageFault(`The package is for api ${manifest.api}, this is ${PACKAGE_API}`);
  }
  verifyFiles(files, new Map(Object.entries(manifest.files)));
  return manifest;
}

function verifySignature(manifest: Uint8Array, line: Uint8Array, trust: Trust): PublisherKey {
  const text = new TextDecoder().decode(line.subarray(0, 200));
  const [, keyId, signature] = SIGNATURE.exec(text) ?? [];
  if (keyId === undefined || signature === undefined || line.byteLength > 200) {
    throw new PackageFault(`${SIGNATURE_FILE} is not a key id, a space and a signature`);
  }
  const publisher = trust.publishers.find(({ id }) => id === keyId);
  if (publisher === undefined) throw new PackageFault(`The key ${keyId} is not known`);
  if (publisher.revoked) throw new PackageFault(`The key ${keyId} was revoked`);
  if (trust.at < publisher.from) throw new PackageFault(`The key ${keyId} is not valid yet`);
  if (publisher.until !== null && trust.at > publisher.until) {
    throw new PackageFault(`The key ${keyId} is no longer valid`);
  }
  const raw = Uint8Array.from(atob(publisher.publicKey), (character) => character.charCodeAt(0));
  if (raw.byteLength !== 32) throw new PackageFault(`The key ${keyId} is no Ed25519 key`);
  const der = joinBytes([KEY_HEAD, raw]);
  const key = createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" });
  const bytes = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
  if (!verify(null, signedBytes(manifest), key, bytes)) {
    throw new PackageFault(`The signature of ${MANIFEST_FILE} is wrong`);
  }
  return publisher;
}

function verifyFiles(files: PackageFiles, listed: ReadonlyMap<string, string>): void {
  for (const path of listed.keys()) {
    if (path === MANIFEST_FILE || path === SIGNATURE_FILE) {
      throw new PackageFault(`The manifest lists ${path}, which it cannot know`);
    }
    if (!files.has(path)) throw new PackageFault(`The package lacks ${path}`);
  }
  for (const [path, body] of files) {
    if (path === MANIFEST_FILE || path === SIGNATURE_FILE) continue;
    const digest = listed.get(path);
    if (digest === undefined) throw new PackageFault(`The manifest does not list ${path}`);
    if (sha256(body) !== digest) throw new PackageFault(`${path} is not what was signed`);
  }
}
