/**
 * Calls plugins at set times: once an hour and once a day (UTC), in whichever process looks first. Hours in
 * which no process was there are not made up for one by one: the next look calls once.
 *
 * @module
 */
import { FIRST_STAMP } from "../../kv/changes/change_log.ts";
import type { Context } from "../../kv/context.ts";
import { pluginScheduleKey } from "../../kv/keys.ts";
import { SCHEDULE } from "../../kv/model/entities/capability.ts";
import {
  periodAt,
  SCHEDULE_EVENTS,
  type ScheduleEvent,
} from "../../kv/model/values/schedule_event.ts";
import { listPackages } from "../../kv/packages/packages.ts";
import { findHealth } from "../../kv/packages/plugin_health.ts";
import { Operation } from "../../kv/store/operation.ts";
import { HOUR_MESSAGES_MAX } from "../limits.ts";
import { callHook, subscribedTo } from "./notify.ts";

/** Calls whom the present hour, or day, is due to. */
export async function callScheduled(context: Context): Promise<void> {
  for (const event of SCHEDULE_EVENTS) await callFor(context, event);
}

async function callFor(context: Context, event: ScheduleEvent): Promise<void> {
  const { store } = context;
  const now = context.now();
  const entry = await store.get<number>(pluginScheduleKey(event));
  const period = periodAt(event, now);
  if (entry.value !== null && entry.value >= period) return;
  // Who loses this commit to another process has nothing left to do.
  const operation = new Operation().check(entry).set(entry.key, period);
  const body = JSON.stringify({ type: event, timestamp: new Date(now).toISOString(), data: {} });
  // The versionstamp of the previous period's commit takes the place of a version's.
  const order = [entry.versionstamp ?? FIRST_STAMP, event, period] as const;
  let messages = 0;
  for (const plugin of await listPackages(context, "plugin")) {
    if (!plugin.enabled || !plugin.capabilities.includes(SCHEDULE)) continue;
    const urls = subscribedTo(plugin, event);
    if (urls.length === 0 || (await findHealth(context, plugin.id))?.pausedAt) continue;
    for (const url of urls) {
      if (messages++ >= HOUR_MESSAGES_MAX) break;
      callHook(operation, context, { plugin, url }, order, { event, subject: event, body });
    }
  }
  await store.commit(operation);
}
