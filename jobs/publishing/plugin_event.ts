/**
 * Events for plugins, sent by the code that runs them. Repetition is harmless: `key` is the same for every
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
  /** The version of the event. */
  n: number;
  /** Slug of the collection; null when it is gone. */
  collection: string | null;
  /** Whether a plugin's own write caused it. */
  byPlugin: boolean;
}

/**
 * Adds the messages for subscribed plugins to the commit of the step that sends them; returns the plugins, for
 * the job: an empty list if none is subscribed. Throws if it may be retried.
 */
export type NotifyPlugins = (event: PluginEvent, operation: Operation) => Promise<Json>;
