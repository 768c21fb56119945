/**
 * Runs the test files that TEST_GROUP lists (a JSON array of absolute paths) in this isolate, so that they share one
 * module graph. Before each file's tests it registers a marker test; markers separate the files in the output. Each
 * step is also appended to the file TEST_EVENTS, so that a process that hangs or dies leaves the name of its file.
 *
 * @module
 */
import { MARKER } from "./group_output.ts";

const files: string[] = JSON.parse(Deno.env.get("TEST_GROUP")!);
const events = Deno.env.get("TEST_EVENTS")!;

function record(kind: "load" | "start" | "end", index: number): void {
  Deno.writeTextFileSync(events, `${kind} ${index} ${Date.now()}\n`, { append: true });
}

for (const [index, file] of files.entries()) {
  record("load", index);
  Deno.test(`${MARKER}${index}`, () => record("start", index));
  try {
    await import(new URL(file, "file:///").href);
  } catch (error) {
    Deno.test("the file can be loaded", () => {
      throw error;
    });
  }
}
Deno.test(`${MARKER}${files.length}`, () => record("end", files.length));
