/**
 * How often a job marks its progress on a distant store: each mark travels, and what it spares after a crash is some
 * seconds of work that bears repetition.
 *
 * @module
 */
import type { Context } from "../../kv/versioning/context.ts";

/** For how long work goes on without a mark, milliseconds. */
const UNMARKED_MS = 2_000;

/** Begins a stretch of work; answers whether it should go on without a mark. On an embedded store it never should. */
export function remotePace({ store, now }: Pick<Context, "store" | "now">): () => boolean {
  const startedAt = now();
  return () => store.isRemote && now() - startedAt <= UNMARKED_MS;
}
