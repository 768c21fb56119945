/**
 * Checks for unsafe configuration, reported at start and by `cms doctor`.
 *
 * @module
 */
import type { Finding } from "../../kv/doctor/finding.ts";
import { closeToOthers, pathsOpenToOthers } from "../../kv/store/disk/private_files.ts";
import type { Config } from "./config.ts";

/** Findings about the proxy in front, the address, and files that other users of the machine can read. */
export async function* checkConfiguration(
  config: Pick<Config, "BASE_URL" | "TRUST_PROXY" | "DATA_DIR" | "onDeploy">,
): AsyncGenerator<Finding> {
  if (config.onDeploy) return;
  if (/^https:/i.test(config.BASE_URL) && config.TRUST_PROXY === 0) {
    yield {
      check: "configuration",
      subject: "TRUST_PROXY",
      problem: "BASE_URL uses https, so a proxy terminates TLS, but TRUST_PROXY is 0: " +
        "all clients appear to have the same IP address",
    };
  }
  for (const path of await pathsOpenToOthers(config.DATA_DIR)) {
    yield {
      check: "configuration",
      subject: path,
      problem: "readable by other users of this machine",
      repair: async () => await closeToOthers(path),
    };
  }
}
