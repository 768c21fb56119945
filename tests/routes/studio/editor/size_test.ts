import { assert } from "@std/assert";
import { gzipSync } from "node:zlib";
import { BUILT } from "../../../../routes/studio/browser_digest.ts";

const FOLDER = new URL(`../../../../${BUILT}`, import.meta.url);
/** Compressed bytes that the editor of rich text may cost, and with it a whole page. */
const EDITOR_BYTES_MAX = 110_000;
const PAGE_BYTES_MAX = 150_000;
/** And those of the editor of JSON, which comes where somebody comes near such a field. */
const JSON_EDITOR_BYTES_MAX = 125_000;

Deno.test("the editor of rich text stays small, and comes only where it is needed", async () => {
  let editor = 0;
  let page = 0;
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (!name.endsWith(".js")) continue;
    const source = await Deno.readTextFile(new URL(name, FOLDER));
    const bytes = gzipSync(source, { level: 9 }).byteLength;
    if (name.startsWith("json_editor")) {
      assert(bytes < JSON_EDITOR_BYTES_MAX, `${name}: ${bytes} bytes`);
      continue;
    }
    page += bytes;
    if (name.startsWith("portable_text_editor")) editor += bytes;
    else assert(!source.includes("ProseMirror"), `${name} holds the editor`);
  }
  assert(editor > 0 && editor < EDITOR_BYTES_MAX, `${editor} bytes`);
  assert(page < PAGE_BYTES_MAX, `${page} bytes`);
});
