/**
 * Runs single tests, each with one mutant switched on, in a process that keeps its modules. Reads one JSON command a
 * line from the standard input and writes one JSON answer a line to the standard output.
 *
 * @module
 */
import { TextLineStream } from "./lines.ts";

/** Runs a test of a file; `index` counts the tests of the file in the order of their registration. */
export interface TestCommand {
  file: string;
  /** Null: only load the file. */
  index: number | null;
  mutant: number | null;
}

/** How it went. */
export interface TestAnswer {
  /** The names of the file's tests. */
  names: string[];
  failure: string | null;
  ms: number;
  /** Mutants whose code has run. */
  reached: number[];
}

type TestFunction = (context: unknown) => unknown;
interface Registered {
  name: string;
  run: TestFunction;
}

let mutant: number | null = Number(Deno.env.get("MUTANT") || NaN);
let reached = new Set<number>();
let uncaught: unknown = undefined;

Object.assign(globalThis, {
  __mutant: (id: number) => {
    reached.add(id);
    return id === mutant;
  },
});
for (const kind of ["error", "unhandledrejection"]) {
  globalThis.addEventListener(kind, (event) => {
    event.preventDefault();
    uncaught = (event as ErrorEvent).error ?? (event as PromiseRejectionEvent).reason ?? kind;
  });
}

let registered: Registered[] = [];

function register(...args: unknown[]): void {
  const options = args.find((arg) => typeof arg === "object") as
    | { name?: string; fn?: TestFunction; ignore?: boolean }
    | undefined;
  const run = (args.findLast((arg) => typeof arg === "function") ?? options?.fn) as TestFunction;
  const name = typeof args[0] === "string" ? args[0] : options?.name ?? run.name;
  if (!options?.ignore) registered.push({ name, run });
}
Object.defineProperty(Deno, "test", {
  value: Object.assign(register, { ignore: () => {}, only: register }),
});

/** The context of a test: steps run one after the other, and a failed one fails the test. */
const context = {
  name: "",
  origin: "",
  step: async (...args: unknown[]) => {
    const run = args.findLast((arg) => typeof arg === "function") ??
      (args[0] as { fn: TestFunction }).fn;
    await (run as TestFunction)(context);
    return true;
  },
};

const files = new Map<string, Registered[]>();

async function load(file: string): Promise<Registered[]> {
  const known = files.get(file);
  if (known !== undefined) return known;
  registered = [];
  await import(new URL(file, `file://${Deno.cwd()}/`).href);
  files.set(file, registered);
  return registered;
}

async function run(command: TestCommand): Promise<TestAnswer> {
  reached = new Set();
  uncaught = undefined;
  mutant = command.mutant;
  const answer = { names: [] as string[], failure: null as string | null };
  const began = performance.now();
  try {
    const tests = await load(command.file);
    answer.names = tests.map(({ name }) => name);
    if (command.index !== null) await tests[command.index]!.run(context);
    // Rejections without a handler are reported after the microtasks.
    await new Promise((done) => setTimeout(done));
    if (uncaught !== undefined) throw uncaught;
  } catch (error) {
    answer.failure = String(error).slice(0, 200);
  }
  return { ...answer, ms: performance.now() - began, reached: [...reached] };
}

const write = console.log;
console.log =
  console.info =
  console.warn =
  console.error =
    () => {};
const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
for await (const line of lines) write(`\u0001${JSON.stringify(await run(JSON.parse(line)))}`);
Deno.exit(0);
