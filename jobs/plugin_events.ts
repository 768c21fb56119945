/**
 * What plugins are told, by whoever runs them. Telling bears repetition: `key` is the same for every
 * telling of one event.
 *
 * @module
 */
import type { Json } from "../kv/model/entity.ts";

/** Something that a plugin may have subscribed to. */
export interface PluginEvent {
  name: "document.published" | "document.unpublished";
  key: string;
  documentId: string;
  /** Slug of the collection; null when it is gone. */
  collection: string | null;
}

/** Tells subscribed plugins; answers what came of it, for the job. Throws when it may be tried again. */
export type NotifyPlugins = (event: PluginEvent) => Promise<Json>;

/** A site without plugins. */
export const noPlugins: NotifyPlugins = () => Promise.resolve([]);
