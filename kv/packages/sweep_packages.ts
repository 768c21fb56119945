/**
 * Removing the bytes of packages that no version of a theme or plugin leads to any more. An object has no
 * checks, and an installation of the same bytes finds the same object: so a sweep first says which one it is
 * about to remove, and who would need it waits until that is over.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type VersionRow, versionState } from "../versioning/entities.ts";
import { findImport } from "../versioning/import_lock.ts";
import { importLockKey, packageSweepKey, versionTypePrefix } from "../keys.ts";
import { PACKAGE_KINDS } from "../model/entities/package_manifest.ts";
import { packagePath, PACKAGES_PREFIX } from "../objects/paths.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { PACKAGE_SWEEP_MS_MAX } from "../tuning.ts";

/** Bytes younger than this may belong to an installation that is still to be committed. */
const ORPHAN_AGE_MS = 86_400_000;
/** How long it is remembered that bytes were swept: longer than any installation takes. */
const REMEMBERED_MS = 7 * 86_400_000;

/** The mark of a sweep for the bytes with a digest. */
export interface PackageSweep {
  /** Milliseconds. */
  at: number;
  over: boolean;
}

/** Bytes that are being removed at the moment: they may be stored again when that is over. */
class PackageBeingSwept extends Error {
  override name = "PackageBeingSwept";
}

/**
 * The entry to check in the commit that refers to a package's bytes; read it before storing or finding them.
 * Throws while a sweep is removing them.
 */
export async function packageUnswept(
  { store, now }: Context,
  digest: string,
): Promise<Entry<PackageSweep>> {
  const entry = await store.get<PackageSweep>(packageSweepKey(digest));
  const { value } = entry;
  if (value !== null && !value.over && now() - value.at < PACKAGE_SWEEP_MS_MAX) {
    throw new PackageBeingSwept("The bytes of the package are being removed: try again");
  }
  return entry;
}

/** Removes what nothing needs; answers how many packages went. */
export async function sweepPackages(context: Context): Promise<number> {
  const { objects, now } = context;
  // An import brings versions that lead to bytes which nothing leads to yet.
  if (await findImport(context) !== null) return 0;
  let removed = 0;
  const needed = await neededPackages(context);
  for await (const { key, modifiedAt } of objects.list(PACKAGES_PREFIX)) {
    const digest = key.slice(PACKAGES_PREFIX.length).replace(/\.tar\.gz$/, "");
    if (packagePath(digest) !== key || needed.has(digest)) continue;
    if (now() - modifiedAt > ORPHAN_AGE_MS && await sweepOne(context, digest)) removed += 1;
  }
  return removed;
}

async function sweepOne(context: Context, digest: string): Promise<boolean> {
  const { store, objects, now } = context;
  const key = packageSweepKey(digest);
  const [mark, lock] = await store.getMany([key, importLockKey]);
  if (await findImport(context) !== null) return false;
  const begun: PackageSweep = { at: now(), over: false };
  const operation = new Operation().check(mark).check(lock)
    .set(key, begun, { expireIn: REMEMBERED_MS });
  const result = await store.commit(operation);
  if (!result.ok) return false;
  // Later references wait, so what is found here is complete.
  const isNeeded = (await neededPackages(context)).has(digest);
  // Another process may have started again if this one has slept too long.
  if ((await store.get(key)).versionstamp !== result.versionstamp) return false;
  if (!isNeeded) await objects.delete(packagePath(digest));
  await store.commit(new Operation().set(key, { ...begun, over: true }, {
    expireIn: REMEMBERED_MS,
  }));
  return !isNeeded;
}

/** The digests that some version of a theme or plugin leads to. */
async function neededPackages(context: Context): Promise<Set<string>> {
  const needed = new Set<string>();
  for (const kind of PACKAGE_KINDS) {
    const range = { prefix: versionTypePrefix(kind) };
    for await (const { key, value } of context.store.list<VersionRow>(range)) {
      const state = await versionState(context, kind, key[2] as string, value);
      const { sha256 } = (state?.archive ?? {}) as { sha256?: string };
      if (sha256 !== undefined) needed.add(sha256);
    }
  }
  return needed;
}
