/**
 * A site with a plugin and a theme, for fuzzing its admin API.
 *
 * @module
 */
import { testApp } from "../support/sites/app.ts";
import { install, packageOf, themeParts, trusting } from "../support/sites/packages.ts";
import { RECEIVER } from "./admin_bodies.ts";
import { type AdminFuzzReport, fuzzAdmin } from "./admin_fuzz.ts";

const SETTINGS = {
  greeting: { type: "text", label: "Greeting", default: "Hello" },
  apiKey: { type: "text", secret: true },
};

/** Fuzzes a fresh site from a seed. */
export async function fuzzAdminOnce(seed: number, rounds: number): Promise<AdminFuzzReport> {
  // A receiver that refuses connections at once, and no names: nothing leaves this machine.
  const guard = {
    allowLocal: false,
    isPublic: (address: string) => address === RECEIVER,
    resolve: () => Promise.resolve([]),
  };
  await using test = await testApp({ guard });
  await trusting(test);
  const hooks = [{ event: "document.published" }];
  const files = { "plugin.js": `export default { "document.published": () => ({ seen: true }) };` };
  const plugin = await packageOf({ facts: { settings: SETTINGS, hooks }, files });
  const theme = await packageOf(themeParts("Fuzzy"));
  const { result } = await install(test, "plugins", plugin);
  await test.admin("POST", `/plugins/${result.install.id}/enable`);
  await install(test, "themes", theme);
  await test.admin("PATCH", "/settings", { languages: [{ code: "en" }, { code: "fr" }] });
  return await fuzzAdmin(test, { seed, rounds, files: [plugin, theme] });
}
