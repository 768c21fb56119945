/**
 * `deno run --allow-all tests/mutate.ts [--mutants 400] [--seed 1] [--tests 40] [--survivors] paths…`: changes one
 * condition, comparison, constant or early exit at a time and runs the tests that reach it, the nearest by imports and
 * the cheapest first. Prints what no test noticed, and a table by file. A tool for development: works on a copy, in
 * one process at a time.
 *
 * @module
 */
import { importGraph } from "./runner/changed_tests.ts";
import { testFiles } from "./runner/files.ts";
import { seededRandom } from "./support/harness/harness.ts";
import { buildMutants, findMutants, type Mutant } from "./mutation/mutants.ts";
import { nearestTests } from "./mutation/nearest_tests.ts";
import { tableOf, textOf } from "./mutation/report.ts";
import { readBaseline, tryMutant } from "./mutation/trials.ts";
import { TestProcess } from "./mutation/test_process.ts";

interface Options {
  mutants: number;
  seed: number;
  /** The most test files by source file. */
  tests: number;
  /** Try only what survived the last time. */
  survivors: boolean;
  paths: string[];
}

const SURVIVORS_FILE = ".cache/mutants.json";

function parseOptions(args: string[]): Options {
  const options: Options = { mutants: 400, seed: 1, tests: 40, survivors: false, paths: [] };
  for (let at = 0; at < args.length; at++) {
    const name = args[at]!.replace(/^--/, "");
    if (name === "survivors") options.survivors = true;
    else if (name === "mutants" || name === "seed" || name === "tests") {
      options[name] = Number(args[++at]);
      if (!Number.isSafeInteger(options[name])) throw new RangeError(`--${name} must be a number`);
    } else options.paths.push(args[at]!);
  }
  return options;
}

/** Source files below the paths. */
async function sourceFiles(paths: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    if (path.endsWith(".ts")) files.push(path);
    else {
      for await (const { name, isDirectory } of Deno.readDir(path)) {
        if (isDirectory) files.push(...await sourceFiles([`${path}/${name}`]));
        else if (name.endsWith(".ts")) files.push(`${path}/${name}`);
      }
    }
  }
  return files.sort();
}

/** A seeded sample, in the order of the files. */
function sample(mutants: Mutant[], { mutants: count, seed }: Options): Mutant[] {
  const random = seededRandom(seed);
  return mutants.map((mutant) => ({ mutant, at: random() }))
    .toSorted((a, b) => a.at - b.at).slice(0, count)
    .map(({ mutant }) => mutant).toSorted((a, b) => a.id - b.id);
}

/** Copies what is in the repository, and what will be. */
async function copyRepository(target: string): Promise<void> {
  const { stdout } = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
  }).output();
  for (const path of new TextDecoder().decode(stdout).split("\0")) {
    if (path === "") continue;
    await Deno.mkdir(`${target}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(path, `${target}/${path}`).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}

/** All mutants of the files; those that are chosen are built into the copy. */
async function prepare(options: Options, folder: string): Promise<Mutant[]> {
  await copyRepository(folder);
  const files: { path: string; text: string; firstId: number }[] = [];
  const all: Mutant[] = [];
  for (const path of await sourceFiles(options.paths)) {
    const text = await Deno.readTextFile(path);
    files.push({ path, text, firstId: all.length + 1 });
    all.push(...findMutants(path, text, all.length + 1));
  }
  let chosen = sample(all, options);
  if (options.survivors) {
    const survived: string[] = JSON.parse(await Deno.readTextFile(SURVIVORS_FILE));
    chosen = all.filter((mutant) => survived.includes(textOf(mutant)));
  }
  const ids = new Set(chosen.map(({ id }) => id));
  for (const { path, text, firstId } of files) {
    const built = buildMutants(path, text, firstId, (id) => ids.has(id));
    await Deno.writeTextFile(`${folder}/${path}`, built);
  }
  console.log(`${chosen.length} of ${all.length} mutants in ${files.length} files`);
  return chosen;
}

async function main(options: Options): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "mutants-" });
  const process = new TestProcess(folder);
  try {
    const mutants = await prepare(options, folder);
    const tests: string[] = [];
    for await (const test of testFiles("tests")) {
      if (!/^tests\/(browser|stories|pictures|runner)\/|^tests\/[^/]+$/.test(test)) {
        tests.push(test);
      }
    }
    const graph = await importGraph(tests);
    const paths = [...new Set(mutants.map(({ path }) => path))];
    const nearest = new Map(
      paths.map((path) => [path, nearestTests(path, tests, graph, options.tests)]),
    );
    const chosen = new Set([...nearest.values()].flat());
    console.log(`${chosen.size} test files`);
    const baseline = await readBaseline(process, [...chosen]);
    const results = new Map<Mutant, boolean>();
    for (const mutant of mutants) {
      const outcome = await tryMutant(process, mutant, baseline, nearest.get(mutant.path)!);
      results.set(mutant, outcome.isFound);
      if (results.size % 25 === 0) console.log(`${results.size} of ${mutants.length}`);
      if (!outcome.isFound) console.log(`${outcome.note}  ${textOf(mutant)}`);
    }
    console.log(tableOf(results));
    const survivors = mutants.filter((mutant) => !results.get(mutant));
    await Deno.mkdir(".cache", { recursive: true });
    await Deno.writeTextFile(SURVIVORS_FILE, JSON.stringify(survivors.map(textOf)));
  } finally {
    process.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await main(parseOptions(Deno.args));
