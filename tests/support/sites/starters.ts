/**
 * The sites of docs/starters/ as processes.
 *
 * @module
 */

import { freePort } from "../stores/free_port.ts";

/** Folders with the starters that have to be built. */
const ASTRO = Deno.env.get("ASTRO_STARTER");
const NEXT = Deno.env.get("NEXT_STARTER");

const HONO = "docs/starters/hono";

/** Every starter, and how it is run. */
export const STARTERS = [
  {
    name: "hono",
    command: Deno.execPath(),
    args: ["run", "-A", "--no-lock", "--config", `${HONO}/deno.json`, `${HONO}/main.ts`],
    ignore: false,
  },
  {
    name: "astro",
    command: "node",
    args: [`${ASTRO}/dist/server/entry.mjs`],
    ignore: ASTRO === undefined,
  },
  {
    name: "next",
    command: "node",
    args: [`${NEXT}/node_modules/next/dist/bin/next`, "start", `${NEXT}`],
    ignore: NEXT === undefined,
  },
];

/** How long a starter may take to answer, in tenths of a second. */
const PATIENCE = 100;

/** A starter that runs. */
export interface RunningStarter extends AsyncDisposable {
  origin: string;
  /** A page of it; waits until it has started. */
  get(path: string): Promise<{ status: number; text: string }>;
}

/** Runs a starter; `await using` ends it. */
export function startStarter(
  command: string,
  args: string[],
  env: Record<string, string>,
): RunningStarter {
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const site = new Deno.Command(command, {
    args,
    env: { PORT: String(port), HOST: "127.0.0.1", NO_COLOR: "1", ...env },
    // Its errors belong in the test's output; an unread pipe could block it.
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  return {
    origin,
    get: async (path) => {
      for (let attempt = 0;; attempt++) {
        try {
          const response = await fetch(origin + path);
          return { status: response.status, text: await response.text() };
        } catch (error) {
          if (attempt >= PATIENCE) throw error;
          await new Promise((done) => setTimeout(done, 100));
        }
      }
    },
    [Symbol.asyncDispose]: async () => {
      site.kill();
      await site.status;
    },
  };
}
