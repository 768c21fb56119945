/**
 * A site worth fuzzing: every type of field, unique values, patterns and bounds.
 *
 * @module
 */
import { type DescribedApp, describedApp } from "./described_app.ts";
import { everyField } from "./sites.ts";

/** A fresh application with two collections; `await using` closes it. */
export async function fuzzableApp(): Promise<DescribedApp> {
  const test = await describedApp();
  await test.define({ slug: "posts", name: "Posts", fields: everyField() });
  await test.define({
    slug: "strict-things",
    fields: [
      { name: "code", type: "text", unique: true, options: { pattern: "^[A-Z]{3}-\\d+$" } },
      {
        name: "rating",
        type: "number",
        required: true,
        options: { min: 1, max: 5, integer: true },
      },
      { name: "tags", type: "multi_select", indexed: true, options: { choices: ["a", "b"] } },
    ],
  });
  return test;
}
