import { assertEquals, assertRejects } from "@std/assert";
import { packTar } from "modern-tar";
import { readPackage } from "../../../jobs/packages/read_package.ts";
import { PACKAGE_FILES_MAX } from "../../../kv/limits/packages.ts";
import { PackageFault } from "../../../kv/model/entities/package_manifest.ts";
import { bytes, packageOf } from "../../support/sites/packages.ts";

/** A gzip tarball of any headers. */
async function tarball(
  entries: { name: string; type?: string; linkname?: string; body?: string }[],
) {
  const tar = await packTar(
    entries.map(({ name, type = "file", linkname, body = "" }) => ({
      header: {
        name,
        type: type as "file",
        size: type === "file" ? body.length : 0,
        ...(linkname !== undefined && { linkname }),
      },
      data: bytes(body) as Uint8Array<ArrayBuffer>,
    })),
  );
  return await gzip(tar);
}

async function gzip(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function refused(packed: Uint8Array, reason: string, kind: "plugin" | "theme" = "plugin") {
  await assertRejects(() => readPackage(packed, kind), PackageFault, reason);
}

Deno.test("readPackage() answers every file", async () => {
  const files = await readPackage(await packageOf({ files: { "a/b.txt": "B" } }), "plugin");

  assertEquals([...files.keys()], ["manifest.json", "manifest.sig", "a/b.txt"]);
  assertEquals(files.get("a/b.txt"), bytes("B"));
});

Deno.test("threat: zip-slip – readPackage() refuses every name that leads elsewhere", async () => {
  const names = ["../x", "a/../../x", "/etc/passwd", "a\\..\\x", "C:/x", "./x", ".hidden", "a//b"];
  for (const name of [...names, "a/.", "a/..", "ünïcode", "a b"]) {
    await refused(await packageOf({ more: [[name, "x"]] }), "plain relative path");
  }
});

Deno.test("threat: symlink – readPackage() refuses everything that is no file", async () => {
  for (const type of ["symlink", "link", "directory", "character-device", "fifo"]) {
    const entry = { name: "x", type, linkname: "/etc/passwd" };
    await refused(await tarball([entry]), "not a file");
  }
});

Deno.test("threat: case-colliding names – readPackage() refuses them, and the same name twice", async () => {
  await refused(await packageOf({ more: [["a/B.txt", "1"], ["A/b.txt", "2"]] }), "twice");
  await refused(await packageOf({ more: [["a", "1"], ["a", "2"]] }), "twice");
  await refused(await packageOf({ more: [["Manifest.json", "{}"]] }), "twice");
});

Deno.test("threat: tar bomb – readPackage() stops at the limits, packed and unpacked", async () => {
  const zeroes = new Uint8Array(30_000_000);
  await refused(await gzip(zeroes), "at most 5000000 bytes unpacked");
  await refused(await gzip(zeroes), "at most 25000000 bytes unpacked", "theme");
  const { packed } = { packed: crypto.getRandomValues(new Uint8Array(60_000)) };
  const noise = new Uint8Array(1_020_000);
  for (let index = 0; index < noise.length; index += packed.length) noise.set(packed, index);
  await refused(noise, "at most 1000000 bytes packed");
});

Deno.test("threat: tar bomb – readPackage() counts files", async () => {
  const files = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `f${n}` }));
  const signed = [{ name: "manifest.json" }, { name: "manifest.sig" }];

  const most = await readPackage(await tarball([...signed, ...files(PACKAGE_FILES_MAX)]), "plugin");

  assertEquals(most.size, PACKAGE_FILES_MAX + 2);
  await refused(await tarball([...signed, ...files(PACKAGE_FILES_MAX + 1)]), "over 200 files");
});

Deno.test("readPackage() refuses damaged or truncated files, and files that are not packages", async () => {
  const packed = await packageOf({ files: { "plugin.js": "x".repeat(5_000) } });
  await refused(packed.subarray(0, packed.length / 2), "damaged");
  await refused(bytes("hello"), "not gzipped");
  await refused(new Uint8Array(), "not gzipped");
  await refused(await gzip(crypto.getRandomValues(new Uint8Array(2_048))), "no tarball");
  await refused(await tarball([{ name: "manifest.json", body: "{}" }]), "has no manifest.sig");
});
