/** What the way the service is reached owes its users: cookies, headers, hosts, the first run, the files. */
import { checkConfiguration } from "../../routes/process/configuration_check.ts";
import { ConfigError, readConfig } from "../../routes/process/config.ts";
import { isHttps, ownHost } from "../../routes/middleware/own_origin.ts";
import { closeToOthers, pathsOpenToOthers } from "../../kv/store/disk/private_files.ts";
import { createLog } from "../../kv/log.ts";
import { isPublicAddress } from "../../jobs/network/public_address.ts";
import { answered } from "../support/sites/admin_answers.ts";
import { ADA, callApp, testApp } from "../support/sites/app.ts";
import { assert, assertEquals, assertThrows } from "../support/harness/assert.ts";
import { Hono } from "@hono/hono";

const HSTS = "strict-transport-security";

Deno.test("an https BASE_URL makes cookies Secure, sends HSTS and gives the site's address", async () => {
  await using test = await testApp({ baseUrl: "https://cms.example" });
  const set = await test.setUp();

  const cookie = set.headers.get("set-cookie")!;
  assert(/^__Host-session=\w+; .*Secure/.test(cookie), cookie);
  assertEquals((await test.admin("GET", "/session")).status, 200);
  assertEquals((await test.admin("GET", "/settings")).json["site.url"], "https://cms.example");
  for (const path of ["/", "/healthz", "/api/v1/_meta", "/admin/sign-in", "/api/nothing"]) {
    const { headers } = await test.call("GET", path);
    assertEquals(headers.get(HSTS), "max-age=31536000", path);
  }
});

Deno.test("without an https BASE_URL nothing promises HTTPS", async () => {
  await using test = await testApp({ baseUrl: "http://cms.example" });
  const set = await test.setUp();

  assert(!set.headers.get("set-cookie")!.includes("Secure"));
  assertEquals(set.headers.get(HSTS), null);
});

Deno.test("every answer says that it is no other type than it declares", async () => {
  await using test = await testApp();
  await test.setUp();
  const { json: { id } } = await test.admin("POST", "/collections", { slug: "posts", name: "P" });
  assert(id !== "");
  const paths = ["/healthz", "/readyz", "/version", "/", "/admin/sign-in", "/favicon.ico"];
  paths.push("/api/admin/setup", "/api/v1/_meta", "/robots.txt", "/nothing", "/mcp");
  for (const path of paths) {
    const { headers } = await test.call("GET", path);
    assertEquals(headers.get("x-content-type-options"), "nosniff", path);
  }
  for (const path of ["/session", "/settings", "/collections", "/users", "/documents"]) {
    const { headers } = await test.admin("GET", path);
    assertEquals(headers.get("x-content-type-options"), "nosniff", path);
  }
});

Deno.test("a proxy that forwards requests and is not trusted is reported once", async () => {
  await using test = await testApp();
  const warned: string[] = [];
  test.context.log.warn = (event) => void warned.push(event);
  const headers = { "x-forwarded-for": "203.0.113.9" };

  await test.call("GET", "/healthz", { headers });
  await test.call("GET", "/healthz", { headers });

  assertEquals(warned.filter((event) => event.includes("TRUST_PROXY")).length, 1);
});

Deno.test("the host of a proxy is only believed when it is one", async () => {
  const hosts: Record<string, string> = {
    "cms.example": "cms.example",
    "CMS.example:8443": "cms.example:8443",
    "[2001:db8::1]:80": "[2001:db8::1]:80",
    "evil.example; script-src *": "own.example",
    'evil.example" onload="': "own.example",
    "evil.example/path": "own.example",
    "evil example": "own.example",
    "user@evil.example": "own.example",
  };
  for (const [given, expected] of Object.entries(hosts)) {
    const app = new Hono().get("/", (c) => c.text(`${ownHost(c, 1)} ${isHttps(c, 1)}`));
    const headers = { "x-forwarded-host": given, "x-forwarded-proto": "https" };
    const response = await app.request("http://own.example/", { headers });
    assertEquals(await response.text(), `${expected} true`);
  }
});

Deno.test("SETUP_CODE has at least 12 characters", () => {
  for (const code of ["x", "eleven char"]) {
    assertThrows(() => readConfig({ SETUP_CODE: code }, "start"), ConfigError, "SETUP_CODE must");
  }
  assertEquals(readConfig({ SETUP_CODE: "twelve chars" }, "start").SETUP_CODE, "twelve chars");
  assertEquals(readConfig({ SETUP_CODE: "" }, "start").SETUP_CODE, "");
});

Deno.test("only addresses of the public internet are public, in IPv6 too", () => {
  const inside = [
    "::7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "fe80::1",
  ];
  inside.push(
    "fec0::1",
    "fc00::1",
    "2001:db8::1",
    "2001::1",
    "2002:7f00:1::",
    "3fff::1",
    "::",
    "::1",
  );
  inside.push("5f00::1", "4000::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:0:127.0.0.1");
  inside.push("127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0");
  const outside = ["2606:4700::1111", "2a00:1450:4001::200e", "2400:cb00::1", "93.184.215.14"];

  assertEquals(inside.filter(isPublicAddress), []);
  assertEquals(outside.filter((address) => !isPublicAddress(address)), []);
});

Deno.test("names are on one line, and the readable log prints no control character", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [] });
  const hook = { url: "https://h.example/", events: ["document.published"], collections: null };
  for (const name of ["a\nb", "a\u001b[2Jb", "a\u009b1mb", "a\u2028b", "a\u007fb"]) {
    const answers = [
      await test.admin("POST", "/tokens", { name, scopes: ["*"] }),
      await test.admin("POST", "/webhooks", { name, ...hook }),
      await test.admin("POST", "/releases", { name }),
      await test.admin("POST", "/roles", { name, permissions: [] }),
    ];
    assertEquals(answers.map(({ status }) => status), [422, 422, 422, 422], JSON.stringify(name));
  }
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = createLog({ level: "info", json: false, now: () => 0, write });
  log.info("request", { token: "a\nb\u001b[2J", path: "ü \u0085" });
  assertEquals(lines, [
    "00:00:00.000 info  request token=a\\u000ab\\u001b[2J path=ü \\u0085",
  ]);
});

Deno.test("files of the data folder are for the service alone, and the doctor says when they are not", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.chmod(folder, 0o755);
  await Deno.writeTextFile(`${folder}/kv.sqlite3`, "", { mode: 0o644 });
  await Deno.chmod(`${folder}/kv.sqlite3`, 0o644);
  await Deno.mkdir(`${folder}/objects`, { mode: 0o700 });
  await Deno.mkdir(`${folder}/outbox`);
  await Deno.chmod(`${folder}/outbox`, 0o755);
  const config = {
    BASE_URL: "https://cms.example",
    TRUST_PROXY: 0,
    DATA_DIR: folder,
    onDeploy: false,
  };

  const findings = await Array.fromAsync(checkConfiguration(config));

  await Deno.chmod(folder, 0o700);
  assertEquals(await pathsOpenToOthers(folder), [], "nobody else gets into the folder");
  await Deno.chmod(folder, 0o755);
  assertEquals(findings.map(({ subject }) => subject), [
    "TRUST_PROXY",
    `${folder}/kv.sqlite3`,
    `${folder}/outbox`,
  ]);
  for (const { repair } of findings) await repair?.();
  assertEquals(await pathsOpenToOthers(folder), []);
  assertEquals(await closeToOthers(`${folder}/objects`), true);
  assertEquals((await Deno.stat(`${folder}/outbox`)).mode! & 0o777, 0o700);
  const behind = { ...config, TRUST_PROXY: 1 };
  assertEquals(await Array.fromAsync(checkConfiguration(behind)), []);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("what the process writes is readable by its user alone", async () => {
  const folder = await Deno.makeTempDir();
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "main.ts", "start"],
    env: { DATA_DIR: `${folder}/data`, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "info" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  try {
    let said = "";
    for await (const text of server.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (said.includes("Listening")) break;
    }
    const modes: Record<string, string> = {};
    for (const name of ["", "/kv.sqlite3", "/objects"]) {
      const { mode } = await Deno.stat(`${folder}/data${name}`);
      modes[name] = (mode! & 0o777).toString(8);
    }
    assertEquals(modes, { "": "700", "/kv.sqlite3": "600", "/objects": "700" });
  } finally {
    server.kill("SIGTERM");
    await server.stderr.cancel();
    await server.status;
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an account that exists is no reason to send another answer", async () => {
  await using test = await testApp();
  answered(await test.setUp(), 201);
  const ask = (email: string) =>
    callApp(test.app, "POST", "/api/admin/session", {
      body: { email, password: "wrong password" },
    });

  const [known, unknown] = [await ask(ADA.email), await ask("nobody@example.org")];

  assertEquals([known.status, known.text], [unknown.status, unknown.text]);
});
