/**
 * How often a job commits its progress on a remote store: each commit takes a round trip, and saves only some
 * seconds of repeatable work after a crash.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";

/** How long a job works without committing its progress, milliseconds. */
const UNMARKED_MS = 2_000;

/**
 * Starts a stretch of work; returns whether to continue without a commit, which is never so on an embedded
 * store.
 */
export function remotePace({ store, now }: Pick<Context, "store" | "now">): () => boolean {
  const startedAt = now();
  return () => store.isRemote && now() - startedAt <= UNMARKED_MS;
}
