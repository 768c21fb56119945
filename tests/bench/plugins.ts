/**
 * What a call of a plugin's code costs, beside the bare cost of a new engine. `deno run -A
 * tests/bench/plugins.ts`.
 *
 * @module
 */
import { EngineSource } from "../../jobs/plugins/engine.ts";
import { Sandbox } from "../../jobs/plugins/sandbox.ts";
import { Prose } from "./content/prose.ts";
import { timesOf } from "./service/times.ts";

const WORDS = new Prose(1).words("latin", 1_000);
const ROUNDS = 200;
/** Median of a call with empty code, milliseconds. */
const BUDGET_MS = 5;

if (import.meta.main) {
  const sandbox = new Sandbox();
  const engines = new EngineSource();
  const call = (body: string) => () =>
    sandbox.call({
      code: `export default { async "x.y"(event, cms) { ${body} } };`,
      event: "x.y",
      input: { data: { id: "01" } },
      host: () => Promise.resolve({}),
    });
  const startedAt = performance.now();
  await call("")();
  console.log(`first call: ${(performance.now() - startedAt).toFixed(1)} ms`);
  const rows = {
    "a new engine": await timesOf(ROUNDS, () => engines.create()),
    "empty code": await timesOf(ROUNDS, call("")),
    "ten calls of the host": await timesOf(
      ROUNDS,
      call("for (let n = 0; n < 10; n++) await cms.log(n);"),
    ),
    "a thousand words counted": await timesOf(
      ROUNDS,
      call(`return ${JSON.stringify(WORDS)}.split(" ").filter(Boolean).length;`),
    ),
  };
  console.table(rows);
  console.log(`memory: ${Deno.memoryUsage().rss >> 20} MB`);
  if (rows["empty code"].median > BUDGET_MS) {
    console.error(`Empty code takes over ${BUDGET_MS} ms`);
    Deno.exit(1);
  }
}
