/**
 * Turns the configuration into options: the log, the location of the store, and the wiring. The
 * jobs thread uses the same.
 *
 * @module
 */
import { createMailer } from "../../jobs/mail/mailer.ts";
import { httpPurge, PLATFORM_PURGE_ADDRESS, recordedPurge } from "../../jobs/publishing/purge.ts";
import { createLog, type Log } from "../../kv/log.ts";
import type { StoreLocation } from "../../kv/store/open.ts";
import type { Config } from "./config.ts";
import type { WiringOptions } from "./wiring.ts";

/** The log on standard output and error. */
export function logOf(
  { LOG_LEVEL }: Config,
  { json, now, out }: { json: boolean; now: () => number; out: Pick<Console, "log" | "error"> },
): Log {
  const write = (line: string, isSerious: boolean) => isSerious ? out.error(line) : out.log(line);
  return createLog({ level: LOG_LEVEL, json, now, write });
}

/** The location of the store. */
export function storeLocationOf(config: Config): StoreLocation {
  return {
    kvUrl: config.KV_URL,
    dataDir: config.DATA_DIR,
    onDeploy: config.onDeploy,
    inMemory: config.DENO_KV_DB_MODE === "memory",
    tuned: config.STORE_FILE_TUNING !== "0",
  };
}

/** The options of the wiring. */
export function wiringOptionsOf(
  config: Config,
  { log, version, setupCode }: { log: Log; version: string; setupCode: string },
): WiringOptions {
  return {
    trustProxy: config.TRUST_PROXY,
    development: config.mode === "dev",
    setupCode,
    version,
    monotonic: () => performance.now(),
    metricsToken: config.METRICS_TOKEN,
    oidcEnv: config.OIDC_ISSUER === "" || config.OIDC_CLIENT_ID === "" ? null : {
      issuer: config.OIDC_ISSUER,
      clientId: config.OIDC_CLIENT_ID,
      clientSecret: config.OIDC_CLIENT_SECRET,
    },
    explorerPublicToken: config.EXPLORER_PUBLIC_TOKEN,
    baseUrl: config.BASE_URL,
    secretsKeys: config.SECRETS_KEY,
    sendMail: createMailer({
      smtpUrl: config.SMTP_URL,
      emailDomain: config.EMAIL_DOMAIN,
      outbox: config.onDeploy ? null : `${config.DATA_DIR}/outbox`,
      log,
    }),
    guard: { allowLocal: config.PACKAGES_ALLOW_LOCAL === "1" },
    purge: config.onDeploy ? httpPurge(PLATFORM_PURGE_ADDRESS, fetch) : recordedPurge(),
  };
}
