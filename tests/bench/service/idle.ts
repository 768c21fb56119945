/**
 * Waiting until a started service has no job left: what a request sets off behind it counts.
 *
 * @module
 */
import type { StartedService } from "./started_service.ts";

const CHECK_INTERVAL_MS = 500;
/** How long no job must be left, milliseconds: some jobs request others only after a while. */
const IDLE_MS = 5_000;
/** Time by which the last job must have ended, milliseconds. */
const IDLE_MS_MAX = 1_800_000;

/** Resolves once no job is left; answers how long the last one took from now, milliseconds. */
export async function waitUntilIdle(
  { origin, cookie }: Pick<StartedService, "origin" | "cookie">,
): Promise<number> {
  const begunAt = performance.now();
  let lastSeenAt = begunAt;
  for (let now = begunAt; now - lastSeenAt < IDLE_MS; now = performance.now()) {
    if (now - begunAt > IDLE_MS_MAX) throw new Error("Jobs do not come to an end");
    for (const state of ["queued", "running"]) {
      const path = `${origin}/api/admin/jobs?state=${state}&perPage=1`;
      const { meta } = await (await fetch(path, { headers: { cookie } })).json();
      if (meta.total > 0) lastSeenAt = performance.now();
    }
    await new Promise((done) => setTimeout(done, CHECK_INTERVAL_MS));
  }
  return lastSeenAt - begunAt;
}
