import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { newSigningKey } from "../../../jobs/packages/pack_package.ts";
import { PACKAGE_UPLOADS_PREFIX, packagePath } from "../../../kv/objects/paths.ts";
import { restoreVersion } from "../../../kv/history/restore/restore_version.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";
import {
  ACME,
  ended,
  install,
  packageOf,
  type Parts,
  publisher,
  trust,
  trusting,
} from "../../support/sites/packages.ts";

const CODE = { "plugin.js": "export default {}" };

function plugin(facts: Record<string, unknown> = {}, files: Parts["files"] = CODE) {
  return packageOf({ files, facts });
}

async function installed(test: TestApp) {
  return (await test.admin("GET", "/plugins")).json.data;
}

Deno.test("INSTALL brings an uploaded plugin in, disabled, and leaves no upload behind", async () => {
  await using test = await testApp();
  await trusting(test);
  const packed = await plugin();

  const job = await install(test, "plugins", packed);

  assertEquals([job.type, job.state, job.error], ["INSTALL", "done", null]);
  const [view] = await installed(test);
  assertEquals([view.id, view.packageId, view.version], [
    job.result.install.id,
    "com.acme.sample",
    "1.0.0",
  ]);
  assertEquals([view.enabled, view.status], [false, "disabled"]);
  assertEquals(await test.context.objects.get(packagePath(sha256(packed))), packed);
  assertEquals(await Array.fromAsync(test.context.objects.list(PACKAGE_UPLOADS_PREFIX)), []);
});

Deno.test("INSTALL fails at once, and for good, on anything wrong", async () => {
  await using test = await testApp();
  await trusting(test);
  const stranger = newSigningKey("stranger");
  const wrong: [Uint8Array<ArrayBuffer>, RegExp][] = [
    [await packageOf({ files: CODE, key: stranger }), /key stranger is not known/],
    [await plugin({ id: "com.other.sample" }), /may not sign/],
    [await packageOf({ files: CODE, more: [["../x", "x"]] }), /plain relative path/],
    [await plugin({ kind: "theme" }), /is a theme, not a plugin/],
    [await plugin({ hooks: [{ event: "document.published" }] }, {}), /no plugin\.js/],
    [new Uint8Array(10), /not gzipped/],
  ];
  for (const [packed, reason] of wrong) {
    const job = await install(test, "plugins", packed);
    assertEquals([job.state, job.attempts], ["failed", 1]);
    assertMatch(job.error, reason);
  }
  assertEquals(await installed(test), []);
});

Deno.test("INSTALL asks for consent: to everything at first, later to additions", async () => {
  await using test = await testApp();
  await trusting(test);
  const first = await plugin({ capabilities: ["content:read", "settings:own"] });

  const refused = await install(test, "plugins", first, { accept: ["content:read"] });
  assertEquals([refused.state, refused.error], ["failed", "install: Not accepted: settings:own"]);
  const agreed = await install(test, "plugins", first, {
    accept: ["content:read", "settings:own"],
  });
  assertEquals(agreed.state, "done");

  const same = await plugin({ version: "1.1.0", capabilities: ["settings:own"] });
  assertEquals((await install(test, "plugins", same)).state, "done");
  const facts = { capabilities: ["settings:own", "net:host"], hosts: ["api.acme.example"] };
  const wider = await plugin({ version: "1.2.0", ...facts });
  const asked = await install(test, "plugins", wider);
  assertStringIncludes(asked.error, "Not accepted: net:host (api.acme.example)");
  assertEquals((await install(test, "plugins", wider, { accept: ["net:host"] })).state, "done");
  const hosts = ["api.acme.example", "evil.example"];
  const moreHosts = await plugin({ version: "1.3.0", ...facts, hosts });
  assertStringIncludes((await install(test, "plugins", moreHosts)).error, "evil.example");
  assertEquals((await installed(test))[0].version, "1.2.0");
});

Deno.test("threat: roll-back – INSTALL goes back only on purpose, and versions lead to their own bytes", async () => {
  await using test = await testApp();
  await trusting(test);
  const old = await plugin({}, { "plugin.js": "export default { a() {} }" });
  const { result } = await install(test, "plugins", old);
  const { id } = result.install;
  await install(test, "plugins", await plugin({ version: "2.0.0" }));

  const refused = await install(test, "plugins", old);
  assertStringIncludes(refused.error, "2.0.0 is installed, which is newer than 1.0.0");
  assertEquals((await installed(test))[0].version, "2.0.0");
  const wanted = await install(test, "plugins", old, { downgrade: true });
  assertEquals([wanted.state, wanted.result.install.previous], ["done", "2.0.0"]);

  const versions = await test.admin("GET", `/versions/plugin/${id}`);
  const newer = versions.json.data.find((it: { version_number: number }) =>
    it.version_number === 2
  );
  const restoring = { content: test.deps.content, access: test.deps.people.access };
  await restoreVersion(restoring, UNATTENDED, newer.id);
  const [view] = await installed(test);
  assertEquals(view.version, "2.0.0");
  const { archive } = (await test.admin("GET", `/versions/${newer.id}`)).json.state;
  const files = await test.deps.packages.archives.files(archive, "plugin");
  assertEquals(new TextDecoder().decode(files.get("plugin.js")), "export default {}");

  // What was signed with a key that was revoked since does not come back.
  await trust(test, [publisher(ACME, { revoked: true })]);
  await assertRejects(
    () => restoreVersion(restoring, UNATTENDED, newer.id),
    Refusal,
    "the key acme-1 was revoked",
  );
});

Deno.test("INSTALL takes the same version only with the same contents", async () => {
  await using test = await testApp();
  await trusting(test);
  const packed = await plugin();
  await install(test, "plugins", packed);
  assertEquals((await install(test, "plugins", packed)).state, "done");

  const other = await plugin({}, { "plugin.js": "export default 1" });
  const job = await install(test, "plugins", other);

  assertStringIncludes(job.error, "is installed already, with other contents");
});

Deno.test("threat: manifest swap after check – what is kept are the bytes that were looked at", async () => {
  await using test = await testApp();
  await trusting(test);
  const good = await plugin();
  const evil = await packageOf({ files: CODE, key: { ...newSigningKey("x"), id: ACME.id } });
  const { objects } = test.context;
  const get = objects.get.bind(objects);
  let reads = 0;
  // The step that installs reads the upload once more than the step that checks; then it is exchanged.
  objects.get = (key) =>
    key.startsWith(PACKAGE_UPLOADS_PREFIX) && reads++ > 1 ? Promise.resolve(evil) : get(key);

  const job = await install(test, "plugins", good);

  assertEquals([job.state, reads], ["done", 2]);
  assertEquals(await get(packagePath(sha256(good))), good);
  assertEquals(await get(packagePath(sha256(evil))), null);

  // Replaced between the two steps: the installed package is checked again.
  await test.admin("DELETE", "/plugins/com.acme.sample");
  reads = 1;
  const exchanged = await install(test, "plugins", good);
  assertStringIncludes(exchanged.error, "signature of manifest.json is wrong");
});

Deno.test("INSTALL of a failed job continues once its publisher is accepted", async () => {
  await using test = await testApp();
  await trusting(test, []);
  const job = await install(test, "plugins", await plugin());
  assertStringIncludes(job.error, "is not known");

  await trust(test, [publisher()]);
  await test.admin("POST", `/jobs/${job.id}/retry`);
  await test.runner.drain();

  assertEquals((await installed(test)).length, 1);
});

Deno.test("INSTALL downloads from an address, along redirects, within its limits", async () => {
  await using test = await testApp({ guard: { allowLocal: true } });
  await trusting(test);
  const packed = await plugin();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/moved") return Response.redirect(new URL("/package", url));
    if (pathname === "/large") return new Response(new Uint8Array(1_000_001));
    return pathname === "/package" ? new Response(packed) : new Response("", { status: 404 });
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const from = async (path: string) =>
    await ended(test, await test.admin("POST", "/plugins", { url: origin + path, accept: [] }));

  const found = await from("/moved");
  const large = await from("/large");
  const missing = await from("/missing");
  await server.shutdown();

  assertEquals([found.state, found.result.download.bytes], ["done", packed.byteLength]);
  assertStringIncludes(large.error, "over 1000000 bytes");
  assertEquals([missing.state, missing.error], [
    "failed",
    "download: The download was answered with status 404",
  ]);
});

Deno.test("INSTALL downloads from nowhere but the public internet", async () => {
  await using test = await testApp();
  await trusting(test);
  for (const url of ["https://127.0.0.1/x", "https://169.254.169.254/x", "http://example.org/x"]) {
    const job = await ended(test, await test.admin("POST", "/plugins", { url }));
    assertEquals([job.state, job.attempts], ["failed", 1], url);
    assertMatch(job.error, /not on the public internet|not HTTPS/);
  }
});

Deno.test("POST /plugins refuses a body that brings no package", async () => {
  await using test = await testApp();
  await trusting(test);
  for (const body of [{}, { url: "ftp://x/" }, { url: "https://x.example/", accept: "a" }]) {
    assertEquals((await test.admin("POST", "/plugins", body)).status, 422);
  }
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const part = (name: string, body: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"; filename="f"\r\n\r\n${body}\r\n--x--\r\n`;
  const post = (raw: string) => test.admin("POST", "/plugins", undefined, { raw, headers });
  assertEquals((await post(part("other", "x"))).status, 422);
  assertEquals((await post(part("package", "x".repeat(1_000_001)))).status, 413);
  assertEquals((await post("--x--\r\n")).status, 422);
  assert((await Array.fromAsync(test.context.objects.list(PACKAGE_UPLOADS_PREFIX))).length === 0);
  assertEquals((await test.call("POST", "/api/admin/plugins", { body: {} })).status, 401);
});
