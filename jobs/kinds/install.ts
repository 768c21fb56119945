/**
 * INSTALL: brings a theme or plugin in. It is downloaded when an address was given, verified, and takes
 * its place in one commit. Whatever is wrong with it fails the job at once and for good.
 *
 * @module
 */
import { sameJson } from "../../kv/model/values/same_json.ts";
import { consentNeeded } from "../../kv/model/entities/capability.ts";
import { type Context, seconds } from "../../kv/context.ts";
import { type PackageState, stateOfManifest } from "../../kv/model/entities/package.ts";
import {
  type Manifest,
  MANIFEST_FILE,
  PackageFault,
} from "../../kv/model/entities/package_manifest.ts";
import { compareVersion } from "../../kv/model/values/semantic_version.ts";
import { PACKAGE_UPLOADS_PREFIX, packageUploadPath } from "../../kv/objects/paths.ts";
import {
  checkPackagesVersion,
  findInstalled,
  type PackageStore,
  stagePackage,
} from "../../kv/packages/packages.ts";
import { stageSecret } from "../../kv/packages/plugin_configs.ts";
import { packageUnswept } from "../../kv/packages/sweep_packages.ts";
import type { InstallRequest } from "../../kv/jobs/payloads.ts";
import { PACKAGE_BYTES_MAX } from "../../kv/limits/packages.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { versionedWrite } from "../../kv/versioning/versioned_write.ts";
import {
  PACKAGE_DOWNLOAD_MS_MAX,
  PACKAGE_REASONS_MAX,
  REASON_CHARS_MAX,
  REDIRECTS_MAX,
} from "../limits.ts";
import {
  JobFailure,
  type JobKind,
  jobKind,
  next,
  nextUncommitted,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import { checkPackage, packageReasons } from "../packages/check_package.ts";
import { AddressRefused, type GuardedRequest, isTemporary } from "../network/guarded_request.ts";
import type { PackageArchives } from "../packages/package_store.ts";
import { readPackage } from "../packages/read_package.ts";
import { type PublisherKey, verifyPackage } from "../packages/verify_package.ts";

/** How long the bytes of a failed job stay, milliseconds. */
const UPLOAD_KEPT_MS = 7 * 86_400_000;

/** The dependencies of installing. */
export interface InstallDeps extends PackageStore {
  archives: PackageArchives;
  request: GuardedRequest;
}

/** The kind of job that installs packages. */
export function installKind(deps: InstallDeps): JobKind<"INSTALL"> {
  return jobKind("INSTALL", {
    download: (work) => download(deps, work),
    check: (work) => hardly(() => check(deps, work)),
    install: (work) => hardly(() => install(deps, work)),
    clean: async ({ context, payload }) => {
      await context.objects.delete(packageUploadPath(payload.upload));
      await sweepUploads(context);
      return nextUncommitted();
    },
  });
}

async function download(
  { request }: InstallDeps,
  { context, payload, signal }: Work<"INSTALL">,
): Promise<OutcomeOf<"INSTALL", "download">> {
  const { url, kind, upload } = payload;
  if (url === null) return nextUncommitted();
  const bytesMax = PACKAGE_BYTES_MAX[kind].packed;
  const limits = { bytesMax, msMax: PACKAGE_DOWNLOAD_MS_MAX, redirectsMax: REDIRECTS_MAX };
  const answer = await hardly(() => request({ url, ...limits, signal }));
  if (isTemporary(answer.status)) {
    throw new Error(`The download was answered with status ${answer.status}`);
  }
  if (answer.status !== 200) {
    throw new JobFailure(`The download was answered with status ${answer.status}`);
  }
  await context.objects.put(packageUploadPath(upload), answer.body);
  return next({ bytes: answer.body.byteLength });
}

/** A package that can be believed, out of one reading of its bytes. */
async function readVerified({ settings }: InstallDeps, { context, payload }: Work<"INSTALL">) {
  const packed = await context.objects.get(packageUploadPath(payload.upload));
  if (packed === null) throw new PackageFault("The package is no longer there: upload it again");
  const files = await readPackage(packed, payload.kind);
  const publishers = await settings.get<PublisherKey[]>("packages.publishers");
  const manifest = verifyPackage(files, { publishers, at: seconds(context) });
  if (manifest.kind !== payload.kind) {
    throw new PackageFault(`The package is a ${manifest.kind}, not a ${payload.kind}`);
  }
  return { packed, files, manifest, publishers };
}

/** Finds out whether the package can be used, and leaves all reasons against it in the job. */
async function check(
  deps: InstallDeps,
  work: Work<"INSTALL">,
): Promise<OutcomeOf<"INSTALL", "check">> {
  const { files, manifest } = await readVerified(deps, work);
  const reasons = packageReasons(manifest, files).slice(0, PACKAGE_REASONS_MAX);
  return next({ reasons: reasons.map((reason) => reason.slice(0, REASON_CHARS_MAX)) });
}

/** Checks, and keeps, one reading of the bytes, whatever was found out before. */
async function install(
  deps: InstallDeps,
  work: Work<"INSTALL">,
): Promise<OutcomeOf<"INSTALL", "install">> {
  const { archives } = deps;
  const { context, payload, commitWith } = work;
  const { packed, files, manifest, publishers } = await readVerified(deps, work);
  checkPackage(manifest, files);
  const unswept = await packageUnswept(context, sha256(packed));
  const archive = await archives.keep(packed);
  const manifestSha256 = sha256(files.get(MANIFEST_FILE)!);
  const actor = { userId: payload.userId, via: "INSTALL" };
  return await versionedWrite(context, actor, async (transaction) => {
    await checkPackagesVersion(transaction);
    const swept = await transaction.get(unswept.key);
    if (swept.versionstamp !== unswept.versionstamp) {
      throw new Error("The bytes of the package have been removed");
    }
    await refuseChangedTrust(deps, publishers);
    const present = await findInstalled(context, manifest.id);
    const added = refuseUnwanted(manifest, manifestSha256, payload, present);
    const state = await stagePackage(
      transaction,
      deps,
      { ...stateOfManifest(manifest), manifestSha256, archive },
      present,
    );
    if (state.kind === "plugin") await stageSecret(transaction, state.id);
    const result = { id: state.id, packageId: manifest.id, version: manifest.version, added };
    return commitWith(
      transaction.operation,
      next({ ...result, previous: present?.version ?? null }),
    );
  });
}

/** A key that was revoked while its package was being looked at. */
async function refuseChangedTrust(
  { settings }: InstallDeps,
  publishers: PublisherKey[],
): Promise<void> {
  const now = await settings.get("packages.publishers");
  if (!sameJson(now, publishers)) {
    throw new Error("The publishers have changed");
  }
}

/** Refuses capabilities that were not accepted; returns the new ones. */
function refuseUnwanted(
  manifest: Manifest,
  manifestSha256: string,
  { accept, downgrade }: InstallRequest,
  present: PackageState | null,
): string[] {
  const { id, kind, version } = manifest;
  if (present !== null && present.kind !== kind) {
    throw new PackageFault(`${id} is installed as a ${present.kind}`);
  }
  if (present !== null) {
    const order = compareVersion(version, present.version);
    if (order < 0 && !downgrade) {
      throw new PackageFault(
        `${id} ${present.version} is installed, which is newer than ${version}: ` +
          "say `downgrade` to go back on purpose",
      );
    }
    if (order === 0 && present.manifestSha256 !== manifestSha256) {
      throw new PackageFault(`${id} ${version} is installed already, with other contents`);
    }
  }
  const needed = consentNeeded(manifest, present);
  const missing = needed.filter((capability) => !accept.includes(capability));
  if (missing.length > 0) {
    throw new PackageFault(`Not accepted: ${missing.join(", ")}${hostsOf(manifest, missing)}`);
  }
  return needed;
}

function hostsOf({ hosts }: Manifest, missing: string[]): string {
  return missing.includes("net:host") ? ` (${hosts.join(", ")})` : "";
}

/** An upload whose job has failed stays for another try, but not forever. */
async function sweepUploads({ objects, now }: Context): Promise<void> {
  for await (const { key, modifiedAt } of objects.list(PACKAGE_UPLOADS_PREFIX)) {
    if (now() - modifiedAt > UPLOAD_KEPT_MS) await objects.delete(key);
  }
}

/** A fault of the package itself is not retried. */
async function hardly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PackageFault || error instanceof AddressRefused) {
      throw new JobFailure(error.message, { cause: error });
    }
    throw error;
  }
}
