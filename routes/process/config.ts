/**
 * The environment, read and checked once at the start. An unusable value stops it with one line that
 * names the variable.
 *
 * @module
 */
import { z } from "zod";
import { LOG_LEVELS } from "../../kv/log.ts";
import { firstIssue } from "../../kv/model/input/first_issue.ts";
import { SECRETS_KEY_CHARS_MIN, SETUP_CODE_CHARS_MIN } from "../input/limits.ts";

/** The mode that the service was started in. */
export type Mode = "dev" | "start";

/** A value that the service cannot run with. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

const text = z.string().trim();
const url = (protocols: RegExp, form: string) =>
  text.refine((value) => value === "" || isAddress(value, protocols), {
    message: `must be ${form}`,
  });
const isAddress = (value: string, protocols: RegExp) => {
  const parsed = URL.parse(value);
  return parsed !== null && protocols.test(parsed.protocol) && parsed.hostname !== "";
};
const whole = (max: number) =>
  text.regex(/^\d{1,6}$/, "must be a whole number").transform(Number).pipe(
    z.number().max(max, `must be at most ${max}`),
  );

const Environment = z.object({
  PORT: whole(65_535).default(8000),
  HOST: text.regex(/^[a-zA-Z0-9.:_-]+$/, "must be a host name or address").optional(),
  DATA_DIR: text.min(1, "must not be empty").default("./data"),
  KV_URL: text.default(""),
  KV_ACCESS_TOKEN: text.default(""),
  DENO_KV_ACCESS_TOKEN: text.default(""),
  DENO_KV_DB_MODE: text.default(""),
  S3_BUCKET: text.default(""),
  OBJECTS_IN_FOLDER: z.enum(["", "0", "1"], "must be 0 or 1").default(""),
  S3_ENDPOINT: url(/^https?:$/, "an http or https URL").default(""),
  S3_REGION: text.default(""),
  AWS_ACCESS_KEY_ID: text.default(""),
  AWS_SECRET_ACCESS_KEY: text.default(""),
  OIDC_ISSUER: url(/^https?:$/, "an https URL").default(""),
  OIDC_CLIENT_ID: text.default(""),
  OIDC_CLIENT_SECRET: text.default(""),
  SECRETS_KEY: text.default("").transform((keys) => keys === "" ? [] : keys.split(/\s*,\s*/))
    .refine(
      (keys) => keys.every((key) => key.length >= SECRETS_KEY_CHARS_MIN),
      `must have at least ${SECRETS_KEY_CHARS_MIN} characters`,
    ),
  BASE_URL: url(/^https?:$/, "an http or https URL").default(""),
  TRUST_PROXY: whole(16).default(0),
  SETUP_CODE: text.refine((code) => code === "" || code.length >= SETUP_CODE_CHARS_MIN, {
    message: `must have at least ${SETUP_CODE_CHARS_MIN} characters`,
  }).default(""),
  EXPLORER_PUBLIC_TOKEN: text.default(""),
  METRICS_TOKEN: text.regex(/^\S*$/, "must not contain whitespace").default(""),
  EMAIL_DOMAIN: z.string().regex(
    /^\s*(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\s*)?$/i,
    "must be a domain name",
  )
    .default(""),
  SMTP_URL: url(/^smtps?:$/, "smtp(s)://user:pass@host:port").default(""),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  JOBS_THREAD: z.enum(["", "0", "1"], "must be 0 or 1").default(""),
  PACKAGES_ALLOW_LOCAL: z.enum(["", "0", "1"], "must be 0 or 1").default(""),
  STORE_FILE_TUNING: z.enum(["", "0", "1"], "must be 0 or 1").default(""),
  ALLOW_NEWER_STORE: z.enum(["", "0", "1"], "must be 0 or 1").default(""),
  DENO_DEPLOYMENT_ID: text.default(""),
});

/** The checked environment; names as the contract spells them. */
export type Config = Omit<z.infer<typeof Environment>, "HOST"> & {
  mode: Mode;
  HOST: string;
  /** Whether this is Deno Deploy. */
  onDeploy: boolean;
};

/** Reads the configuration from an environment. */
export function readConfig(env: Record<string, string | undefined>, mode: Mode): Config {
  const given = Object.fromEntries(
    Object.keys(Environment.shape)
      .map((name) => [name, env[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const result = Environment.safeParse(given);
  if (!result.success) {
    const { path, message } = firstIssue(result.error);
    throw new ConfigError(`${path} ${message}`);
  }
  const config = result.data;
  const { KV_URL } = config;
  if (/^[a-z]+:\/\//i.test(KV_URL) && !/^https?:\/\//i.test(KV_URL)) {
    throw new ConfigError("KV_URL must be a path, :memory: or an http(s) URL");
  }
  const onDeploy = config.DENO_DEPLOYMENT_ID !== "";
  refuseLostObjects(config, onDeploy);
  return {
    ...config,
    mode,
    HOST: config.HOST ?? (mode === "dev" ? "127.0.0.1" : "0.0.0.0"),
    onDeploy,
  };
}

/**
 * Objects in a folder are out of reach for other machines, and do not last on Deno Deploy: documents
 * that were acknowledged would be lost.
 */
function refuseLostObjects(
  { KV_URL, S3_BUCKET, OBJECTS_IN_FOLDER }: z.infer<typeof Environment>,
  onDeploy: boolean,
): void {
  if (S3_BUCKET !== "" || KV_URL === ":memory:") return;
  if (onDeploy) {
    throw new ConfigError("S3_BUCKET must be set: Deno Deploy does not keep files");
  }
  if (/^https?:/i.test(KV_URL) && OBJECTS_IN_FOLDER !== "1") {
    throw new ConfigError(
      "S3_BUCKET must be set because other machines can use the store at KV_URL " +
        "(for a single machine, OBJECTS_IN_FOLDER=1 stores objects in DATA_DIR)",
    );
  }
}
