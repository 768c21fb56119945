/**
 * Themes and plugins as they are kept and shown.
 *
 * @module
 */
import { z } from "zod";
import type { Json } from "./entity.ts";
import { type Manifest, PACKAGE_KINDS } from "./package_manifest.ts";
import type { PluginHealth } from "./plugin_health.ts";
import type { SettingDefinitions } from "./plugin_setting.ts";
import { digest, recordOf, time, unchecked } from "./state_member.ts";

/** The verified bytes of a package. */
export const Archive = z.object({ sha256: digest, bytes: time });
export type Archive = z.infer<typeof Archive>;

/** The state of a theme or plugin. */
export const PackageState = z.object({
  id: z.ulid(),
  /** The id that its publisher gave it: `com.acme.gallery`. */
  packageId: z.string().min(1),
  kind: z.enum(PACKAGE_KINDS),
  name: z.string(),
  version: z.string(),
  api: unchecked<string>(),
  publisher: z.string(),
  capabilities: z.array(z.string()),
  hosts: z.array(z.string()),
  hooks: z.array(z.object({ event: z.string(), url: z.string().optional() })),
  settings: recordOf<SettingDefinitions>(),
  /** Files besides manifest and signature. */
  fileCount: unchecked<number>(),
  manifestSha256: unchecked<string>(),
  archive: Archive,
  /** Whether a plugin receives events. */
  enabled: z.boolean(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type PackageState = z.infer<typeof PackageState>;

/** The part of a state that a package's manifest says. */
export function stateOfManifest(
  manifest: Manifest,
): Pick<PackageState, Exclude<keyof PackageState, OwnKey>> {
  const { id: packageId, kind, name, version, api, publisher } = manifest;
  const { capabilities, hosts, hooks, settings, files } = manifest;
  const fileCount = Object.keys(files).length;
  const asked = { capabilities, hosts, hooks, settings };
  return { packageId, kind, name, version, api, publisher, ...asked, fileCount };
}
type OwnKey = "id" | "manifestSha256" | "archive" | "enabled" | "createdAt" | "updatedAt";

/** A theme as the admin API shows it. */
export function themeView(state: PackageState, active: boolean): Record<string, Json> {
  return { ...packageView(state), active };
}

/** A plugin as the admin API shows it. */
export function pluginView(
  state: PackageState,
  health: PluginHealth | null,
  trusted: boolean,
): Record<string, Json> {
  const { enabled, capabilities, hosts, hooks, settings } = state;
  const pausedAt = health?.pausedAt ?? null;
  const stopped = pausedAt !== null || !trusted;
  return {
    ...packageView(state),
    enabled,
    status: !enabled ? "disabled" : stopped ? "paused" : "enabled",
    pausedAt,
    pausedReason: trusted ? health?.reason ?? null : "The key of its publisher was revoked",
    failures: health?.failures ?? 0,
    capabilities,
    hosts,
    hooks: hooks as Json[],
    settings,
  };
}

function packageView(state: PackageState): Record<string, Json> {
  const { id, packageId, name, version, api, publisher, fileCount, archive } = state;
  const { createdAt, updatedAt } = state;
  const facts = { id, packageId, name, version, api, publisher, fileCount };
  return { ...facts, bytes: archive.bytes, createdAt, updatedAt };
}
