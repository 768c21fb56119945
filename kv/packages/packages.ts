/**
 * Themes and plugins: what is installed, which theme is active, which plugins receive events. Every
 * write checks and touches the version key of the settings, so that no package is there twice and the active
 * theme is one that exists.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { isUlid } from "../model/values/ulid.ts";
import { livingEntities, readHead } from "../versioning/entities.ts";
import { refuseHeldKey } from "../versioning/import_lock.ts";
import { currentKey, pluginHealthKey, settingsKey } from "../keys.ts";
import { PACKAGES_MAX } from "../limits/packages.ts";
import type { Actor } from "../model/entities/entity.ts";
import { type BuiltInThemeId, DEFAULT_THEME_ID } from "./built_in_themes.ts";
import type { PackageState } from "../model/entities/package.ts";
import {
  PACKAGE_KINDS,
  PackageFault,
  type PackageKind,
} from "../model/entities/package_manifest.ts";
import { Refusal } from "../refusals.ts";
import { requestSiteRendering } from "../pages/rendering_requests.ts";
import type { Settings } from "../sources/settings.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** The setting that names the active theme, built-in or installed, by its id; null for the default theme. */
export const ACTIVE_THEME = "theme.active";

/** The stores of packages. */
export interface PackageStore {
  context: Context;
  settings: Settings;
}

/** All packages of a kind, in order of name. */
export async function listPackages(context: Context, kind: PackageKind): Promise<PackageState[]> {
  const found: PackageState[] = [];
  for await (const { state } of livingEntities(context, kind)) {
    found.push(state);
  }
  return found.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** A package by its entity's id, or by the id that its publisher gave it; null when there is none. */
export async function findPackage(
  context: Context,
  kind: PackageKind,
  id: string,
): Promise<PackageState | null> {
  if (!isUlid(id)) {
    return (await listPackages(context, kind)).find(({ packageId }) => packageId === id) ?? null;
  }
  const head = await readHead(context, kind, id, currentKey(kind, id));
  return head.state;
}

/** The same; refuses with NOT_FOUND. */
export async function getPackage(
  context: Context,
  kind: PackageKind,
  id: string,
): Promise<PackageState> {
  const found = await findPackage(context, kind, id);
  if (found === null) throw new Refusal("NOT_FOUND");
  return found;
}

/** The version key of all packages; everything read after it is as it will be at the commit. */
export async function checkPackagesVersion(transaction: Transaction): Promise<void> {
  const version = await transaction.get(settingsKey);
  await refuseHeldKey(transaction, version);
}

/** The installed package with a publisher's id, of whatever kind. */
export async function findInstalled(
  context: Context,
  packageId: string,
): Promise<PackageState | null> {
  for (const kind of PACKAGE_KINDS) {
    const found = await findPackage(context, kind, packageId);
    if (found !== null) return found;
  }
  return null;
}

/** Adds a package, new or in the place of an earlier version, to a commit that checks the packages' version. */
export async function stagePackage(
  transaction: Transaction,
  { settings }: PackageStore,
  next: Omit<PackageState, "id" | "enabled" | "createdAt" | "updatedAt">,
  present: PackageState | null,
): Promise<PackageState> {
  const { context, operation, at } = transaction;
  if (present === null && (await listPackages(context, next.kind)).length >= PACKAGES_MAX) {
    throw new PackageFault(`A site has at most ${PACKAGES_MAX} packages of a kind`);
  }
  const state: PackageState = {
    ...next,
    id: present?.id ?? transaction.newId(),
    enabled: present?.enabled ?? false,
    createdAt: present?.createdAt ?? at,
    updatedAt: at,
  };
  const head = present === null ? null : await transaction.head(next.kind, state.id);
  const summary = present === null
    ? `installed ${next.version}`
    : `${present.version} to ${next.version}`;
  transaction.save(next.kind, state.id, head, state, { summary });
  if (state.kind === "plugin") operation.delete(pluginHealthKey(state.id));
  else if (await settings.get(ACTIVE_THEME) === state.id) requestSiteRendering(operation, context);
  return state;
}

/** Makes a built-in or installed theme the one that the site is rendered with. */
export async function activateTheme(
  { context, settings }: PackageStore,
  actor: Actor,
  theme: BuiltInThemeId | PackageState,
): Promise<string> {
  return await versionedWrite(context, actor, async (transaction) => {
    await checkPackagesVersion(transaction);
    const id = typeof theme === "string"
      ? theme
      : (await getPackage(context, "theme", theme.id)).id;
    await settings.stage(transaction, { [ACTIVE_THEME]: id === DEFAULT_THEME_ID ? null : id });
    return requestSiteRendering(transaction.operation, context);
  });
}

/** Begins or ends telling a plugin of events; enabling one ends its pause. */
export async function enablePlugin(
  context: Context,
  actor: Actor,
  id: string,
  enabled: boolean,
): Promise<PackageState> {
  return await versionedWrite(context, actor, async (transaction) => {
    await checkPackagesVersion(transaction);
    const head = await transaction.head("plugin", id);
    const state = head.state;
    if (state === null) throw new Refusal("NOT_FOUND");
    if (enabled) transaction.operation.delete(pluginHealthKey(id));
    if (state.enabled === enabled) return state;
    const next = { ...state, enabled, updatedAt: transaction.at };
    const summary = enabled ? "enabled" : "disabled";
    transaction.save("plugin", id, head, next, { summary });
    return next;
  });
}

/** Removes a package, and with a plugin its settings; history keeps both. */
export async function removePackage(
  { context, settings }: PackageStore,
  actor: Actor,
  kind: PackageKind,
  id: string,
): Promise<void> {
  await versionedWrite(context, actor, async (transaction) => {
    await checkPackagesVersion(transaction);
    const head = await transaction.head(kind, id);
    if (head.state === null) throw new Refusal("NOT_FOUND");
    transaction.save(kind, id, head, null);
    if (kind === "plugin") {
      transaction.operation.delete(pluginHealthKey(id));
      for await (const config of livingEntities(context, "plugin_config")) {
        if (config.state.pluginId !== id) continue;
        const configHead = await transaction.head("plugin_config", config.id);
        transaction.save("plugin_config", config.id, configHead, null);
      }
    } else if (await settings.get(ACTIVE_THEME) === id) {
      await settings.stage(transaction, { [ACTIVE_THEME]: null });
      requestSiteRendering(transaction.operation, context);
    }
  });
}
