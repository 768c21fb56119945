/**
 * The settings of plugins as they are kept.
 *
 * @module
 */
import { z } from "zod";
import type { Json } from "./entity.ts";
import { unchecked } from "./state_member.ts";

/** The settings of a plugin that never leave the service. */
export interface PluginSecrets {
  settings: Record<string, Json>;
  /** Signs calls: `whsec_…`, newest first; all but the first only until a time (epoch seconds). */
  signing: { secret: string; until: number | null }[];
}

/** The state of a plugin's settings. */
export const PluginConfigState = z.object({
  id: z.ulid(),
  pluginId: z.ulid(),
  values: unchecked<Record<string, Json>>(),
  secrets: unchecked<PluginSecrets>(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type PluginConfigState = z.infer<typeof PluginConfigState>;
