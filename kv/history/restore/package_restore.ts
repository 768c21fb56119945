/**
 * Restoring themes and plugins: going back to an earlier version, or bringing back what was removed. The
 * bytes of every version are kept.
 *
 * @module
 */
import type { PackageState } from "../../model/entities/package.ts";
import type { PackageKind } from "../../model/entities/package_manifest.ts";
import { packagePath } from "../../objects/paths.ts";
import { ACTIVE_THEME, checkPackagesVersion, findInstalled } from "../../packages/packages.ts";
import { packageUnswept } from "../../packages/sweep_packages.ts";
import { Refusal } from "../../refusals.ts";
import { requestSiteRendering } from "../../pages/rendering_requests.ts";
import { Settings } from "../../sources/settings.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import type { StageRestore } from "./restoring.ts";

/** Puts a theme back, if it may still be trusted. */
export const stageThemeRestore: StageRestore<"theme"> = stagePackageRestore("theme");

/** The same for a plugin. */
export const stagePluginRestore: StageRestore<"plugin"> = stagePackageRestore("plugin");

function stagePackageRestore(kind: PackageKind): StageRestore<PackageKind> {
  return async (transaction, _restoring, { id, state }, options) => {
    await checkPackagesVersion(transaction);
    const settings = new Settings(transaction.context);
    if (state !== null) {
      await refuseUnfit(transaction, settings, { ...state, id });
    }
    const head = await transaction.head(kind, id);
    transaction.save(kind, id, head, state, options);
    if (kind === "theme" && await settings.get(ACTIVE_THEME) === id) {
      requestSiteRendering(transaction.operation, transaction.context);
    }
  };
}

async function refuseUnfit(
  transaction: Transaction,
  settings: Settings,
  { id, packageId, publisher, archive }: Partial<PackageState>,
): Promise<void> {
  const { context } = transaction;
  const installed = packageId === undefined ? null : await findInstalled(context, packageId);
  if (installed !== null && installed.id !== id) {
    throw new Refusal("CONFLICT", { about: `${packageId} has been installed again since` });
  }
  const publishers = await settings.get<{ id: string; revoked: boolean }[]>("packages.publishers");
  if (publishers.some((key) => key.id === publisher && key.revoked)) {
    throw new Refusal("CONFLICT", { about: `the key ${publisher} was revoked` });
  }
  if (!archive) return;
  transaction.operation.check(await packageUnswept(context, archive.sha256));
  if (await context.objects.head(packagePath(archive.sha256)) === null) {
    throw new Refusal("CONFLICT", { about: "the package is no longer stored" });
  }
}
