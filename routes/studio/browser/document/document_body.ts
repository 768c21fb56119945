/**
 * A document in responses of the admin API: framing, and fields by name.
 *
 * @module
 */
import type { Value } from "./control_values.ts";

/** The body of a document; a published one also reports whether it has a working copy. */
export type DocumentBody = Record<string, Value> & {
  id: string;
  status: string;
  title: string;
  hasWorkingCopy?: boolean;
};
