/**
 * `cms` commands that run in this process, on the stores that the environment names.
 *
 * @module
 */
import { finishFormat } from "../../kv/upgrade/stored_format.ts";
import { checkConfiguration } from "../process/configuration_check.ts";
import type { Service } from "../process/service.ts";
import { cmsCommand } from "./command.ts";

/** Runs a command and closes the store; answers the exit code. */
export async function runCommand(
  { context, config, deps, runner }: Service,
  args: string[],
  print: (line: string) => void,
): Promise<number> {
  await finishFormat(context);
  const { content, people, search, publishing } = deps;
  const code = await cmsCommand({
    content,
    people,
    search,
    runner,
    siteUrl: async () => (await publishing.rendering()).site.url,
    print,
    checkConfiguration: () => checkConfiguration(config),
  }, args);
  context.store.close();
  return code;
}
