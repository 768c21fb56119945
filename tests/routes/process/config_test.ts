import { assert, assertEquals, assertThrows } from "@std/assert";
import { ConfigError, readConfig } from "../../../routes/process/config.ts";

Deno.test("readConfig() has the defaults of the contract, and takes empty values for none", () => {
  for (const env of [{}, { PORT: "", KV_URL: "", LOG_LEVEL: "", TRUST_PROXY: "", HOST: "" }]) {
    const { mode: _mode, HOST, ...config } = readConfig(env, "dev");
    assertEquals(HOST, "127.0.0.1");
    assertEquals(
      [config.PORT, config.DATA_DIR, config.KV_URL, config.TRUST_PROXY, config.LOG_LEVEL],
      [8000, "./data", "", 0, "info"],
    );
    assertEquals(readConfig(env, "start").HOST, "0.0.0.0");
  }
});

Deno.test("readConfig() refuses a value that cannot be used, by its name", () => {
  const cases: [string, string[]][] = [
    ["PORT", ["x", "-1", "65536", "80.5", "1e3"]],
    ["HOST", ["no host", "a/b"]],
    ["DATA_DIR", ["  "]],
    ["KV_URL", ["ftp://example.org", "redis://example.org"]],
    ["S3_ENDPOINT", ["example.org", "ftp://example.org", "http://"]],
    ["SECRETS_KEY", ["short", `${"x".repeat(32)},short`]],
    ["BASE_URL", ["example.org", "ftp://example.org"]],
    ["TRUST_PROXY", ["-1", "yes", "1.5"]],
    ["SMTP_URL", ["http://example.org", "smtp://", "smtp:///path", "example.org:25"]],
    ["EMAIL_DOMAIN", ["a@b", "a b", "a..b"]],
    ["LOG_LEVEL", ["loud", "INFO"]],
  ];
  for (const [name, values] of cases) {
    for (const value of values) {
      try {
        readConfig({ [name]: value }, "start");
      } catch (error) {
        assert(error instanceof ConfigError, `${name}=${value}`);
        assert(error.message.startsWith(`${name} `), error.message);
        assert(!error.message.includes("\n"));
        continue;
      }
      throw new Error(`${name}=${value} was accepted`);
    }
  }
});

Deno.test("readConfig() takes white space for no domain of mails", () => {
  assertEquals(readConfig({ EMAIL_DOMAIN: " \t " }, "start").EMAIL_DOMAIN.trim(), "");
});

Deno.test("readConfig() refuses to keep objects where others cannot read them, or they do not last", () => {
  const remote = { KV_URL: "https://kv.example" };
  const deploy = { DENO_DEPLOYMENT_ID: "d1" };
  for (const env of [remote, deploy, { ...remote, OBJECTS_IN_FOLDER: "0" }]) {
    const error = assertThrows(
      () => readConfig(env, "start"),
      ConfigError,
      "S3_BUCKET must be set",
    );
    assert(!error.message.includes("\n"));
    readConfig({ ...env, S3_BUCKET: "bucket" }, "start");
  }
  readConfig({ ...remote, OBJECTS_IN_FOLDER: "1" }, "start");
  assertThrows(() => readConfig({ ...deploy, OBJECTS_IN_FOLDER: "1" }, "start"), ConfigError);
  for (const KV_URL of ["", ":memory:", "./kv.sqlite3"]) readConfig({ KV_URL }, "start");
});
