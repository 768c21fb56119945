/** What a site with languages tells of them: its description, and the tools and prompt of agents. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { headless } from "../../../support/sites/headless.ts";
import { type Multilingual, multilingual, paragraph } from "../../../support/sites/multilingual.ts";

Deno.test("the description knows the codes, the keys and the paths of languages, where there are several", async () => {
  await using test = await multilingual();
  const { json } = await test.v1("GET", "/_meta");
  const list = json.paths["/api/v1/posts"].get;
  const language = list.parameters.find(({ name }: { name?: string }) => name === "language");
  assertEquals(language.schema.enum, ["en", "fr", "fr-CA", "de", "ar", "*"]);
  assert(json.paths["/api/v1/posts/{id}/translations/{language}"].put !== undefined);
  assert(json.components.schemas.Post.properties._language !== undefined);
  const search = json.paths["/api/v1/search"].get.parameters;
  assert(search.some(({ name }: { name?: string }) => name === "language"));
  assert(json.components.schemas.SearchHit.properties._language !== undefined);
  const strict = await test.v1("GET", "/posts?language=fr&translation=missing", {
    headers: { prefer: "handling=strict" },
  });
  assertEquals(strict.status, 200, strict.text);
  await using plain = await headless([]);
  const text = (await plain.v1("GET", "/_meta")).text;
  assert(!text.includes("_language") && !text.includes("/translations"));
});

async function rpc(test: Multilingual, method: string, params: object) {
  const answer = await test.call("POST", "/mcp", {
    token: test.full,
    body: { jsonrpc: "2.0", id: 1, method, params } as never,
    headers: { accept: "application/json, text/event-stream" },
  });
  assertEquals(answer.status, 200, answer.text);
  return answer.json.result;
}

Deno.test("agents find, read and write translations, and publish none", async () => {
  await using test = await multilingual();
  await test.admin("PATCH", "/settings", {
    "translation.style": "Tutoiement",
    "translation.glossary": [{ term: "apple", note: "pomme", languages: ["fr"] }],
  });
  const { id } = await test.post({ title: "Apple", body: paragraph("A"), status: "published" });
  const tool = async (name: string, given: object) =>
    (await rpc(test, "tools/call", { name, arguments: given })).structuredContent;
  const found = await tool("find_untranslated", { collection: "posts", language: "fr" });
  assertEquals(found.data.map((one: { title: string }) => one.title), ["Apple"]);
  for (const [state, count] of [["missing", 1], ["outdated", 0], [["outdated", "missing"], 1]]) {
    const { data } = await tool("find_untranslated", {
      collection: "posts",
      language: "fr",
      state,
    });
    assertEquals(data?.length, count, JSON.stringify(state));
  }
  const body = { title: "Pomme", body: paragraph("P") };
  const made = await tool("translate_document", { collection: "posts", id, language: "fr", body });
  assertEquals([made.workingCopy, made.translation.status], [false, "draft"]);
  await test.admin("POST", `/documents/${id}/translations/fr/publish`);
  const again = { ...body, title: "La pomme" };
  const copy = await tool("translate_document", {
    collection: "posts",
    id,
    language: "fr",
    body: again,
  });
  assertEquals([copy.workingCopy, copy.translation.title], [true, "La pomme"]);
  assertEquals((await test.read(`/posts/${id}?language=fr`)).json.title, "Pomme");
  const read = await tool("get_document", { collection: "posts", id, language: "fr" });
  assertEquals(read.title, "Pomme");
  const listed = await tool("list_translations", { collection: "posts", id });
  assertEquals(listed.data.length, 5);
  const prompt = await rpc(test, "prompts/get", {
    name: "translate",
    arguments: { collection: "posts", id, language: "fr" },
  });
  const { text } = prompt.messages[0].content;
  for (const part of ["Tutoiement", "pomme", "Apple", "translate_document"]) {
    assert(text.includes(part), part);
  }
});

Deno.test("the served types know the languages, and check with them", async () => {
  await using test = await multilingual();
  const { text } = await test.v1("GET", "/_meta/types.ts");
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/types.ts`, text);
    await Deno.writeTextFile(
      `${folder}/use.ts`,
      `import { createClient } from "./types.ts";
const client = createClient({ baseUrl: "http://localhost", token: "t" });
const page = await client.collection("posts").list({ language: "fr", fallback: ["en"], translation: ["outdated"] });
const code: "en" | "fr" | "fr-CA" | "de" | "ar" | undefined = page.data[0]?._language;
// @ts-expect-error There is no such language.
await client.collection("posts").list({ language: "it" });
console.log(code);
`,
    );
    const checked = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--no-config", `${folder}/use.ts`],
      env: { NO_COLOR: "1" },
    }).output();
    assert(checked.success, new TextDecoder().decode(checked.stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
