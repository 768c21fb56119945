import { assertEquals, assertStringIncludes } from "@std/assert";
import { packageCommand } from "../../../routes/command_line/package_command.ts";
import { readPackage } from "../../../jobs/packages/read_package.ts";
import { verifyPackage } from "../../../jobs/packages/verify_package.ts";
import { Publisher } from "../../../kv/model/entities/setting.ts";

const AT = 1_800_000_000;

Deno.test("deno task package makes a key, signs a folder and the default theme", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const lines: string[] = [];
    const run = (...args: string[]) => packageCommand(args, (line) => lines.push(line), AT);
    const [key, plugin, theme] = ["key.json", "p.tar.gz", "t.tar.gz"].map((it) =>
      `${folder}/${it}`
    );
    const example = new URL("../../examples/reading_time", import.meta.url).pathname;

    assertEquals(await run("key", "acme-2", "com.acme.", key!), 0);
    const publisher = Publisher.parse(JSON.parse(lines[0]!));
    assertEquals([publisher.id, publisher.prefix, publisher.from], ["acme-2", "com.acme.", AT]);
    assertEquals(((await Deno.stat(key!)).mode ?? 0) & 0o777, 0o600);
    assertEquals(await run("key", "acme-2", "com.acme.", key!), 1);
    assertStringIncludes(lines.at(-1)!, `The file already exists: ${key}`);
    assertEquals(await run("default-theme", example + "/manifest.json", theme!), 1);
    assertStringIncludes(lines.at(-1)!, "is not a key file");

    assertEquals(await run("pack", example, key!, plugin!), 0);
    assertEquals(await run("default-theme", key!, theme!), 0);
    const trust = { publishers: [publisher], at: AT };
    const packed = await readPackage(await Deno.readFile(plugin!), "plugin");
    assertEquals(verifyPackage(packed, trust).id, "com.acme.reading-time");
    const files = await readPackage(await Deno.readFile(theme!), "theme");
    assertEquals(verifyPackage(files, trust).id, "com.acme.default-theme");

    const starter = new URL("../../../jobs/render/theme/ledger", import.meta.url).pathname;
    assertEquals(await run("pack", starter, key!, theme!), 1);
    assertStringIncludes(lines.at(-1)!, "signs what begins with com.acme., and the manifest says");
    assertEquals(await run("pack", folder, key!, plugin!), 1);
    assertStringIncludes(lines.at(-1)!, "does not contain manifest.json");
    assertEquals(await run("pack", `${folder}/nowhere`, key!, plugin!), 1);
    assertEquals(await run(), 1);
    assertStringIncludes(lines.at(-1)!, "Usage:");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
