import { assert } from "@std/assert";
import { gzipSync } from "node:zlib";
import { BUILT } from "../../../../routes/studio/serving/browser_digest.ts";

const FOLDER = new URL(`../../../../${BUILT}`, import.meta.url);
/** Compressed bytes that the editor of rich text may cost, and with it a whole page. */
const EDITOR_BYTES_MAX = 110_000;
const PAGE_BYTES_MAX = 155_000;
/** What comes later, and only for those who need it, by the beginning of its name. */
const LATER = {
  comments: 8_000,
  text_cursors: 3_000,
  json_editor: 125_000,
  code_colors: 45_000,
};

/** The compressed bytes of each script that one imports at once, itself among them. */
async function weigh(name: string, seen = new Map<string, number>()): Promise<Map<string, number>> {
  if (seen.has(name)) return seen;
  const source = await Deno.readTextFile(new URL(name, FOLDER));
  seen.set(name, gzipSync(source, { level: 9 }).byteLength);
  for (const [, other] of source.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    await weigh(other!, seen);
  }
  return seen;
}

Deno.test("the editor of rich text stays small, and comes only where it is needed", async () => {
  const names = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
  const named = (begins: string) => names.find((name) => name.startsWith(begins))!;
  const editor = named("portable_text_editor");
  const page = await weigh(editor, await weigh("studio.js"));

  assert(page.get(editor)! < EDITOR_BYTES_MAX, `${page.get(editor)} bytes`);
  const bytes = [...page.values()].reduce((sum, one) => sum + one, 0);
  assert(bytes < PAGE_BYTES_MAX, `${bytes} bytes`);
  for (const name of names.filter((name) => name.endsWith(".js") && name !== editor)) {
    const source = await Deno.readTextFile(new URL(name, FOLDER));
    assert(!source.includes("ProseMirror"), `${name} holds the editor`);
  }
  for (const [begins, bytesMax] of Object.entries(LATER)) {
    const name = named(begins);
    assert(!page.has(name), `${name} comes at once`);
    const own = (await weigh(name)).get(name)!;
    assert(own < bytesMax, `${name}: ${own} bytes`);
  }
});
