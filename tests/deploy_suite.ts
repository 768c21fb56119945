/**
 * `deno run --allow-all tests/deploy_suite.ts [--whole] [paths…]`: runs tests on the Deno of Deno Deploy: those of
 * `DEPLOY_FILES`, with `--whole` all that need no browser.
 *
 * @module
 */
import { expandPaths } from "./runner/arguments.ts";
import { DEPLOY_DENO, deployFiles } from "./runner/deploy_files.ts";
import { classOf, LONG_FILES } from "./runner/files.ts";

/** Runs them; answers whether all have passed. */
export async function runDeploySuite({ whole = false, paths = ["tests"] } = {}): Promise<boolean> {
  const files = await expandPaths(paths);
  const chosen = whole ? await withoutBrowser(files) : deployFiles(files);
  const config = await Deno.makeTempFile({ dir: ".", prefix: ".deploy-", suffix: ".json" });
  try {
    await Deno.writeTextFile(config, await deployConfig());
    // By the lock file: without it each process would ask the registry which versions there are.
    const options = ["--lock=deno.lock", "--frozen", "--config", config];
    const { success } = await new Deno.Command("npx", {
      args: [
        ...["-y", `deno@${DEPLOY_DENO}`, "run", "--allow-all", ...options, "tests/run.ts"],
        ...options,
        ...chosen,
      ],
      stdin: "null",
    }).spawn().status;
    return success;
  } finally {
    await Deno.remove(config);
  }
}

/** `deno.json` without the settings of tests, which that version does not know. */
async function deployConfig(): Promise<string> {
  const { test: _, ...config } = JSON.parse(await Deno.readTextFile("deno.json"));
  return JSON.stringify(config);
}

/** Tests of this repository's own files differ by no version; browsers are no part of it. */
async function withoutBrowser(files: string[]): Promise<string[]> {
  const chosen: string[] = [];
  for (const file of files) {
    if (
      file in LONG_FILES || !/^tests\/(kv|jobs|routes|contract|stories|simulation)\//.test(file)
    ) {
      continue;
    }
    if (classOf(file, await Deno.readTextFile(file)) !== "browser") chosen.push(file);
  }
  return chosen;
}

if (import.meta.main) {
  const whole = Deno.args.includes("--whole");
  const paths = Deno.args.filter((arg) => !arg.startsWith("-"));
  Deno.exit(await runDeploySuite({ whole, ...(paths.length > 0 && { paths }) }) ? 0 : 1);
}
