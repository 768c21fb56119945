/**
 * A plugin as a receiver of messages: signed requests to the addresses of its hooks, or calls of its own
 * code. It is paused if it accepts no attempt of a message, and its code if it keeps failing.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import type { Delivery } from "../../kv/deliveries/deliveries.ts";
import type { PackageState } from "../../kv/model/entities/package.ts";
import { PLUGIN_FILE } from "../../kv/model/entities/package_manifest.ts";
import { findPackage, type PackageStore } from "../../kv/packages/packages.ts";
import { findConfig, signingSecrets } from "../../kv/packages/plugin_configs.ts";
import { findHealth, recordFailure, recordSuccess } from "../../kv/packages/plugin_health.ts";
import { stagePluginMail } from "../../kv/packages/plugin_mail.ts";
import type { PackageArchives } from "../packages/package_store.ts";
import type { PublisherKey } from "../packages/verify_package.ts";
import { hostOf, type HostParts } from "../plugins/host.ts";
import { PluginFault, type Sandbox } from "../plugins/sandbox.ts";
import type { Answer, NoReceiver, Receiver } from "./receiver.ts";
import { signedPost } from "./signed_post.ts";

/** The dependencies of plugin delivery. */
export interface PluginReceiverDeps extends PackageStore, HostParts {
  archives: PackageArchives;
  sandbox: Sandbox;
}

/** The plugin with this id, as it is now. */
export async function pluginReceiver(
  deps: PluginReceiverDeps,
  id: string,
): Promise<Receiver | NoReceiver> {
  const { context } = deps;
  const plugin = await findPackage(context, "plugin", id);
  if (plugin === null) return { reason: "The plugin is gone" };
  const reason = await whyNot(deps, plugin);
  if (reason !== null) return { reason };
  return {
    send: (delivery, at, signal) =>
      delivery.url === undefined
        ? callCode(deps, plugin, delivery)
        : callAddress(deps, plugin, { ...delivery, url: delivery.url, at, signal }),
    taken: () => recordSuccess(context, id),
    failed: async ({ url }, { reason, isGivenUp }) => {
      const failure = { isCode: url === undefined, reason, isGivenUp };
      await countFailure(context, plugin, failure);
    },
  };
}

/** Why a plugin is not called at all; null when it may be. */
async function whyNot(
  { context, settings }: PluginReceiverDeps,
  plugin: PackageState,
): Promise<string | null> {
  if (!plugin.enabled) return "The plugin is disabled";
  if ((await findHealth(context, plugin.id))?.pausedAt) return "The plugin is paused";
  const publishers = await settings.get<PublisherKey[]>("packages.publishers");
  const revoked = publishers.some(({ id, revoked }) => id === plugin.publisher && revoked);
  return revoked ? "The key of the plugin's publisher was revoked" : null;
}

async function countFailure(
  context: Context,
  plugin: PackageState,
  failure: Parameters<typeof recordFailure>[2],
): Promise<void> {
  const { pausedAt, reason } = await recordFailure(context, plugin.id, failure);
  if (pausedAt !== null) context.log.warn("plugin paused", { plugin: plugin.packageId, reason });
}

async function callAddress(
  { context, request }: PluginReceiverDeps,
  plugin: PackageState,
  message: Pick<Delivery, "id" | "body"> & { url: string; at: number; signal: AbortSignal },
): Promise<Answer> {
  const secrets = signingSecrets(await findConfig(context, plugin.id), message.at);
  return await signedPost(request, { ...message, secrets });
}

async function callCode(
  { archives, sandbox, ...parts }: PluginReceiverDeps,
  plugin: PackageState,
  { event, body }: Delivery,
): Promise<Answer> {
  const files = await archives.files(plugin.archive, "plugin");
  const code = new TextDecoder().decode(files.get(PLUGIN_FILE));
  const { host, record } = hostOf(parts, plugin);
  const left = () => ({
    status: null,
    ...(record.log.length > 0 && { log: record.log }),
    ...(Object.keys(record.calls).length > 0 && { calls: record.calls }),
  });
  try {
    const result = await sandbox.call({ code, event, input: JSON.parse(body), host });
    const { mails } = record;
    return {
      ...left(),
      error: null,
      response: JSON.stringify(result),
      follow: (operation) => {
        for (const mail of mails) stagePluginMail(operation, parts.context, mail);
      },
    };
  } catch (error) {
    if (!(error instanceof PluginFault)) throw error;
    return { ...left(), error: error.message, response: null };
  }
}
