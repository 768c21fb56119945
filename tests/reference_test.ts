/** The reference in docs/reference/ is what the descriptions of both APIs say. */
import { assertEquals } from "@std/assert";
import { referencePages } from "./reference.ts";

Deno.test("the reference is made from the descriptions; `deno task reference` writes it", async () => {
  const outdated: string[] = [];
  for (const [path, text] of await referencePages()) {
    const present = await Deno.readTextFile(path).catch(() => "");
    if (present !== text) outdated.push(path);
  }
  assertEquals(outdated, []);
});
