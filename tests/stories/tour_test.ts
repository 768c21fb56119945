import { assert, assertEquals } from "@std/assert";
import { playCommands, playTour, readCommands, readTour } from "../tour.ts";

Deno.test("the README's tour works when pasted", async () => {
  assertEquals(await playTour(), []);
});

Deno.test("the README's tour has expectations in every block", async () => {
  const { expected } = readTour(await Deno.readTextFile("README.md"));
  assert(expected.length >= 6 && expected.every((texts) => texts.length > 0));
});

Deno.test("the tutorial works when pasted, and says in every block what is printed", async () => {
  const commands = readCommands(await Deno.readTextFile("docs/tutorial.md"));
  assert(commands.expected.length >= 12 && commands.expected.every((texts) => texts.length > 0));
  assertEquals(await playCommands(commands), []);
});

Deno.test("the README, the tutorial and .dvmrc name the same Deno", async () => {
  const version = (await Deno.readTextFile(".dvmrc")).trim();
  for (const page of ["README.md", "docs/tutorial.md"]) {
    const text = await Deno.readTextFile(page);
    const named = [...text.matchAll(/deno@(\d+\.\d+\.\d+)/g)].map((match) => match[1]);
    assert(named.length > 0 && named.every((name) => name === version), `${page}: ${named}`);
  }
});
