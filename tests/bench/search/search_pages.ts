/**
 * Pages of a documentation in several languages, from a file or a folder.
 *
 * @module
 */
import { extname, join } from "node:path";
import type { Page } from "../../support/harness/known_items.ts";

/** Shorter texts are stubs. */
const BODY_CHARS_MIN = 200;
const TITLE = /^title:\s*["']?(.+?)["']?\s*$/m;
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
const HEADING = /^#\s+(.+?)(?:\s*\{\s*#.*\})?$/m;

/** Reads a file with a JSON object a line, or a folder with a folder of Markdown files for each language. */
export async function readPages(path: string): Promise<Page[]> {
  if ((await Deno.stat(path)).isFile) {
    const lines = (await Deno.readTextFile(path)).split("\n").filter((line) => line !== "");
    return lines.map((line): Page => ({ language: "en", ...JSON.parse(line) }));
  }
  const pages: Page[] = [];
  for (const language of entriesOf(path)) {
    const folder = join(path, language);
    if (!Deno.statSync(folder).isDirectory) continue;
    for (const file of filesIn(folder)) {
      const page = pageOf(Deno.readTextFileSync(file), language);
      if (page !== null) pages.push(page);
    }
  }
  return pages;
}

function* filesIn(folder: string): Generator<string> {
  for (const name of entriesOf(folder)) {
    const path = join(folder, name);
    if (Deno.statSync(path).isDirectory) yield* filesIn(path);
    else if ([".md", ".mdx"].includes(extname(name))) yield path;
  }
}

function entriesOf(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** The page of a Markdown file; null without a title or text. */
function pageOf(text: string, language: string): Page | null {
  const front = FRONT_MATTER.exec(text)?.[0] ?? "";
  const rest = text.slice(front.length);
  const heading = HEADING.exec(rest);
  const title = TITLE.exec(front)?.[1] ?? heading?.[1] ?? "";
  const body = TITLE.test(front) || heading === null ? rest : rest.replace(heading[0], "");
  return title === "" || body.length < BODY_CHARS_MIN ? null : { title, body, language };
}
