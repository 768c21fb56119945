/** The change feed in a language's sight. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused } from "../../../support/sites/headless.ts";
import { multilingual, paragraph } from "../../../support/sites/multilingual.ts";
import { receiver } from "../../../support/sites/webhooks.ts";

Deno.test("the feed of a language tells its translations, that of originals does not", async () => {
  await using test = await multilingual();
  const { id } = await test.post({ title: "Apple", body: paragraph("A"), status: "published" });
  const since = async (query: string) =>
    (await test.read(`/_changes?${query}`)).json.meta.cursor as string;
  const [plain, french] = [await since(""), await since("language=fr")];
  const told = async (query: string, cursor: string) => {
    const { json } = await test.read(`/_changes?${query}&since=${cursor}`);
    return json.data.map(({ change, document }: { change: string; document?: { title: string } }) =>
      `${change} ${document?.title ?? ""}`.trim()
    );
  };
  await test.translate(id, "fr", { title: "Pomme", body: paragraph("P"), status: "published" });
  assertEquals(await told("", plain), []);
  assertEquals(await told("language=fr", french), ["upserted Pomme"]);
  const later = await since(`language=fr&since=${french}`);
  await test.v1("PATCH", `/posts/${id}`, { body: { rating: 5 } });
  assertEquals(await told("", plain), ["upserted Apple"]);
  assertEquals(await told("language=fr", later), ["upserted Pomme"]);
  await test.admin("POST", `/documents/${id}/translations/fr/unpublish`);
  assertEquals((await told("language=fr", later)).at(-1), "removed");
  assertEquals(await told("language=de", await since("language=de")), []);
  assertRefused(await test.read("/_changes?language=ar"), 400, "LANGUAGE_INVALID");
});

Deno.test("a sync in a language reports the documents that have it", async () => {
  await using test = await multilingual();
  const { id } = await test.post({ title: "Apple", body: paragraph("A"), status: "published" });
  await test.post({ title: "Pear", body: paragraph("A"), status: "published" });
  await test.translate(id, "fr", { title: "Pomme", body: paragraph("P"), status: "published" });
  const { json } = await test.read("/_changes?language=fr");
  assertEquals(json.data.map(({ document }: { document: { title: string } }) => document.title), [
    "Pomme",
  ]);
  const all = await test.read("/_changes?language=fr&fallback=documents");
  assertEquals(
    all.json.data.map(({ document }: { document: { _language: string } }) => document._language),
    ["fr", "en"],
  );
});

Deno.test("webhooks name the languages of a document, and receive those that they ask for", async () => {
  await using test = await multilingual({ guard: { allowLocal: true } });
  await using every = receiver();
  await using french = receiver();
  const hook = (url: string, languages?: string[]) =>
    test.admin("POST", "/webhooks", {
      name: "Hook",
      url,
      events: ["document.published", "document.updated"],
      ...(languages && { languages }),
    });
  assertEquals((await hook(every.url)).status, 201);
  assertEquals((await hook(french.url, ["fr"])).status, 201);
  assertEquals((await hook(french.url, ["it"])).status, 422);
  const { id } = await test.post({ title: "Apple", body: paragraph("A"), status: "published" });
  await test.translate(id, "fr", { title: "Pomme", body: paragraph("P"), status: "published" });
  await test.v1("PATCH", `/posts/${id}`, { body: { rating: 3 } });
  await test.runner.drain();
  const told = french.received.map(({ json }) => `${json.type} ${json.data.languages.join()}`);
  assertEquals(told, ["document.published fr", "document.updated en,fr,fr-CA,de"]);
  assertEquals(every.received.length, 3);
});
