import { assert } from "@std/assert";
import { isWholeRun } from "../../support/harness/whole_run.ts";
import { simulateSiteLanguages } from "./site_languages.ts";

const SEEDS = isWholeRun ? 8 : 3;

Deno.test("whatever happens to the languages of documents, pages name exactly those that are public", async () => {
  const sum = { pages: 0, alternates: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const { pages, alternates } = await simulateSiteLanguages(seed);
      sum.pages += pages;
      sum.alternates += alternates;
    } catch (error) {
      throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
  assert(sum.pages > 5 * SEEDS && sum.alternates > 12 * SEEDS, JSON.stringify(sum));
});
