/**
 * The service and its commands.
 *
 *     deno run --allow-all main.ts [dev | start | seed | package … | cms …]
 *
 * @module
 */
import { failureLine } from "./routes/command_line/failure_line.ts";
import { ConfigError, readConfig } from "./routes/process/config.ts";
import { serve } from "./routes/process/serve.ts";
import { openService, type Service } from "./routes/process/service.ts";
import { usageOf } from "./routes/process/usage.ts";
import manifest from "./deno.json" with { type: "json" };

const [command = "start", ...commandArguments] = Deno.args;

/** Commands by name; they return the exit code. */
const COMMANDS: Record<string, () => Promise<number>> = {
  async package() {
    const { packageCommand } = await import("./routes/command_line/package_command.ts");
    return await packageCommand(commandArguments, console.log, Math.floor(Date.now() / 1000));
  },
  async seed() {
    const { seedNow } = await import("./jobs/seed/seed_now.ts");
    const { context, runner } = await open();
    console.log(await seedNow(context, runner));
    context.store.close();
    return 0;
  },
  async cms() {
    const { askRemote, remoteArguments } = await import(
      "./routes/command_line/remote/remote_main.ts"
    );
    const remote = remoteArguments(commandArguments, Deno.env.toObject());
    const { needsNoStore } = await import("./routes/command_line/schema/schema_command.ts");
    if (remote === null && needsNoStore(commandArguments)) {
      const { commandAlone } = await import("./routes/command_line/command.ts");
      const token = Deno.env.get("CMS_TOKEN") ?? "";
      const context = { local: null, token, print: console.log, fetch };
      return await commandAlone(context, commandArguments);
    }
    if (remote !== null) return await askRemote(remote, Deno.env.toObject(), console.log);
    const { runCommand } = await import("./routes/command_line/local.ts");
    return await runCommand(await open(), commandArguments, console.log);
  },
};

async function open(): Promise<Service> {
  const config = readConfig(Deno.env.toObject(), command === "dev" ? "dev" : "start");
  // Deno reads the token of a KV Connect URL only from this variable, whose name Deno Deploy reserves.
  if (config.KV_ACCESS_TOKEN !== "") {
    Deno.env.set("DENO_KV_ACCESS_TOKEN", config.KV_ACCESS_TOKEN);
  }
  return await openService(config, {
    version: manifest.version,
    now: () => Date.now(),
    json: !Deno.stdout.isTerminal(),
    out: console,
    traced: /^(true|1)$/.test(Deno.env.get("OTEL_DENO") ?? ""),
  });
}

/** Prints one line for a failure that an operator can fix; rethrows every other one. */
function fail(error: unknown): never {
  const line = error instanceof ConfigError ? `Cannot start: ${error.message}` : failureLine(error);
  if (line === null) throw error;
  console.error(line);
  Deno.exit(1);
}

const usage = usageOf(command, commandArguments);
if (usage !== null) {
  console.log(usage.text);
  Deno.exit(usage.code);
}
const run = COMMANDS[command];
if (run !== undefined) Deno.exit(await run().catch(fail));
const service = await open().catch(fail);
await serve(service, () => Deno.exit(0)).catch(fail);
