/** Bulk lines, changes, streams, tools and images hold whatever they are sent. */
import { headless } from "../support/sites/headless.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { fuzzPrograms } from "./program_fuzz.ts";

for (const seed of [1, 2]) {
  Deno.test(`fuzzPrograms() finds nothing that fails or has another shape (seed ${seed})`, async () => {
    await using test = await headless();
    await test.setUp();

    const { problems, statuses } = await fuzzPrograms(test, { seed, rounds: 300 });

    assertEquals(problems, []);
    const wanted = ["bulk 200", "bulk 415", "bulk again 200", "changes 200", "changes 400"];
    wanted.push("stream 200", "stream 400", "media POST 201", "media POST 422", "media PATCH 200");
    wanted.push("media DELETE 204", "media GET 404", "tool query_documents taken 200");
    for (const tool of ["create", "update", "trash", "validate"]) {
      wanted.push(`tool ${tool}_document refused 200`);
    }
    assertEquals(wanted.filter((one) => !statuses.has(one)), [], [...statuses.keys()].join(", "));
    assert(statuses.get("bulk 200")! > 80);
  });
}
