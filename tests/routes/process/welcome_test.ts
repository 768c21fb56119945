import { readConfig } from "../../../routes/process/config.ts";
import { printWelcome } from "../../../routes/process/welcome.ts";
import { testApp } from "../../support/sites/app.ts";
import { assertEquals } from "../../support/harness/assert.ts";

Deno.test("printWelcome() prints the address, and the setup link while no account exists", async () => {
  await using test = await testApp();
  const deps = { ...test.deps, setupCode: "a & b" };
  const said = async (host: string, json = false, given = "") => {
    const lines: string[] = [];
    const config = readConfig({ HOST: host, SETUP_CODE: given }, "start");
    const print = (line: string) => void lines.push(line);
    await printWelcome(deps, config, { address: { port: 81 }, print, json });
    return lines;
  };

  assertEquals(await said("127.0.0.1"), [
    "Listening on http://127.0.0.1:81 (version 0.0.0)",
    "First run: open http://127.0.0.1:81/admin/setup#code=a%20%26%20b to create the first account",
  ]);
  // A code that the environment gives is known already.
  assertEquals(await said("127.0.0.1", false, "twelve chars"), [
    "Listening on http://127.0.0.1:81 (version 0.0.0)",
    "First run: open http://127.0.0.1:81/admin/setup to create the first account",
  ]);
  for (const line of await said("127.0.0.1", true)) {
    const { at, level, event, version } = JSON.parse(line);
    assertEquals([level, version, at.length], ["info", "0.0.0", 24]);
    assertEquals(
      /^(Listening on|First run: open) http:\/\/127\.0\.0\.1:81\S* /.test(event),
      true,
      event,
    );
  }
  await test.setUp();
  assertEquals(await said("::1"), ["Listening on http://[::1]:81 (version 0.0.0)"]);
  assertEquals(await said("0.0.0.0"), ["Listening on http://localhost:81 (version 0.0.0)"]);
});
