/**
 * What the terminal says once the service listens: its address, and where to begin while nobody has an
 * account.
 *
 * @module
 */
import { isSetupNeeded } from "../kv/people/setup.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./deps.ts";

/** Prints the address and, while no user exists, the first-run address with the setup code. */
export async function printWelcome(
  deps: Deps,
  config: Config,
  address: { port: number },
  print: (line: string) => void,
): Promise<void> {
  const shown = config.HOST === "0.0.0.0" || config.HOST === "::" ? "localhost" : config.HOST;
  const origin = `http://${shown.includes(":") ? `[${shown}]` : shown}:${address.port}`;
  // Asked first, so that both lines come together: whoever reads the first has the second as well.
  const needed = await isSetupNeeded(deps.people);
  print(`Listening on ${origin}`);
  if (!needed) return;
  print(`First run: ${origin}/admin/setup?code=${encodeURIComponent(deps.setupCode)}`);
}
