/**
 * `cms --url <address> transfer <path>`: sends a file, or a folder as a tarball, analyses it, and runs the plan if asked.
 *
 * @module
 */
import { packTar } from "modern-tar";
import { z } from "zod";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage_error.ts";
import type { RemoteService } from "./remote_service.ts";

const Started = z.object({ id: z.string(), jobId: z.string() });
const Run = z.object({ jobId: z.string() });
const Transfer = z.object({
  state: z.string(),
  kind: z.string().nullable(),
  counts: z.record(z.string(), z.number()),
  report: z.record(z.string(), z.number()),
});

/** Transfers content from a file or folder. */
export async function transferCommand(
  { service, print }: { service: RemoteService; print: (line: string) => void },
  args: readonly string[],
): Promise<number> {
  const { positionals: [path], flags, texts } = parseOptions(args, {
    kind: "string",
    key: "string",
    run: "boolean",
    "dry-run": "boolean",
  });
  if (path === undefined) throw new UsageError("cms transfer requires a file or folder");
  const form = new FormData();
  form.append("file", await uploadOf(path));
  if (texts.key !== undefined) form.append("key", texts.key);
  const query = texts.kind === undefined ? "" : `?kind=${encodeURIComponent(texts.kind)}`;
  const answer = await service.send("POST", `/transfers${query}`, { body: form });
  const { id, jobId } = Started.parse(await answer.json());
  await service.finish(jobId);
  const planned = await service.ask("GET", `/transfers/${id}`, Transfer);
  for (const [source, rows] of Object.entries(planned.counts)) print(`${source}: ${rows}`);
  print(`Transfer ${id} (${planned.kind ?? "unknown"}) is ${planned.state}`);
  if (!flags.run && !flags["dry-run"]) return 0;
  const run = await service.ask("POST", `/transfers/${id}/run`, Run, {
    dryRun: flags["dry-run"] === true,
  });
  await service.finish(run.jobId);
  const { report } = await service.ask("GET", `/transfers/${id}`, Transfer);
  print(Object.entries(report).map(([name, count]) => `${name} ${count}`).join(", "));
  return (report.failed ?? 0) > 0 ? 1 : 0;
}

async function uploadOf(path: string): Promise<File> {
  const name = path.replace(/\/+$/, "").split("/").at(-1) || "upload";
  const { isDirectory } = await Deno.stat(path);
  if (!isDirectory) return new File([await Deno.readFile(path)], name);
  const entries = [];
  for await (const file of filesIn(path)) {
    const body = await Deno.readFile(`${path}/${file}`);
    const header = { name: `${name}/${file}`, size: body.byteLength, type: "file" as const };
    entries.push({ header, body });
  }
  return new File([await packTar(entries) as Uint8Array<ArrayBuffer>], `${name}.tar`);
}

async function* filesIn(folder: string, below = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(`${folder}/${below}`)) {
    if (name.startsWith(".") || name === "node_modules") continue;
    if (isDirectory) yield* filesIn(folder, `${below}${name}/`);
    else if (isFile) yield `${below}${name}`;
  }
}
