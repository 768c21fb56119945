/**
 * Loaded before the service in a process whose clock is to be wrong: `TEST_CLOCK_AHEAD_MS` says by how much.
 *
 * @module
 */
const aheadMs = Number(Deno.env.get("TEST_CLOCK_AHEAD_MS"));
const now = Date.now;
Date.now = () => now() + aheadMs;
