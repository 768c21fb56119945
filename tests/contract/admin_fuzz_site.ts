/**
 * A site with a plugin and a theme, for fuzzing its admin API.
 *
 * @module
 */
import { testApp } from "../support/app.ts";
import { install, packageOf, themeParts, trusting } from "../support/packages.ts";
import { type AdminFuzzReport, fuzzAdmin } from "./admin_fuzz.ts";

const SETTINGS = {
  greeting: { type: "text", label: "Greeting", default: "Hello" },
  apiKey: { type: "text", secret: true },
};

/** Fuzzes a fresh site from a seed. */
export async function fuzzAdminOnce(seed: number, rounds: number): Promise<AdminFuzzReport> {
  await using test = await testApp();
  await trusting(test);
  const plugin = await packageOf({ facts: { settings: SETTINGS } });
  const theme = await packageOf(themeParts("Fuzzy"));
  await install(test, "plugins", plugin);
  await install(test, "themes", theme);
  return await fuzzAdmin(test, { seed, rounds, files: [plugin, theme] });
}
