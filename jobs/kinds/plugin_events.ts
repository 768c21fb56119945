/**
 * What plugins are told, by whoever runs them. Telling bears repetition: `key` is the same for every
 * telling of one event.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import type { Operation } from "../../kv/store/operation.ts";

/** Something that a plugin may have subscribed to. */
export interface PluginEvent {
  name: "document.published" | "document.unpublished";
  key: string;
  documentId: string;
  /** The version that is told of. */
  n: number;
  /** Slug of the collection; null when it is gone. */
  collection: string | null;
  /** Whether a plugin's own write caused it. */
  byPlugin: boolean;
}

/**
 * Adds what subscribed plugins are told to the commit of the step that tells them; answers who they are, for
 * the job: an empty list when nobody is told. Throws when it may be tried again.
 */
export type NotifyPlugins = (event: PluginEvent, operation: Operation) => Promise<Json>;
