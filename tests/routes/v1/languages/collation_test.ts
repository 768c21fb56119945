/** Lists in the order of a language. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, headless, titles } from "../../../support/sites/headless.ts";

const WORDS = ["zebra", "Äpfel", "apfel", "Zoo", "öl", "ofen", "Éclair", "ecke", "Apfel"];

Deno.test("collate sorts texts by the rules of a language, page by page", async () => {
  await using test = await headless();
  for (const title of WORDS) await test.post({ title, summary: title });
  const german = WORDS.toSorted((a, b) =>
    new Intl.Collator("de").compare(a.toLowerCase(), b.toLowerCase())
  );
  const list = async (query: string) =>
    titles(await test.v1("GET", `/posts?sort=title&collate=de${query}`));
  assertEquals((await list("")).toLowerCase(), german.join(" ").toLowerCase());
  assertEquals(
    (await list("&perPage=4&page=2")).toLowerCase(),
    german.slice(4, 8).join(" ").toLowerCase(),
  );
  const found: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = await test.v1("GET", `/posts?sort=title&collate=de&perPage=2&cursor=${cursor}`);
    found.push(titles(page));
    cursor = page.json.meta.nextCursor;
  }
  assertEquals(found.join(" ").toLowerCase(), german.join(" ").toLowerCase());
  const swedish = titles(await test.v1("GET", "/posts?sort=-title&collate=sv")).split(" ");
  assertEquals(swedish[0], "öl");
  const plain = await test.v1("GET", "/posts?sort=title&perPage=2&cursor=");
  const foreign = await test.v1(
    "GET",
    `/posts?sort=title&collate=de&cursor=${plain.json.meta.nextCursor}`,
  );
  assertRefused(foreign, 400, "CURSOR_INVALID");
  assertRefused(await test.v1("GET", "/posts?collate=xx-"), 400, "PARAMETER_INVALID");
  assertRefused(await test.v1("GET", "/posts?collate=tlh"), 400, "PARAMETER_INVALID");
});
