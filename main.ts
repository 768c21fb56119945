/**
 * The service: reads its configuration, opens its stores, wires itself, registers its crons, serves,
 * and shuts down.
 *
 *     deno run --allow-all main.ts [dev | start]
 *
 * @module
 */
import { ulidSource } from "./kv/context.ts";
import { setupCodeOf } from "./kv/setup_code.ts";
import { createLog } from "./kv/log.ts";
import { openObjects } from "./kv/objects/open.ts";
import { openStore } from "./kv/store/open.ts";
import { createApp } from "./routes/app.ts";
import { type Config, ConfigError, readConfig } from "./routes/config.ts";
import { createDeps } from "./routes/wiring.ts";
import { printWelcome } from "./routes/welcome.ts";

function configOrExit(): Config {
  try {
    return readConfig(Deno.env.toObject(), Deno.args[0] === "dev" ? "dev" : "start");
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`Cannot start: ${error.message}`);
    Deno.exit(1);
  }
}

const config = configOrExit();
const now = () => Date.now();
const log = createLog({
  level: config.LOG_LEVEL,
  json: !Deno.stdout.isTerminal(),
  now,
  write: (line, serious) => serious ? console.error(line) : console.log(line),
});
const store = await openStore({
  kvUrl: config.KV_URL,
  dataDir: config.DATA_DIR,
  onDeploy: config.onDeploy,
});
const objects = await openObjects(config, { now });
const deps = createDeps({ store, objects, now, newId: ulidSource(), log }, {
  trustProxy: config.TRUST_PROXY,
  explorerPublicToken: config.EXPLORER_PUBLIC_TOKEN,
  setupCode: config.SETUP_CODE || await setupCodeOf(store),
});
const app = createApp(deps);
const server = Deno.serve({
  port: config.PORT,
  hostname: config.HOST,
  onListen: (address) => void printWelcome(deps, config, address, console.log),
}, app.fetch);

async function shutDown(): Promise<void> {
  log.info("shutting down");
  await Promise.race([server.shutdown(), new Promise((done) => setTimeout(done, 4_000))]);
  await deps.limiter.settle({ force: true });
  store.close();
  Deno.exit(0);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => void shutDown());
}
