import { assertEquals, assertStringIncludes } from "@std/assert";
import { livingEntities } from "../../../../kv/versioning/entities.ts";
import { PACKAGE_UPLOADS_PREFIX } from "../../../../kv/objects/paths.ts";
import { assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type Answer, type TestApp, testApp } from "../../../support/sites/app.ts";
import {
  ACME,
  install,
  packageOf,
  publisher,
  trust,
  trusting,
} from "../../../support/sites/packages.ts";

async function inspect(test: TestApp, packed: Uint8Array<ArrayBuffer>): Promise<Answer> {
  const form = new FormData();
  form.append("package", new Blob([packed]), "package.tar.gz");
  const whole = new Response(form);
  const headers = { "content-type": whole.headers.get("content-type")! };
  const raw = await whole.arrayBuffer();
  return await test.admin("POST", "/plugins?dryRun=true", undefined, { raw, headers });
}

const asking = (version: string, capabilities: string[], hosts: string[] = []) =>
  packageOf({
    facts: { version, capabilities, hosts, hooks: [{ event: "document.published" }] },
    files: { "plugin.js": "1" },
  });

Deno.test("POST /plugins?dryRun=true tells what a package asks for, and keeps nothing of it", async () => {
  await using test = await trusting(await testApp());
  const first = await inspect(
    test,
    await asking("1.0.0", ["content:read", "net:host"], ["a.example"]),
  );
  assertEquals([first.status, first.json], [200, {
    packageId: "com.acme.sample",
    name: "Sample",
    version: "1.0.0",
    publisher: { id: ACME.id, label: "Acme" },
    capabilities: ["content:read", "net:host"],
    hosts: ["a.example"],
    events: ["document.published"],
    needed: ["content:read", "net:host"],
    dropped: [],
    newHosts: ["a.example"],
    present: null,
    reasons: [],
  }]);
  assertEquals(await Array.fromAsync(livingEntities(test.context, "plugin")), []);
  assertEquals(await Array.fromAsync(test.context.objects.list(PACKAGE_UPLOADS_PREFIX)), []);
});

Deno.test("POST /plugins?dryRun=true reports how an update differs from the installed version", async () => {
  await using test = await trusting(await testApp());
  const accept = ["content:read", "net:host"];
  const { result } = await install(
    test,
    "plugins",
    await asking("1.1.0", accept, ["a.example"]),
    { accept },
  );
  const { json } = await inspect(
    test,
    await asking("1.2.0", ["net:host", "mail:send"], ["a.example", "b.example"]),
  );
  assertEquals(json.present, { id: result.install.id, version: "1.1.0", order: "newer" });
  assertEquals([json.needed, json.newHosts, json.dropped], [
    ["mail:send", "net:host"],
    ["b.example"],
    ["content:read"],
  ]);
  const older = await inspect(test, await asking("1.0.0", []));
  assertEquals([older.json.present.order, older.json.needed], ["older", []]);
});

Deno.test("POST /plugins?dryRun=true reports faults of a package", async () => {
  await using test = await trusting(await testApp());
  const good = await asking("1.0.0", []);
  await trust(test, [publisher(ACME, { revoked: true })]);
  assertRefusal(await inspect(test, good), 422, "VALIDATION_FAILED", ["package INVALID_CHOICE"]);
  await trust(test, [publisher()]);
  const without = await packageOf({ facts: { hooks: [{ event: "document.published" }] } });
  assertStringIncludes((await inspect(test, without)).json.reasons[0], "there is no plugin.js");
  const theme = await test.admin("POST", "/themes?dryRun=true", {
    url: "http://127.0.0.1:1/theme",
  });
  assertRefusal(theme, 422, "VALIDATION_FAILED", ["url INVALID_CHOICE"]);
  const no = await test.admin("POST", "/themes?dryRun=true", { url: "file:///etc/passwd" });
  assertEquals(no.status, 422);
});
