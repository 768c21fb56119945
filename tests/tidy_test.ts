import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import { sourceFiles } from "./support/harness/source_files.ts";
import { ENTITY_TYPES } from "../kv/model/entities/entity_kinds.ts";
import { STYLE_SHEETS } from "../routes/studio/serving/stylesheet.ts";

/** The layers; each may import only itself and what stands after it. */
const FLOORS = ["routes", "jobs", "kv"];
const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const FORBIDDEN_NAMES = /^(index|utils?|helpers?|types|misc|common)\.tsx?$/;
/** Only here may the outside world be touched directly. */
const OUTSIDE = /\b(Date\.now|Math\.random|console\.\w+|Deno\.env\b|Deno\.openKv)\b/;
const MAY_TOUCH_OUTSIDE: Record<string, string[]> = {
  "kv/store/open.ts": ["Deno.openKv", "Math.random"],
  "kv/store/disk/store_file.ts": ["Deno.openKv"],
  "kv/store/kv_thread_worker.ts": ["Deno.openKv"],
  "kv/store/store.ts": ["Math.random"],
  // Where the thread begins, as the process does in `main.ts`.
  "routes/process/jobs_thread_worker.ts": ["Date.now"],
};

interface Source {
  path: string;
  text: string;
  imports: string[];
}

async function sources(folders: string[]): Promise<Source[]> {
  const found: Source[] = [];
  for (const folder of folders) {
    for await (const path of sourceFiles(folder)) {
      const text = await Deno.readTextFile(path);
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) =>
        match[1]!
      );
      found.push({ path, text, imports });
    }
  }
  return found;
}

function resolve(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

const modules = await sources(FLOORS);

Deno.test("the floors import only downwards: routes, jobs, kv", () => {
  const wrong = modules.flatMap(({ path, imports }) => {
    const floor = FLOORS.indexOf(path.split("/")[0]!);
    return imports
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => resolve(path, specifier))
      .filter((target) => FLOORS.indexOf(target.split("/")[0]!) < floor)
      .map((target) => `${path} imports ${target}`);
  });
  assertEquals(wrong, []);
});

/** Imports that are there when the code runs: static, re-exported, for their effect, dynamic, workers. */
const VALUE_IMPORTS = [
  /^(?:import|export)\s+(?!type\b)[^;"]*?from\s+"(\.[^"]+)"/gm,
  /^import\s+"(\.[^"]+)"/gm,
  /(?<!typeof\s+)\bimport\(\s*"(\.[^"]+)"/g,
  /\bnew URL\(\s*"(\.[^"]+\.tsx?)",\s*import\.meta\.url/g,
];

Deno.test("modules import one another without a circle, dynamic imports included", () => {
  const graph = new Map(modules.map(({ path, text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\//g, "");
    const found = VALUE_IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)]);
    return [path, found.map((match) => resolve(path, match[1]!))];
  }));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (done.has(path) || trail.includes(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  assertEquals(circles, []);
});

Deno.test("the model is pure: it imports itself and what has no surroundings", () => {
  const allowed = /^kv\/(model\/.*|limits\/\w+|refusals)\.ts$/;
  const wrong = modules.filter(({ path }) => path.startsWith("kv/model/")).flatMap(
    ({ path, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => resolve(path, specifier))
        .filter((target) => !allowed.test(target))
        .map((target) => `${path} imports ${target}`),
  );
  assertEquals(wrong, []);
});

Deno.test("Hono stays in the routes, the AWS client in one file", () => {
  const outside = modules.filter(({ path, imports }) =>
    !path.startsWith("routes/") && imports.some((name) => name.startsWith("@hono/hono"))
  );
  assertEquals(outside.map(({ path }) => path), []);
  const aws = modules.filter(({ imports }) => imports.some((name) => name.startsWith("@aws-sdk")));
  assert(aws.length <= 1, aws.map(({ path }) => path).join(", "));
});

Deno.test("time, randomness, console, environment and the database come in as arguments", () => {
  const wrong = modules.flatMap(({ path, text }) => {
    const allowed = MAY_TOUCH_OUTSIDE[path] ?? [];
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    const touched = [...code.matchAll(new RegExp(OUTSIDE, "g"))].map((match) => match[0]);
    return touched.filter((what) => !allowed.includes(what)).map((what) => `${path}: ${what}`);
  });
  assertEquals(wrong, []);
});

Deno.test("files and functions stay small, and are called what they are", async () => {
  const tests = await sources(["tests"]);
  const wrong = [...modules, ...tests].flatMap(({ path, text }) => {
    const lines = text.split("\n");
    const found: string[] = [];
    if (lines.length > FILE_LINES_MAX) found.push(`${path} has ${lines.length} lines`);
    if (FORBIDDEN_NAMES.test(path.split("/").at(-1)!)) {
      found.push(`${path} has a name that says nothing`);
    }
    return [...found, ...longFunctions(path, lines)];
  });
  assertEquals(wrong, []);
});

Deno.test("style sheets stay small, and each is in the catalogue", async () => {
  const folder = "routes/studio";
  const found: string[] = [];
  for await (const path of sourceFiles(folder, /\.css$/)) {
    found.push(path.slice(folder.length + 1));
    const lines = (await Deno.readTextFile(path)).split("\n").length;
    assert(lines <= FILE_LINES_MAX, `${path} has ${lines} lines`);
  }
  assertEquals(STYLE_SHEETS.toSorted(), found.sort());
});

Deno.test("style sheets to begin with stay small, too", async () => {
  for await (const path of sourceFiles("docs/starters", /\.css$/)) {
    const lines = (await Deno.readTextFile(path)).split("\n").length;
    assert(lines <= FILE_LINES_MAX, `${path} has ${lines} lines`);
  }
});

Deno.test("buttons of the studio are drawn by its components", () => {
  const parts = /^routes\/studio\/(?:components|controls|editor|pages\/components)/;
  const wrong = modules.filter(({ path }) =>
    path.startsWith("routes/studio/") && path.endsWith(".tsx") && !parts.test(path)
  ).flatMap(({ path, text }) =>
    [...text.matchAll(/<button\b/g)].map(([found]) => `${path}: ${found}`)
  );
  assertEquals(wrong, []);
});

Deno.test("style sheets take sizes, weights and colors from the tokens", async () => {
  const folder = "routes/studio/";
  const tokens = await Deno.readTextFile(`${folder}style/tokens.css`);
  const wrong: string[] = [];
  for (const sheet of STYLE_SHEETS.filter((path) => path !== "style/tokens.css")) {
    const text = await Deno.readTextFile(folder + sheet);
    const values = [...text.matchAll(/(?:font-size|font-weight): ([^;]+);/g)];
    const bare = values.filter(([, value]) => !/^(var\(--|inherit$|[\d.]+em$)/.test(value!));
    const colors = [...text.matchAll(/#[0-9a-f]{3,8}\b(?=[;,) ])|\b(?:rgb|hsl|oklch)\(/g)];
    for (const [found] of [...bare, ...colors]) wrong.push(`${sheet}: ${found}`);
  }

  assertEquals(wrong, []);
  assert([...tokens.matchAll(/--text-\d:/g)].length <= 7);
  assert([...tokens.matchAll(/--weight-\w+:/g)].length <= 3);
});

/** Functions and methods by their indentation: from the opening line to the brace below it. */
function longFunctions(path: string, lines: string[]): string[] {
  if (path.startsWith("tests/")) return [];
  const found: string[] = [];
  const opening =
    /^( *)(?:export )?(?:async )?(?:function\b|(?:static |override |async |\*|#)*\w+\(.*\).*\{$)/;
  lines.forEach((line, start) => {
    const indent = opening.exec(line)?.[1];
    if (indent === undefined || /^ *(if|for|while|switch|catch)\b/.test(line)) return;
    const length = lines.slice(start).findIndex((later) => later === `${indent}}`);
    if (length > FUNCTION_LINES_MAX) found.push(`${path}:${start + 1} has ${length} lines`);
  });
  return found;
}

Deno.test("below the routes, tables say what differs between types of entities, not comparisons", () => {
  const types = ENTITY_TYPES.join("|");
  const compared = new RegExp(`\\w*[tT]ype [!=]== "(?:${types})"|case "(?:${types})":`, "g");
  const wrong = modules.filter(({ path }) => !path.startsWith("routes/")).flatMap(
    ({ path, text }) => [...text.matchAll(compared)].map(([found]) => `${path}: ${found}`),
  );
  assertEquals(wrong, []);
});

/** The most non-null assertions of each floor; most read typed arrays within bounds. Only ever lower them. */
const NON_NULL_MAX: Record<string, number> = { kv: 452, jobs: 49, routes: 71 };
/** By how much a floor may stay below its number before the number has to follow. */
const NON_NULL_SLACK = 15;

Deno.test("the number of non-null assertions of each floor only goes down", () => {
  const found = Object.fromEntries(FLOORS.map((floor) => [floor, 0]));
  for (const { path, text } of modules) {
    const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const visit = (node: ts.Node) => {
      if (ts.isNonNullExpression(node)) found[path.split("/")[0]!]! += 1;
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind));
  }
  for (const [floor, max] of Object.entries(NON_NULL_MAX)) {
    const count = found[floor]!;
    assert(count <= max, `${floor} has ${count} non-null assertions, ${max} are allowed`);
    assert(count >= max - NON_NULL_SLACK, `${floor} has only ${count}: lower its number`);
  }
});

/** What is started by something else than main.ts: the bundler, and by it the browser's code. */
const OTHER_ROOTS = ["routes/studio/serving/build.ts", "routes/studio/browser/studio.ts"];

Deno.test("every source file is reached from main.ts", () => {
  const known = new Map(modules.map((source) => [source.path, source.imports]));
  const reached = new Set<string>();
  const visit = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const specifier of known.get(path) ?? []) {
      if (specifier.startsWith(".")) visit(resolve(path, specifier));
    }
  };
  const main = Deno.readTextFileSync("main.ts");
  for (const match of main.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
    visit(resolve("main.ts", match[1]!));
  }
  OTHER_ROOTS.forEach(visit);
  assertEquals([...known.keys()].filter((path) => !reached.has(path)).sort(), []);
});

Deno.test("nothing is left half done", () => {
  const marks = modules.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(TODO|FIXME|XXX|not implemented)\b/g)].map((match) =>
      `${path}: ${match[0]}`
    )
  );
  assertEquals(marks, []);
});

/** Where bounds stand: those of the API and the store, and what a process does at a time. */
const BOUND_PAGES = [
  ...["content", "media", "packages", "people", "requests", "store", "transfers"].map((page) => {
    return `kv/limits/${page}.ts`;
  }),
  "kv/model/limits.ts",
  "kv/tuning.ts",
  "jobs/limits.ts",
  "routes/input/limits.ts",
];

Deno.test("bounds stand on the pages of their floors, each once", () => {
  const named = /^(?:export )?const (\w+_(?:MAX|MIN))\b[^=]*= *([^;]*)/gm;
  const onPages = new Set<string>();
  const wrong: string[] = [];
  for (const { path, text } of modules) {
    for (const [, name, value] of text.matchAll(named)) {
      // What follows from other bounds stands beside its reason.
      const isDerived = /[A-Za-z]\w*_/.test(value!.replace(/\b[\d_]+\b/g, ""));
      if (!BOUND_PAGES.includes(path)) {
        if (!isDerived) wrong.push(`${path}: ${name} is a bound`);
      } else if (onPages.has(name!)) wrong.push(`${path}: ${name} stands twice`);
      else onPages.add(name!);
    }
  }
  assertEquals(wrong, []);
});

/** The bounds themselves, and what defines fields with bounds of their own: the example site, templates. */
const MAY_HAVE_NUMBERS = /\/limits(?:\/\w+)?\.ts$|\/tuning\.ts$|^jobs\/seed\/|_templates\.ts$/;

Deno.test("parsed and described values have no unnamed bound", () => {
  const bare = /\.max\(\d[\d_]+\)|\b(?:maxLength|maxItems|maximum|maxlength)(?:: |=\{)\d[\d_]+/g;
  const wrong = modules.filter(({ path }) => !MAY_HAVE_NUMBERS.test(path)).flatMap(
    ({ path, text }) => [...text.matchAll(bare)].map(([found]) => `${path}: ${found}`),
  );
  assertEquals(wrong, []);
});
