/**
 * The settings of plugins as they are kept.
 *
 * @module
 */
import type { Json } from "./entity.ts";

/** The settings of a plugin that never leave the service. */
export interface PluginSecrets {
  settings: Record<string, Json>;
  /** Signs calls: `whsec_…`, newest first; all but the first only until a time (epoch seconds). */
  signing: { secret: string; until: number | null }[];
}

/** The state of a plugin's settings. */
export interface PluginConfigState {
  id: string;
  pluginId: string;
  values: Record<string, Json>;
  secrets: PluginSecrets;
  createdAt: number;
  updatedAt: number;
}
