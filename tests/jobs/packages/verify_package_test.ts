import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { newSigningKey, signatureLine } from "../../../jobs/packages/pack_package.ts";
import { readPackage } from "../../../jobs/packages/read_package.ts";
import { type PublisherKey, verifyPackage } from "../../../jobs/packages/verify_package.ts";
import { PackageFault } from "../../../kv/model/entities/package_manifest.ts";
import { NOON } from "../../support/harness/context.ts";
import {
  ACME,
  bytes,
  manifestOf,
  packageOf,
  type Parts,
  publisher,
} from "../../support/sites/packages.ts";

const AT = NOON / 1000;

async function verified(parts: Parts, publishers: PublisherKey[] = [publisher()], at = AT) {
  const files = await readPackage(await packageOf(parts), "plugin");
  return verifyPackage(files, { publishers, at });
}

/** Why a package is refused. */
async function reason(parts: Parts, publishers?: PublisherKey[], at?: number): Promise<string> {
  const files = await readPackage(await packageOf(parts), "plugin");
  const trust = { publishers: publishers ?? [publisher()], at: at ?? AT };
  return assertThrows(() => verifyPackage(files, trust), PackageFault).message;
}

Deno.test("verifyPackage() returns the manifest of a package that matches its signature", async () => {
  const manifest = await verified({ files: { "plugin.js": "export default {}" } });

  assertEquals(manifest.id, "com.acme.sample");
  assertEquals(Object.keys(manifest.files), ["plugin.js"]);
});

Deno.test("verifyPackage() accepts only known keys, within their time", async () => {
  assertStringIncludes(await reason({}, []), "The key acme-1 is not known");
  assertStringIncludes(await reason({}, [publisher(ACME, { revoked: true })]), "was revoked");
  assertStringIncludes(await reason({}, [publisher(ACME, { from: AT + 1 })]), "not valid yet");
  assertStringIncludes(await reason({}, [publisher(ACME, { until: AT - 1 })]), "no longer valid");
  assertEquals((await verified({}, [publisher(ACME, { from: AT, until: AT })])).version, "1.0.0");
});

Deno.test("verifyPackage() refuses a signature by another key, or of something else", async () => {
  const thief = { ...newSigningKey("thief"), id: ACME.id };
  assertStringIncludes(await reason({ key: thief }), "signature of manifest.json is wrong");
  assertStringIncludes(
    await reason({ tamper: (text) => text.replace("Sample", "Simple") }),
    "signature of manifest.json is wrong",
  );
  // The same meaning in other bytes is something else.
  assertStringIncludes(await reason({ tamper: (text) => ` ${text}` }), "is wrong");
});

Deno.test("verifyPackage() refuses a signature without the domain in front", async () => {
  const { createPrivateKey, sign } = await import("node:crypto");
  const { Buffer } = await import("node:buffer");
  const manifest = bytes(JSON.stringify(manifestOf({})));
  const der = Buffer.from(ACME.privateKey, "base64");
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const line = bytes(`${ACME.id} ${sign(null, manifest, key).toString("base64")}\n`);
  const files = (signature: Uint8Array) =>
    new Map([["manifest.json", manifest], ["manifest.sig", signature]]);
  const trust = { publishers: [publisher()], at: AT };

  assertEquals(verifyPackage(files(signatureLine(manifest, ACME)), trust).name, "Sample");
  assertThrows(() => verifyPackage(files(line), trust), PackageFault, "is wrong");
  for (const text of ["", "acme-1", "acme-1 !!!", `x acme-1 ${"A".repeat(86)}==`]) {
    const odd = files(bytes(text));
    assertThrows(() => verifyPackage(odd, trust), PackageFault, "manifest.sig is not a key id");
  }
});

Deno.test("threat: signature by a key for another id prefix – verifyPackage() refuses it", async () => {
  const facts = (id: string) => ({ facts: { id } });
  assertStringIncludes(await reason(facts("com.other.sample")), "may not sign com.other.sample");
  assertStringIncludes(await reason(facts("com.acmeevil.sample")), "may not sign");
  const other = newSigningKey("other-1");
  const publishers = [publisher(), publisher(other, { prefix: "com.other." })];
  assertStringIncludes(
    await reason({ facts: { publisher: "acme-1" }, key: other }, publishers),
    "names another key",
  );
});

Deno.test("threat: manifest swap after check – verifyPackage() hashes every file of the same buffer", async () => {
  const files = { "plugin.js": "good" };
  const swapped = { files: { "plugin.js": "evil" }, manifest: JSON.stringify(manifestOf(files)) };
  assertStringIncludes(await reason(swapped), "plugin.js is not what was signed");
  const unlisted = { files, more: [["x.js", "x"]] as [string, string][] };
  assertStringIncludes(await reason(unlisted), "does not list x.js");
  const missing = { manifest: JSON.stringify(manifestOf(files)) };
  assertStringIncludes(await reason(missing), "lacks plugin.js");
  const own = { manifest: JSON.stringify(manifestOf({ "manifest.sig": "x" })) };
  assertStringIncludes(await reason(own), "cannot know");
});

Deno.test("threat: duplicate JSON keys – verifyPackage() refuses them wherever they are", async () => {
  const good = JSON.stringify(manifestOf({}));
  const twice = [
    good.replace('"id":', '"id":"com.acme.first","id":'),
    // The same key, spelled with an escape.
    good.replace('"id":', '"\\u0069d":"com.acme.first","id":'),
    good.replace('"settings":{}', '"settings":{"a":{"secret":true,"secret":false}}'),
    good.replace('"files":{}', '"files":{"a":"","a":""}'),
  ];
  for (const manifest of twice) assertStringIncludes(await reason({ manifest }), "twice");
  const fine = good.replace('"settings":{}', '"settings":{"a":{"label":"\\"b\\":,{"},"b":{}}');
  assertEquals(Object.keys((await verified({ manifest: fine })).settings), ["a", "b"]);
});

Deno.test("threat: huge numbers in version – verifyPackage() refuses them", async () => {
  const versions = ["99999999999999999999.0.0", "1.0", "01.0.0", "1.0.0-99999999999", "1.0.0+b"];
  for (const version of [...versions, "v1.0.0", " 1.0.0", "1.0.0\n", "1e3.0.0", "١.0.0"]) {
    assertStringIncludes(await reason({ facts: { version } }), "version: ");
  }
  assertStringIncludes(await reason({ facts: { version: 1e308 } }), "version: ");
});

Deno.test("threat: unicode in ids – verifyPackage() takes ASCII in lower case alone", async () => {
  const ids = [
    "com.acme.sаmple",
    "com.acme.ﬁne",
    "com.acme.Sample",
    "com.acme.a\u200bb",
    "com.acme.",
  ];
  for (const id of [...ids, "com.acme.a_b", "com.acme.-a", "com.acme.a..b", "com.acme.a/../b"]) {
    assertStringIncludes(await reason({ facts: { id } }), "id: ");
  }
});

Deno.test("verifyPackage() refuses a package for another service", async () => {
  assertStringIncludes(await reason({ facts: { api: ">=2 <3" } }), "for api >=2 <3");
  assertStringIncludes(await reason({ facts: { api: "anything" } }), "api: ");
  assertStringIncludes(await reason({ facts: { capabilities: ["root"] } }), "Unknown capability");
  assertStringIncludes(await reason({ facts: { hosts: ["a.example"] } }), "net:host");
  assertStringIncludes(await reason({ facts: { kind: "virus" } }), "kind: ");
  const deep = { manifest: `{"settings":${'{"a":'.repeat(200)}1${"}".repeat(200)}}` };
  assertStringIncludes(await reason(deep), "nested too deeply");
});

Deno.test("threat: names that objects have by nature – verifyPackage() asks for every listed file", async () => {
  const good = JSON.stringify(manifestOf({}));
  for (const name of ["__proto__", "constructor", "toString"]) {
    const manifest = good.replace('"files":{}', `"files":{"${name}":"${"0".repeat(64)}"}`);
    assertStringIncludes(await reason({ manifest }), `The package lacks ${name}`);
  }
});
