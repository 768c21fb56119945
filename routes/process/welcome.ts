/**
 * The lines printed once the service listens: its address, and where to start while no account exists. In a
 * terminal these are two lines for people; elsewhere they are JSON like every other line, and whatever the
 * log level is.
 *
 * @module
 */
import { isSetupNeeded } from "../../kv/people/setup.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./deps.ts";

/** How the lines are printed. */
export interface WelcomeOptions {
  address: { port: number };
  print: (line: string) => void;
  /** Whether lines are JSON. */
  json: boolean;
}

/** Prints the address and, while no user exists, the first-run address with the setup code. */
export async function printWelcome(
  deps: Deps,
  { HOST, SETUP_CODE }: Pick<Config, "HOST" | "SETUP_CODE">,
  { address, print, json }: WelcomeOptions,
): Promise<void> {
  const shown = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : HOST;
  const origin = `http://${shown.includes(":") ? `[${shown}]` : shown}:${address.port}`;
  const say = (event: string) => {
    const at = new Date(deps.content.context.now()).toISOString();
    print(json ? JSON.stringify({ at, level: "info", event, version: deps.version }) : event);
  };
  // Checked first, so that both lines are printed together.
  const needed = await isSetupNeeded(deps.people);
  say(`Listening on ${origin} (version ${deps.version})`);
  if (!needed) return;
  // Behind #, the code reaches no log of a proxy; a given one is known already.
  const code = SETUP_CODE === "" ? `#code=${encodeURIComponent(deps.setupCode)}` : "";
  say(`First run: open ${origin}/admin/setup${code} to create the first account`);
}
