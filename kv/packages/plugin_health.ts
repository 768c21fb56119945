/**
 * How plugins have fared lately. Not versioned: it changes with every failure, and is no decision of
 * anybody's.
 *
 * @module
 */
import { type Context, seconds } from "../context.ts";
import { pluginHealthKey } from "../keys.ts";
import {
  afterFailure,
  HEALTHY,
  type PluginFailure,
  type PluginHealth,
} from "../model/entities/plugin_health.ts";
import { Operation } from "../store/operation.ts";
import { HEALTH_ATTEMPTS_MAX } from "../tuning.ts";

/** The health of a plugin; null when nothing was ever kept of it. */
export async function findHealth({ store }: Context, id: string): Promise<PluginHealth | null> {
  return (await store.get<PluginHealth>(pluginHealthKey(id))).value;
}

/** Counts a failure; answers whether the plugin is paused by now. */
export async function recordFailure(
  context: Context,
  id: string,
  failure: PluginFailure,
): Promise<PluginHealth> {
  const at = seconds(context);
  return await change(context, id, (health) => afterFailure(health, failure, at));
}

/** Forgets earlier failures; a pause stays. */
export async function recordSuccess(context: Context, id: string): Promise<void> {
  const health = await findHealth(context, id);
  if (health === null || health.failures === 0) return;
  await change(context, id, (present) => ({ ...present, failures: 0 }));
}

async function change(
  { store }: Context,
  id: string,
  next: (health: PluginHealth) => PluginHealth,
): Promise<PluginHealth> {
  const key = pluginHealthKey(id);
  for (let attempt = 1; attempt <= HEALTH_ATTEMPTS_MAX; attempt++) {
    const entry = await store.get<PluginHealth>(key);
    const health = next(entry.value ?? HEALTHY);
    if ((await store.commit(new Operation().check(entry).set(key, health))).ok) return health;
    await store.sleep(store.random() * 5 * attempt);
  }
  throw new Error("The health of a plugin is changed too often");
}
