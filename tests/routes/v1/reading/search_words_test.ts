import { SEARCH_CHARS_MAX } from "../../../../kv/limits/requests.ts";
import { parseSearchWords, SEARCH_WORDS } from "../../../../routes/query/search_words.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { headless } from "../../../support/sites/headless.ts";

Deno.test("what q may be is described as it is read", () => {
  const most = "\u{1d4b3}".repeat(SEARCH_CHARS_MAX);
  const texts = ["", " ", "a", " a", "ab", " ab", "ab\t", "\ufeffa b\n", "a\nb", most, ` ${most} `];
  const described = new RegExp(SEARCH_WORDS.pattern, "u");
  for (const text of [...texts, `${most}x`, "a  ", "  \u00a0"]) {
    assertEquals(described.test(text), "text" in parseSearchWords([text]), JSON.stringify(text));
  }
});

Deno.test("lists of choices are asked for as they are described", async () => {
  const options = { choices: ["a", "b", "c"], maxItems: 2 };
  await using test = await headless([{ name: "topics", type: "multi_select", options }]);
  const statuses = [["a", "a"], ["a", "b"], ["a", "b", "c"]].map(async (topics) =>
    (await test.v1("POST", "/posts", { body: { title: "T", topics } })).status
  );
  assertEquals(await Promise.all(statuses), [201, 201, 422]);
  const { text } = await test.v1("GET", "/_meta");
  assertEquals(text.includes("uniqueItems"), false);
  assertEquals(text.includes('"maxItems":2'), true);
});
