import { assert } from "@std/assert";
import {
  every,
  exportScenario,
  killAt,
  migrateScenario,
  schemaScenario,
  seedScenario,
  some,
} from "./backups.ts";
import { seedCount } from "../support/harness/whole_run.ts";

Deno.test("EXPORT ends the same at whichever call its process is killed", async () => {
  assert(await killAt(await exportScenario("tiny"), every) > 50);
  await killAt(await exportScenario("full"), some(seedCount(2, 4)));
});

Deno.test("MIGRATE ends the same at whichever call its process is killed", async () => {
  assert(await killAt(await migrateScenario("tiny"), every) > 50);
  await killAt(await migrateScenario("full"), some(seedCount(2, 4)));
});

Deno.test("SCHEMA ends the same at whichever call its process is killed", async () => {
  assert(await killAt(await schemaScenario("tiny"), every) > 50);
  await killAt(await schemaScenario("full"), some(seedCount(2, 4)));
});

Deno.test("SEED ends the same wherever its process is killed", async () => {
  await killAt(await seedScenario(), some(seedCount(1, 3)));
});
