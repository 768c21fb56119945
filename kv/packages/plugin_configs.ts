/**
 * The settings of plugins: an entity of its own for each plugin, with secrets apart from everything that
 * is ever shown.
 *
 * @module
 */
import { sameJson } from "../model/values/same_json.ts";
import type { Context } from "../context.ts";
import { livingEntities } from "../versioning/entities.ts";
import type { Actor, Json } from "../model/entities/entity.ts";
import type { PackageState } from "../model/entities/package.ts";
import type { PluginConfigState } from "../model/entities/plugin_config.ts";
import { newSigningSecret, OLD_SECRET_SECONDS } from "../model/values/signing_secret.ts";
import { ownValues, parseSettingValues, shownValues } from "../model/entities/plugin_setting.ts";
import { checkPackagesVersion } from "./packages.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** The settings of a plugin; null if none are set. */
export async function findConfig(
  context: Context,
  pluginId: string,
): Promise<PluginConfigState | null> {
  for await (const { state } of livingEntities(context, "plugin_config")) {
    if (state.pluginId === pluginId) return state;
  }
  return null;
}

const NOTHING = { values: {}, secrets: { settings: {}, signing: [] } };

/** A plugin's settings as they are shown. */
export async function shownConfig(
  context: Context,
  plugin: PackageState,
): Promise<Record<string, Json>> {
  const { values, secrets } = await findConfig(context, plugin.id) ?? NOTHING;
  return shownValues(plugin.settings, { values, secrets: secrets.settings });
}

/** A plugin's settings as it sees them itself. */
export async function ownConfig(
  context: Context,
  plugin: PackageState,
): Promise<Record<string, Json>> {
  const { values, secrets } = await findConfig(context, plugin.id) ?? NOTHING;
  return ownValues(plugin.settings, { values, secrets: secrets.settings });
}

/** Sets all settings of a plugin. */
export async function putConfig(
  context: Context,
  actor: Actor,
  plugin: PackageState,
  body: Record<string, Json>,
): Promise<void> {
  await versionedWrite(
    context,
    actor,
    (transaction) =>
      stageConfig(transaction, plugin.id, (config) => {
        const kept = config.secrets.settings;
        const { values, secrets } = parseSettingValues(plugin.settings, body, kept);
        return { ...config, values, secrets: { ...config.secrets, settings: secrets } };
      }),
  );
}

/** Gives a plugin a new secret to sign its calls with; this answer is the only one that tells it. */
export async function rotateSecret(
  context: Context,
  actor: Actor,
  plugin: PackageState,
): Promise<string> {
  const secret = newSigningSecret();
  await versionedWrite(
    context,
    actor,
    (transaction) =>
      stageConfig(transaction, plugin.id, (config) => {
        const until = transaction.at + OLD_SECRET_SECONDS;
        const [last] = config.secrets.signing;
        const signing = [{ secret, until: null }, ...last ? [{ ...last, until }] : []];
        return { ...config, secrets: { ...config.secrets, signing } };
      }),
  );
  return secret;
}

/** Adds a secret to sign calls with to a commit that checks the packages' version, unless the plugin has one. */
export async function stageSecret(transaction: Transaction, pluginId: string): Promise<void> {
  await stageConfig(transaction, pluginId, (config) => {
    if (config.secrets.signing.length > 0) return config;
    const signing = [{ secret: newSigningSecret(), until: null }];
    return { ...config, secrets: { ...config.secrets, signing } };
  });
}

/** The secrets that sign a call now, newest first. */
export function signingSecrets(config: PluginConfigState | null, at: number): string[] {
  return (config?.secrets.signing ?? [])
    .filter(({ until }) => until === null || until > at)
    .map(({ secret }) => secret);
}

async function stageConfig(
  transaction: Transaction,
  pluginId: string,
  change: (config: PluginConfigState) => PluginConfigState,
): Promise<void> {
  await checkPackagesVersion(transaction);
  const { context, at } = transaction;
  const present = await findConfig(context, pluginId);
  const empty: PluginConfigState = {
    id: present?.id ?? transaction.newId(),
    pluginId,
    ...structuredClone(NOTHING),
    createdAt: at,
    updatedAt: at,
  };
  const next = change(present ?? empty);
  if (present !== null && sameJson(next, present)) return;
  const head = present && await transaction.head("plugin_config", present.id);
  transaction.save("plugin_config", next.id, head, { ...next, updatedAt: at });
}
