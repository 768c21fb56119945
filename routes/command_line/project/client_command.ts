/**
 * `cms client`: the client of a service as a package, ready to be published to a registry.
 *
 * @module
 */
import { parseOptions } from "../options.ts";
import type { SchemaContext } from "../schema/schema_command.ts";
import { UsageError } from "../usage_error.ts";
import { servedModule } from "./served_module.ts";

const OPTIONS = { from: "string", dir: "string", name: "string", version: "string" } as const;
/** A package name of npm, with its scope if it has one. */
const PACKAGE_NAME = /^(?:@[a-z0-9-][a-z0-9-._]*\/)?[a-z0-9-][a-z0-9-._]*$/;

/** Named in a variable, so that it is no part of the service and is only downloaded by this command. */
const COMPILER = "typescript";

/** The part of the compiler that is used. */
interface Compiler {
  ScriptTarget: { ES2022: number };
  ModuleKind: { ESNext: number };
  transpileModule(source: string, options: object): { outputText: string };
  transpileDeclaration(source: string, options: object): { outputText: string };
}

/** Writes the package; answers the exit code. */
export async function clientCommand(
  context: SchemaContext,
  args: readonly string[],
): Promise<number> {
  const { positionals, texts } = parseOptions(args, OPTIONS);
  const { from, dir = "client", name = "cms-client", version = "0.0.0" } = texts;
  if (positionals.length > 0) throw new UsageError("cms client takes no such argument");
  if (from === undefined) throw new UsageError("cms client needs --from <address>");
  if (!PACKAGE_NAME.test(name)) throw new UsageError(`${name} cannot be the name of a package`);
  const source = await servedModule(context, from);
  const { javaScript, declarations } = await compiled(source);
  const manifest = {
    name,
    version,
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    files: ["index.js", "index.d.ts"],
  };
  await Deno.mkdir(dir, { recursive: true });
  await Deno.writeTextFile(`${dir}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  await Deno.writeTextFile(`${dir}/index.js`, javaScript);
  await Deno.writeTextFile(`${dir}/index.d.ts`, declarations);
  context.print(`${dir} is the package ${name}@${version}. Publish it with: npm publish ${dir}`);
  return 0;
}

/** A module as JavaScript and as declarations. */
async function compiled(source: string): Promise<{ javaScript: string; declarations: string }> {
  const { default: ts }: { default: Compiler } = await import(COMPILER);
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    strict: true,
  };
  const options = { compilerOptions, fileName: "index.ts" };
  return {
    javaScript: ts.transpileModule(source, options).outputText,
    declarations: ts.transpileDeclaration(source, options).outputText,
  };
}
