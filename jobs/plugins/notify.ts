/**
 * Tells plugins what has happened: each hook gets a message of its own, added to the commit of the step
 * that tells. Delivering is another job's work, so that no plugin can hold publishing up.
 *
 * @module
 */
import { StampedCache } from "../../kv/versioning/stamped_cache.ts";
import { FIRST_STAMP } from "../../kv/changes/change_log.ts";
import type { Context } from "../../kv/context.ts";
import {
  type DeliveryOrder,
  type NewMessage,
  queueOf,
  requestDelivery,
  stageMessage,
} from "../../kv/deliveries/deliveries.ts";
import { settingsKey, versionKey } from "../../kv/keys.ts";
import type { PackageState } from "../../kv/model/entities/package.ts";
import { listPackages } from "../../kv/packages/packages.ts";
import { findHealth } from "../../kv/packages/plugin_health.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { EVENT_MESSAGES_MAX } from "../limits.ts";
import type { NotifyPlugins, PluginEvent } from "../publishing/plugin_event.ts";

/** Tells the plugins that are enabled and not paused. */
export function notifyInstalled(context: Context): NotifyPlugins {
  // Publishes in the same moment share the read of a key, where a list would be each one's own.
  const plugins = new StampedCache(context, settingsKey, () => listPackages(context, "plugin"));
  return async function notify(event, operation) {
    const told: string[] = [];
    const paused: string[] = [];
    // Changes by plugins cause no events: their hooks would call one another endlessly.
    if (event.byPlugin) return [];
    const message = {
      event: event.name,
      subject: event.documentId,
      body: messageOf(context, event),
    };
    let order: DeliveryOrder | null = null;
    for (const plugin of await plugins.current()) {
      const urls = subscribedTo(plugin, event.name);
      if (!plugin.enabled || urls.length === 0) continue;
      if ((await findHealth(context, plugin.id))?.pausedAt) {
        paused.push(plugin.packageId);
        continue;
      }
      for (const url of urls) {
        if (told.length >= EVENT_MESSAGES_MAX) break;
        order ??= await orderOf(context, event);
        callHook(operation, context, { plugin, url }, order, message);
        told.push(plugin.packageId);
      }
    }
    if (told.length + paused.length === 0) return [];
    return { told: [...new Set(told)], paused };
  };
}

/** Queues a message for a hook, and asks for its delivery. */
export function callHook(
  operation: Operation,
  context: Context,
  { plugin, url }: { plugin: PackageState; url: string | null },
  order: DeliveryOrder,
  message: NewMessage,
): void {
  const recipient = {
    kind: "plugin" as const,
    receiverId: plugin.id,
    ...(url !== null && { url }),
  };
  stageMessage(operation, context, recipient, order, message);
  requestDelivery(operation, context, queueOf(recipient));
}

/** By the commit of the version: the jobs that tell of one document's versions may run in any order. */
async function orderOf(
  { store }: Context,
  { documentId, n }: Pick<PluginEvent, "documentId" | "n">,
): Promise<DeliveryOrder> {
  const { versionstamp } = await store.get(versionKey("document", documentId, n));
  return [versionstamp ?? FIRST_STAMP, documentId, n];
}

/** The addresses to notify; null is the plugin's own code, which is called once. */
export function subscribedTo({ hooks }: PackageState, event: string): (string | null)[] {
  return [...new Set(hooks.filter((hook) => hook.event === event).map(({ url }) => url ?? null))];
}

/** Small: a receiver that needs more reads the document. */
function messageOf(
  context: Context,
  { name, documentId, collection }: Parameters<NotifyPlugins>[0],
): string {
  return JSON.stringify({
    type: name,
    timestamp: new Date(context.now()).toISOString(),
    data: { id: documentId, collection },
  });
}
