/**
 * The long runs: simulations and fuzzing with ever new seeds, for as long as asked. A seed that fails is
 * printed, and `--seed` replays it first.
 *
 *     deno task soak --minutes 5 --seed 1234
 *     deno task soak --deploy        every test that needs no browser, on the Deno of Deno Deploy
 *
 * @module
 */
import { fuzzAdminOnce } from "./contract/admin_fuzz_site.ts";
import { fuzz } from "./contract/fuzz.ts";
import { fuzzableApp } from "./contract/fuzzable_app.ts";
import { runDeploySuite } from "./deploy_suite.ts";
import { liveThroughGameDay } from "./simulation/game_day.ts";
import { soakDeterminism } from "./simulation/determinism.ts";
import { type Simulation, SIMULATIONS } from "./simulation/simulations.ts";
import { hasKvConnect } from "./support/stores/kv_connect.ts";

const SOAKERS: Simulation[] = [
  ...SIMULATIONS,
  { name: "one seed, ten times", seeds: 1, run: soakDeterminism },
  { name: "requests against the description", seeds: 1, run: fuzzOnce },
  { name: "requests to the admin API", seeds: 1, run: fuzzAdminSoak },
  // Where there is a server for it: `KV_CONNECT_SERVER`.
  ...(hasKvConnect ? [{ name: "game day", seeds: 1, run: liveThroughGameDay }] : []),
];

async function fuzzOnce(seed: number): Promise<void> {
  await using test = await fuzzableApp();
  const token = await test.token();
  const reader = await test.token({ scopes: ["posts:read"] });
  const description = (await test.call("GET", "/api/v1/_meta", { token })).json;
  const lesserTokens = [reader, "", "svc_pk_wrong"];
  const report = await fuzz({
    fetch: test.fetch,
    description,
    token,
    lesserTokens,
    seed,
    rounds: 40,
  });
  if (report.problems.length > 0) throw new Error(report.problems.slice(0, 3).join("\n"));
}

async function fuzzAdminSoak(seed: number): Promise<void> {
  const report = await fuzzAdminOnce(seed, 40);
  if (report.problems.length > 0) throw new Error(report.problems.slice(0, 3).join("\n"));
}

function option(name: string, otherwise: number): number {
  const index = Deno.args.indexOf(`--${name}`);
  if (index < 0) return otherwise;
  const value = Number(Deno.args[index + 1]);
  if (!Number.isSafeInteger(value) || value < 0) {
    console.error(`--${name} must be a whole number`);
    Deno.exit(2);
  }
  return value;
}

async function main(): Promise<void> {
  if (Deno.args.includes("--deploy")) Deno.exit(await runDeploySuite({ whole: true }) ? 0 : 1);
  const minutes = option("minutes", 10);
  const first = option("seed", Math.floor(Math.random() * 1e9));
  console.log(`soaking for ${minutes} minutes from seed ${first}`);
  const end = performance.now() + minutes * 60_000;
  const counts = SOAKERS.map(() => ({ next: first, passed: 0, failed: [] as number[] }));
  do {
    for (const [index, soaker] of SOAKERS.entries()) {
      const count = counts[index]!;
      for (let turn = 0; turn < soaker.seeds; turn++) {
        const seed = count.next++;
        try {
          await soaker.run(seed);
          count.passed += 1;
        } catch (error) {
          count.failed.push(seed);
          console.error(`FAILED: ${soaker.name}: seed ${seed}:`, error);
        }
      }
    }
  } while (performance.now() < end);
  for (const [index, { name }] of SOAKERS.entries()) {
    const { passed, failed } = counts[index]!;
    const seeds = failed.length === 0 ? "" : ` (${failed.join(", ")})`;
    console.log(`${name}: ${passed} seeds passed, ${failed.length} failed${seeds}`);
  }
  const failed = counts.reduce((sum, count) => sum + count.failed.length, 0);
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  Deno.exit(failed === 0 ? 0 : 1);
}

if (import.meta.main) await main();
