/**
 * The processor time of the server for every screen of a site of 10,000 documents.
 */
import { assertEquals } from "../../support/harness/assert.ts";

const DOCUMENTS = 10_000;
const SCREEN_MS_MAX = 20;
const PROGRAM = new URL("../../support/harness/screen_costs.ts", import.meta.url).pathname;

Deno.test("every screen of a site of 10,000 documents costs less than 20 ms of processor time", async () => {
  // The tests of one run share a process: what others do would count.
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", PROGRAM, String(DOCUMENTS), String(SCREEN_MS_MAX)],
  }).output();

  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const costs: Record<string, number> = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals(Object.entries(costs).filter(([, cost]) => cost >= SCREEN_MS_MAX), []);
});
