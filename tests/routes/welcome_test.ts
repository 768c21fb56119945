import { readConfig } from "../../routes/config.ts";
import { printWelcome } from "../../routes/welcome.ts";
import { testApp } from "../support/app.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("printWelcome() tells the address, and where to begin while nobody has an account", async () => {
  await using test = await testApp();
  const deps = { ...test.deps, setupCode: "a & b" };
  const said = async (host: string) => {
    const lines: string[] = [];
    const config = readConfig({ HOST: host }, "start");
    await printWelcome(deps, config, { port: 81 }, (line) => lines.push(line));
    return lines;
  };

  assertEquals(await said("127.0.0.1"), [
    "Listening on http://127.0.0.1:81",
    "First run: http://127.0.0.1:81/admin/setup?code=a%20%26%20b",
  ]);
  await test.setUp();
  assertEquals(await said("::1"), ["Listening on http://[::1]:81"]);
  assertEquals(await said("0.0.0.0"), ["Listening on http://localhost:81"]);
});
