/**
 * The contents and requested permissions of a package, determined before a user agrees to anything. Nothing is
 * stored, and installing checks everything again.
 *
 * @module
 */
import { consentNeeded } from "../../kv/model/entities/capability.ts";
import { seconds } from "../../kv/context.ts";
import { PACKAGE_BYTES_MAX } from "../../kv/limits/packages.ts";
import { PackageFault, type PackageKind } from "../../kv/model/entities/package_manifest.ts";
import { compareVersion } from "../../kv/model/values/semantic_version.ts";
import { findInstalled, type PackageStore } from "../../kv/packages/packages.ts";
import { PACKAGE_CHECK_MS_MAX, PACKAGE_REASONS_MAX, REDIRECTS_MAX } from "../limits.ts";
import { packageReasons } from "./check_package.ts";
import { AddressRefused, type GuardedRequest } from "../network/guarded_request.ts";
import { readPackage } from "./read_package.ts";
import { type PublisherKey, verifyPackage } from "./verify_package.ts";

/** The facts that an administrator sees before accepting a package. */
export interface PackageFacts {
  packageId: string;
  name: string;
  version: string;
  publisher: { id: string; label: string };
  capabilities: string[];
  hosts: string[];
  events: string[];
  /** Capabilities that must be accepted. */
  needed: string[];
  /** Capabilities, then hosts, of the installed version that this one no longer has. */
  dropped: string[];
  newHosts: string[];
  /** The version that is installed, and how this one compares to it. */
  present: { id: string; version: string; order: "newer" | "same" | "older" } | null;
  /** Why it cannot be used; empty when it can. */
  reasons: string[];
}

/** Downloads the bytes of a package; throws a {@linkcode PackageFault} when that cannot be. */
export async function downloadPackage(
  request: GuardedRequest,
  url: string,
  kind: PackageKind,
): Promise<Uint8Array> {
  const bytesMax = PACKAGE_BYTES_MAX[kind].packed;
  const limits = { bytesMax, msMax: PACKAGE_CHECK_MS_MAX, redirectsMax: REDIRECTS_MAX };
  try {
    const { status, body } = await request({ url, ...limits });
    if (status !== 200) throw new PackageFault(`The download was answered with status ${status}`);
    return body;
  } catch (error) {
    if (error instanceof PackageFault) throw error;
    if (error instanceof AddressRefused) {
      throw new PackageFault(error.message, { cause: error });
    }
    // Failures of the other server or the network are reported to the user who named the address.
    const reason = error instanceof Error ? error.message : String(error);
    throw new PackageFault(`The download failed: ${reason}`, { cause: error });
  }
}

/** The facts of a package; throws a {@linkcode PackageFault} if it cannot be trusted. */
export async function packageFacts(
  { context, settings }: PackageStore,
  packed: Uint8Array,
  kind: PackageKind,
): Promise<PackageFacts> {
  const files = await readPackage(packed, kind);
  const publishers = await settings.get<PublisherKey[]>("packages.publishers");
  const manifest = verifyPackage(files, { publishers, at: seconds(context) });
  if (manifest.kind !== kind) {
    throw new PackageFault(`The package is a ${manifest.kind}, not a ${kind}`);
  }
  const { id, name, version, capabilities, hosts, hooks } = manifest;
  const present = await findInstalled(context, id);
  const label = publishers.find((one) => one.id === manifest.publisher)?.label ?? "";
  const gone = (before: string[] = [], now: string[]) => before.filter((one) => !now.includes(one));
  return {
    packageId: id,
    name,
    version,
    publisher: { id: manifest.publisher, label },
    capabilities,
    hosts,
    events: hooks.map(({ event }) => event),
    needed: consentNeeded(manifest, present),
    dropped: [...gone(present?.capabilities, capabilities), ...gone(present?.hosts, hosts)],
    newHosts: gone(hosts, present?.hosts ?? []),
    present: present && {
      id: present.id,
      version: present.version,
      order: orderOf(compareVersion(version, present.version)),
    },
    reasons: packageReasons(manifest, files).slice(0, PACKAGE_REASONS_MAX),
  };
}

function orderOf(compared: number): "newer" | "same" | "older" {
  return compared === 0 ? "same" : compared > 0 ? "newer" : "older";
}
