/** The application keeps to its own description, whatever it is sent. */
import { assert, assertEquals } from "../support/harness/assert.ts";
import { fuzz } from "./fuzz.ts";
import { fuzzableApp } from "./fuzzable_app.ts";

/** Everything that the seeds have reached together: which request a seed makes changes with every parameter. */
const reached = new Set<string>();

for (const seed of [1, 2, 3]) {
  Deno.test(`fuzz() finds nothing that the description does not have (seed ${seed})`, async () => {
    await using test = await fuzzableApp();
    const token = await test.token();
    const reader = await test.token({ scopes: ["posts:read"] });
    const description = (await test.call("GET", "/api/v1/_meta", { token })).json;

    const report = await fuzz({
      fetch: test.fetch,
      description,
      token,
      lesserTokens: [reader, "", "svc_pk_wrong"],
      seed,
      rounds: 60,
    });

    assertEquals(report.problems, []);
    for (const [status, count] of report.statuses) if (count > 0) reached.add(status);
  });
}

Deno.test("fuzz() reaches reads, writes and refusals", () => {
  const expected = [
    ...["createPost 201", "listPosts 200", "getPost 200", "updatePost 200", "createPost 422"],
    ...["listPosts 400", "deletePost 204", "getPost 404", "getPostVersion 200"],
  ];
  assertEquals(expected.filter((status) => !reached.has(status)), []);
});

Deno.test("fuzz() tells a status, a body and a failure that are not described", async () => {
  await using test = await fuzzableApp();
  const token = await test.token();
  const description = (await test.call("GET", "/api/v1/_meta", { token })).json;
  const answers = [
    () => new Response("{}", { status: 418 }),
    () => Response.json({ data: [{ id: 1 }], meta: {} }),
    () => Response.json({ error: { code: "INTERNAL", message: "!" } }, { status: 500 }),
  ];
  for (const answer of answers) {
    const report = await fuzz({
      fetch: () => Promise.resolve(answer()),
      description,
      token,
      lesserTokens: [""],
      seed: 1,
      rounds: 1,
    });
    assert(report.problems.length > 0);
  }
});
