/**
 * Prints the address of the service, and the setup URL while there is no account: as text in a
 * terminal, otherwise as JSON like every log line, whatever the log level.
 *
 * @module
 */
import { isSetupNeeded } from "../../kv/people/setup.ts";
import type { Config } from "./config.ts";
import type { Deps } from "../deps/deps.ts";

/** Options for printing. */
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
  // Checked first, so that a program that has read the first line also gets the second.
  const needed = await isSetupNeeded(deps.people);
  say(`Listening on ${origin} (version ${deps.version})`);
  if (!needed) return;
  // Behind #, the code reaches no log of a proxy; a given one is known already.
  const code = SETUP_CODE === "" ? `#code=${encodeURIComponent(deps.setupCode)}` : "";
  say(`First run: open ${origin}/admin/setup${code} to create the first account`);
}
