/**
 * Which tests a change can reach, by the import graph.
 *
 * @module
 */

/** Changes of these can reach every test. */
const REACHES_ALL = /^(deno\.jsonc?|deno\.lock|\.dvmrc)$/;

/** A local module: what it imports, and the names of other files that its text mentions. */
export interface Module {
  imports: string[];
  mentions: Set<string>;
}

/** The files among `tests` that what differs from `main`, committed or not, can reach. */
export async function changedTests(tests: string[]): Promise<Set<string>> {
  const changed = await changedFiles();
  if (changed.some((path) => REACHES_ALL.test(path))) return new Set(tests);
  return reachedTests(tests, changed, await importGraph(tests));
}

/**
 * Follows imports backwards from the changed files. Style sheets, templates, documents and programs that a test
 * starts are in no import graph: a module that names such a file depends on it as well.
 */
export function reachedTests(
  tests: string[],
  changed: string[],
  graph: Map<string, Module>,
): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [path, { imports }] of graph) {
    for (const target of imports) importers.set(target, [...importers.get(target) ?? [], path]);
  }
  const mentioning = (path: string) => {
    const name = path.split("/").at(-1)!;
    return [...graph].filter(([, { mentions }]) => mentions.has(name)).map(([from]) => from);
  };
  const reached = new Set(changed);
  for (const path of reached) {
    const isEntry = !importers.has(path);
    for (const from of importers.get(path) ?? []) reached.add(from);
    if (isEntry) { for (const from of mentioning(path)) reached.add(from); }
  }
  return new Set(tests.filter((test) => reached.has(test)));
}

async function changedFiles(): Promise<string[]> {
  const base = (await git("merge-base", "main", "HEAD")).trim();
  const tracked = await git("diff", "--name-only", base);
  const untracked = await git("ls-files", "--others", "--exclude-standard");
  return [...new Set(`${tracked}\n${untracked}`.split("\n").filter((path) => path !== ""))];
}

async function git(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("git", { args }).output();
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** The modules of this repository that the tests and `main.ts` reach, by their paths. */
export async function importGraph(tests: string[]): Promise<Map<string, Module>> {
  const root = `file://${Deno.cwd()}/`;
  const entry = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    const imported = [...tests, "main.ts"].map((path) => `import ${JSON.stringify(root + path)};`);
    await Deno.writeTextFile(entry, imported.join("\n"));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--config", "deno.json", entry],
    }).output();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
    const { modules } = JSON.parse(new TextDecoder().decode(stdout));
    return await readModules(modules, root);
  } finally {
    await Deno.remove(entry);
  }
}

interface GraphModule {
  specifier: string;
  dependencies?: { code?: { specifier?: string }; type?: { specifier?: string } }[];
}

async function readModules(modules: GraphModule[], root: string): Promise<Map<string, Module>> {
  const graph = new Map<string, Module>();
  for (const { specifier, dependencies = [] } of modules) {
    if (!specifier.startsWith(root)) continue;
    const path = specifier.slice(root.length);
    const text = await Deno.readTextFile(path);
    const imports = dependencies
      .flatMap(({ code, type }) => [code?.specifier, type?.specifier])
      .filter((target) => target?.startsWith(root))
      .map((target) => target!.slice(root.length));
    const mentions = new Set([...text.matchAll(/([\w.-]+\.\w+)["'`]/g)].map((match) => match[1]!));
    graph.set(path, { imports, mentions });
  }
  return graph;
}
