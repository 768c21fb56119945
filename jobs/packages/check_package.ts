/**
 * Requirements of a package besides its signature: a theme must render, a plugin must export the functions
 * that its hooks call.
 *
 * @module
 */
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import {
  type Manifest,
  PackageFault,
  PLUGIN_FILE,
  THEME_FILE,
} from "../../kv/model/entities/package_manifest.ts";
import { ADMIN_PANEL, SCHEDULE } from "../../kv/model/entities/capability.ts";
import {
  isScheduleEvent,
  SCHEDULE_EVENTS,
  SCHEDULE_PREFIX,
} from "../../kv/model/values/schedule_event.ts";
import { parseUniqueJson } from "../../kv/model/values/unique_json.ts";
import { FAULT_REASONS_MAX } from "../limits.ts";
import { themeFaults, themeFiles } from "../render/theme/theme_package.ts";
import { DEFAULT_THEME } from "../render/theme/default/theme.ts";
import type { ThemeFiles } from "../render/theme/theme.ts";
import type { PackageFiles } from "./read_package.ts";
import { foreignAddresses } from "./foreign_addresses.ts";
import { unknownVariables } from "./unknown_variables.ts";

/** The files of a verified theme; other files besides templates and assets, such as a license, do not belong to it. */
export function themeOf(files: PackageFiles): { theme: ThemeFiles; faults: string[] } {
  return themeFiles(new Map([...files].filter(([path]) => /^(?:templates|assets)\//.test(path))));
}

/** Why a verified package cannot be used; empty when it can. */
export function packageReasons(manifest: Manifest, files: PackageFiles): string[] {
  return manifest.kind === "theme" ? themeReasons(files) : pluginReasons(manifest, files);
}

/** Throws a {@linkcode PackageFault} when a verified package cannot be used. */
export function checkPackage(manifest: Manifest, files: PackageFiles): void {
  const faults = packageReasons(manifest, files);
  if (faults.length === 0) return;
  throw new PackageFault(
    `The ${manifest.kind} has faults: ${faults.slice(0, FAULT_REASONS_MAX).join("; ")}`,
  );
}

function themeReasons(files: PackageFiles): string[] {
  const { theme, faults } = themeOf(files);
  const facts = files.get(THEME_FILE);
  if (facts === undefined) faults.push(`${THEME_FILE} is missing`);
  else faults.push(...jsonReasons(facts));
  for (const [name, text] of Object.entries(theme.templates)) {
    faults.push(...foreignAddresses(text, `templates/${name}.liquid`));
  }
  for (const [name, { contentType, body }] of Object.entries(theme.assets)) {
    if (!contentType.startsWith("text/css") && !contentType.startsWith("image/svg")) continue;
    faults.push(...foreignAddresses(new TextDecoder().decode(body), `assets/${name}`));
  }
  return [
    ...faults,
    ...themeFaults(theme),
    ...unknownVariables(theme.templates, DEFAULT_THEME.templates),
  ];
}

function jsonReasons(bytes: Uint8Array): string[] {
  try {
    const facts = parseUniqueJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isJsonObject(facts) ? [] : [`${THEME_FILE} is not an object`];
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return [`${THEME_FILE} cannot be read: ${error.message}`];
  }
}

function pluginReasons({ hooks, capabilities }: Manifest, files: PackageFiles): string[] {
  const hasCode = files.has(PLUGIN_FILE);
  const faults = hooks
    .filter(({ url }) => url === undefined && !hasCode)
    .map(({ event }) => `the hook ${event} has no address, and there is no ${PLUGIN_FILE}`);
  for (const { event } of hooks.filter((hook) => hook.event.startsWith(SCHEDULE_PREFIX))) {
    if (!capabilities.includes(SCHEDULE)) {
      faults.push(`the hook ${event} needs the capability ${SCHEDULE}`);
    }
    if (!isScheduleEvent(event)) {
      faults.push(`the hook ${event} never comes: there are ${SCHEDULE_EVENTS.join(" and ")}`);
    }
  }
  // Users should not have to accept what has no effect.
  if (capabilities.includes(ADMIN_PANEL)) {
    faults.push(`the capability ${ADMIN_PANEL} is not offered: plugins show no panels here`);
  }
  return [...new Set(faults)];
}
