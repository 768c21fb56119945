/**
 * The flags that the service is started with, so that what a benchmark measures has them too.
 *
 * @module
 */
import project from "../../../deno.json" with { type: "json" };

/** Flags of V8 in the task that starts the service. */
export const SERVICE_FLAGS: readonly string[] = project.tasks.start.split(" ")
  .filter((word) => word.startsWith("--v8-flags="));
