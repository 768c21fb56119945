import { assert, assertEquals } from "@std/assert";
import { playTour, readTour } from "../tour.ts";

Deno.test("the README's tour works when pasted", async () => {
  assertEquals(await playTour(), []);
});

Deno.test("the README's tour has expectations in every block", async () => {
  const { expected } = readTour(await Deno.readTextFile("README.md"));
  assert(expected.length >= 6 && expected.every((texts) => texts.length > 0));
});

Deno.test("the README and .dvmrc name the same Deno", async () => {
  const version = (await Deno.readTextFile(".dvmrc")).trim();
  const readme = await Deno.readTextFile("README.md");
  const named = [...readme.matchAll(/deno@(\d+\.\d+\.\d+)/g)].map((match) => match[1]);
  assert(named.length > 0 && named.every((name) => name === version), named.join(", "));
});
