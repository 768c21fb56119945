/**
 * CALL_PLUGIN: delivers one message to a plugin, by HTTP or to its own code, and again with growing
 * delays until it is taken. A plugin that fails again and again is paused.
 *
 * @module
 */
import { type Context, seconds } from "../kv/context.ts";
import {
  attempted,
  type Delivery,
  type DeliveryAttempt,
  findDelivery,
  pruneDeliveries,
} from "../kv/packages/deliveries.ts";
import { deliveryKey } from "../kv/keys.ts";
import type { PackageState } from "../kv/model/package.ts";
import { PLUGIN_FILE } from "../kv/model/package_manifest.ts";
import { findPackage, type PackageStore } from "../kv/packages/packages.ts";
import { findConfig, signingSecrets } from "../kv/packages/plugin_configs.ts";
import { stagePluginMail } from "../kv/packages/plugin_mail.ts";
import { type PluginMail } from "../kv/jobs/payloads.ts";
import { findHealth, recordFailure, recordSuccess } from "../kv/packages/plugin_health.ts";
import { PLUGIN_RESULT_CHARS_MAX } from "./limits.ts";
import {
  finish,
  type JobKind,
  jobKind,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "./runner/job_kind.ts";
import type { PackageArchives } from "./packages/package_store.ts";
import type { PublisherKey } from "./packages/verify_package.ts";
import { hostOf, type HostParts } from "./plugins/host.ts";
import { PluginFault, type Sandbox } from "./plugins/sandbox.ts";
import { sendWebhook } from "./plugins/webhook.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays between the attempts at an address: ten over three days. */
export const HTTP_DELAYS_MS: readonly number[] = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS]
  .concat([2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS));
/** Delays between the attempts at code: what fails there mostly fails again. */
export const CODE_DELAYS_MS: readonly number[] = [5_000, MINUTE_MS, 10 * MINUTE_MS];
/** Says that the receiver wants no more messages. */
const GONE = 410;

/** What calling plugins needs. */
export interface PluginCallDeps extends PackageStore, HostParts {
  archives: PackageArchives;
  sandbox: Sandbox;
}

/** The kind of job that delivers messages to plugins. */
export function callPluginKind(deps: PluginCallDeps): JobKind<"CALL_PLUGIN"> {
  return jobKind("CALL_PLUGIN", { call: (work) => deliver(deps, work) });
}

async function deliver(
  deps: PluginCallDeps,
  work: Work<"CALL_PLUGIN">,
): Promise<OutcomeOf<"CALL_PLUGIN", "call">> {
  const { context, operation, payload: { pluginId, deliveryId }, cursor } = work;
  const delivery = await findDelivery(context, pluginId, deliveryId);
  if (delivery === null) return finish({ delivered: false, reason: "The message is gone" });
  const plugin = await findPackage(context, "plugin", pluginId);
  const reason = await whyNot(deps, plugin);
  const key = deliveryKey(pluginId, deliveryId);
  if (plugin === null || reason !== null) {
    if (plugin === null) operation.delete(key);
    else operation.set(key, attempted(delivery, "failed", refused(context, reason!)));
    return finish({ delivered: false, reason });
  }
  const { mails, attempt } = await tryOnce(deps, plugin, delivery, work);
  const kind = delivery.url === null ? "code" as const : "http" as const;
  if (attempt.ok) await recordSuccess(context, pluginId);
  else await countFailure(context, plugin, kind, attempt);
  await pruneDeliveries(context, pluginId);

  const tried = typeof cursor === "number" ? cursor : 0;
  const delays = kind === "code" ? CODE_DELAYS_MS : HTTP_DELAYS_MS;
  const delay = attempt.status === GONE ? undefined : delays[tried];
  for (const mail of mails) stagePluginMail(operation, context, mail);
  const state = attempt.ok ? "delivered" : delay === undefined ? "failed" : "waiting";
  operation.set(key, attempted(delivery, state, attempt));
  if (state === "waiting") {
    const jitter = 1 + 0.2 * context.store.random();
    return waitUntil(context.now() + Math.round(delay! * jitter), tried + 1);
  }
  return finish({ delivered: attempt.ok, ...(attempt.error && { reason: attempt.error }) });
}

/** Why a plugin is not called at all; null when it may be. */
async function whyNot(
  { context, settings }: PluginCallDeps,
  plugin: PackageState | null,
): Promise<string | null> {
  if (plugin === null) return "The plugin is gone";
  if (!plugin.enabled) return "The plugin is disabled";
  if ((await findHealth(context, plugin.id))?.pausedAt) return "The plugin is paused";
  const publishers = await settings.get<PublisherKey[]>("packages.publishers");
  const revoked = publishers.some(({ id, revoked }) => id === plugin.publisher && revoked);
  return revoked ? "The key of the plugin's publisher was revoked" : null;
}

async function countFailure(
  context: Context,
  plugin: PackageState,
  kind: "http" | "code",
  { status, error = "" }: DeliveryAttempt,
): Promise<void> {
  const failure = { kind, reason: error, final: status === GONE };
  const { pausedAt, reason } = await recordFailure(context, plugin.id, failure);
  if (pausedAt !== null) context.log.warn("plugin paused", { plugin: plugin.packageId, reason });
}

/** An attempt, and the mails that go out because it succeeded. */
interface Tried {
  attempt: DeliveryAttempt;
  mails: PluginMail[];
}

async function tryOnce(
  deps: PluginCallDeps,
  plugin: PackageState,
  delivery: Delivery,
  { signal }: Work<"CALL_PLUGIN">,
): Promise<Tried> {
  const { context } = deps;
  const at = seconds(context);
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const { mails = [], ...facts } = delivery.url === null
      ? await callCode(deps, plugin, delivery)
      : await callAddress(deps, plugin, delivery, signal);
    return { mails, attempt: { at, ms: elapsed(), ...facts } };
  } catch (error) {
    // At shutdown the attempt has not failed: another process makes it.
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    const message = error.message.slice(0, 500);
    return { mails: [], attempt: { at, ms: elapsed(), ok: false, error: message } };
  }
}

type Facts = Omit<DeliveryAttempt, "at" | "ms"> & { mails?: PluginMail[] };

async function callAddress(
  { context, request }: PluginCallDeps,
  plugin: PackageState,
  { id, url, body }: Delivery,
  signal: AbortSignal,
): Promise<Facts> {
  const at = seconds(context);
  const secrets = signingSecrets(await findConfig(context, plugin.id), at);
  const message = { id: `msg_${id}`, url: url!, body, secrets, at, signal };
  const { status } = await sendWebhook(request, message);
  const ok = status >= 200 && status < 300;
  return { ok, status, ...(!ok && { error: `The receiver answered ${status}` }) };
}

async function callCode(
  { archives, sandbox, ...parts }: PluginCallDeps,
  plugin: PackageState,
  { event, body }: Delivery,
): Promise<Facts> {
  const files = await archives.files(plugin.archive, "plugin");
  const code = new TextDecoder().decode(files.get(PLUGIN_FILE));
  const { host, record } = hostOf(parts, plugin);
  const left = () => ({
    ...(record.log.length > 0 && { log: record.log }),
    ...(Object.keys(record.calls).length > 0 && { calls: record.calls }),
  });
  try {
    const result = await sandbox.call({ code, event, input: JSON.parse(body), host });
    const small = JSON.stringify(result).length <= PLUGIN_RESULT_CHARS_MAX;
    return { ok: true, result: small ? result : "…", ...left(), mails: record.mails };
  } catch (error) {
    if (!(error instanceof PluginFault)) throw error;
    return { ok: false, error: error.message, ...left() };
  }
}

function refused(context: Context, error: string): DeliveryAttempt {
  return { at: seconds(context), ms: 0, ok: false, error };
}
